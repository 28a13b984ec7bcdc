//! Remembered exports never take space from designs.

use super::memory::{Memory, now};
use super::{load, names, save};
use keyfold_app::workspace::{DesignKey, ObjectStore, Workspace};
use keyfold_core::model::Design;

fn remembered(workspace: &Workspace<Memory>, key: DesignKey, name: &str) -> Option<String> {
    now(workspace.exports(key)).unwrap().get(name).cloned()
}

fn two_designs(memory: &Memory) -> Workspace<Memory> {
    let workspace = Workspace::new(memory.clone());
    save(&workspace, 1, 0, &Design::new("One")).unwrap();
    save(&workspace, 10, 0, &Design::new("Two")).unwrap();
    workspace
}

#[test]
fn an_export_is_remembered_until_the_design_is_deleted() {
    let memory = Memory::default();
    let workspace = two_designs(&memory);
    for (key, name, text) in [
        (1, "iam", "first"),
        (1, "iam", "second"),
        (1, "rust-crate/src/lib.rs", "lib"),
        (10, "iam", "other"),
    ] {
        now(workspace.remember(key, name, text)).unwrap();
    }
    let again = Workspace::new(memory);
    assert_eq!(remembered(&again, 1, "iam").as_deref(), Some("second"));
    let file = remembered(&again, 1, "rust-crate/src/lib.rs");
    assert_eq!(file.as_deref(), Some("lib"));
    assert_eq!(remembered(&again, 1, "cdk"), None);
    assert_eq!(
        names(&again),
        ["One", "Two"],
        "the remembered version is not a design"
    );
    now(again.delete(1)).unwrap();
    assert_eq!(remembered(&again, 1, "iam"), None);
    assert_eq!(remembered(&again, 10, "iam").as_deref(), Some("other"));
}

#[test]
fn remembered_exports_are_deleted_before_backups() {
    let memory = Memory::default();
    let workspace = two_designs(&memory);
    now(workspace.keep_backup(1, "b".repeat(500)));
    now(workspace.remember(1, "iam", &"x".repeat(1000))).unwrap();
    memory.limit_to(memory.used() + 300);
    let mut design = Design::new("One");
    design.description = "y".repeat(1200);
    assert_eq!(save(&workspace, 1, 1, &design), Ok(2));
    assert_eq!(remembered(&workspace, 1, "iam"), None);
    memory.put(ObjectStore::Designs, "1", "broken");
    assert_eq!(
        super::broken(&workspace, 1).backup,
        None,
        "it is not a design"
    );
    design.description = "y".repeat(1600);
    assert_eq!(save(&workspace, 1, 2, &design), Ok(3));
    assert_eq!(load(&workspace, 1).0, design);
}

#[test]
fn large_exports_are_not_remembered() {
    let workspace = two_designs(&Memory::default());
    now(workspace.remember(1, "batch-write", "small")).unwrap();
    now(workspace.remember(1, "batch-write", &"x".repeat(150_001))).unwrap();
    let stale = remembered(&workspace, 1, "batch-write");
    assert_eq!(stale, None, "an outdated text is deleted");
    let large = "x".repeat(150_000);
    for number in 0..6 {
        now(workspace.remember(1, &number.to_string(), &large)).unwrap();
    }
    assert!(remembered(&workspace, 1, "0").is_some());
    now(workspace.remember(10, "iam", &large)).unwrap();
    assert_eq!(
        remembered(&workspace, 1, "0"),
        None,
        "another design's goes"
    );
    assert!(remembered(&workspace, 10, "iam").is_some());
    for number in 0..9 {
        now(workspace.remember(10, &number.to_string(), &large)).unwrap();
    }
    assert!(
        remembered(&workspace, 10, "iam").is_some(),
        "its own parameter stays"
    );
    assert_eq!(remembered(&workspace, 10, "8"), None);
}

#[test]
fn a_full_storage_remembers_no_export() {
    let memory = Memory::default();
    let workspace = two_designs(&memory);
    now(workspace.remember(1, "iam", "old")).unwrap();
    memory.limit_to(memory.used() + 100);
    assert!(now(workspace.remember(1, "iam", &"x".repeat(700))).is_err());
    assert_eq!(remembered(&workspace, 1, "iam"), None);
    assert_eq!(load(&workspace, 1).0, Design::new("One"));
}
