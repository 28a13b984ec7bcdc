//! Where designs are kept: versions, backups, exports, the journal of a page that was closed, designs of earlier versions.

mod exports;
mod journal;
mod memory;
mod moving;
mod tabs;

use self::memory::{Memory, now};
use crate::app::saas;
use keyfold_app::workspace::{
    Broken, DesignKey, Failure, Group, Loaded, NotSaved, Save, Workspace,
};
use keyfold_core::model::Design;
use keyfold_core::persist;

/// Stores a design over the version `base`.
fn save(
    workspace: &Workspace<Memory>,
    key: DesignKey,
    base: u32,
    design: &Design,
) -> Result<u32, NotSaved> {
    now(workspace.save(Save {
        key,
        base,
        name: &design.name,
        text: &persist::to_json(design),
        now: key as f64,
    }))
}

/// The design that is stored, with its version.
fn load(workspace: &Workspace<Memory>, key: DesignKey) -> (Design, u32) {
    match now(workspace.load(key)) {
        Ok(Loaded::Design(design, version, _)) => (*design, version),
        other => panic!("{other:?}"),
    }
}

fn broken(workspace: &Workspace<Memory>, key: DesignKey) -> Broken {
    match now(workspace.load(key)) {
        Ok(Loaded::Broken(broken)) => broken,
        other => panic!("{other:?}"),
    }
}

fn names(workspace: &Workspace<Memory>) -> Vec<String> {
    let entries = now(workspace.entries()).unwrap();
    entries.into_iter().map(|entry| entry.name).collect()
}

#[test]
fn designs_come_back_in_the_order_in_which_they_were_made() {
    let memory = Memory::default();
    let workspace = Workspace::new(memory.clone());
    assert_eq!(save(&workspace, 70, 0, &Design::new("Later")), Ok(1));
    assert_eq!(save(&workspace, 9, 0, &saas()), Ok(1));
    let again = Workspace::new(memory);
    assert_eq!(load(&again, 9), (saas(), 1));
    assert_eq!(names(&again), [saas().name.as_str(), "Later"]);
    assert_eq!(now(again.load(1)), Ok(Loaded::Missing));
}

#[test]
fn a_save_over_another_version_changes_nothing() {
    let workspace = Workspace::new(Memory::default());
    let ours = Design::new("Ours");
    let theirs = Design::new("Theirs");
    assert_eq!(save(&workspace, 1, 0, &saas()), Ok(1));
    assert_eq!(save(&workspace, 1, 1, &theirs), Ok(2));
    assert_eq!(save(&workspace, 1, 1, &ours), Err(NotSaved::Changed));
    assert_eq!(save(&workspace, 1, 0, &ours), Err(NotSaved::Changed));
    assert_eq!(load(&workspace, 1), (theirs.clone(), 2));
    // The same text again is no conflict: it is what is stored.
    assert_eq!(save(&workspace, 1, 1, &theirs), Ok(2));
}

#[test]
fn a_deleted_design_stays_deleted_until_the_deletion_is_undone() {
    let workspace = Workspace::new(Memory::default());
    save(&workspace, 1, 0, &saas()).unwrap();
    now(workspace.keep_backup(1, "backup".into()));
    now(workspace.remember(1, "iam", "policy")).unwrap();
    let deleted = now(workspace.delete(1)).unwrap().expect("it was there");
    assert_eq!(names(&workspace), [""; 0]);
    assert_eq!(save(&workspace, 1, 1, &saas()), Err(NotSaved::Deleted));
    now(workspace.keep_backup(1, "late".into()));
    now(workspace.remember(1, "iam", "late")).unwrap();
    assert_eq!(now(workspace.delete(1)), Ok(None));

    assert_eq!(now(workspace.restore(&deleted)), Ok(2));
    assert_eq!(load(&workspace, 1), (saas(), 2));
    let exports = now(workspace.exports(1)).unwrap();
    assert_eq!(exports.get("iam").map(String::as_str), Some("policy"));
}

#[test]
fn a_full_storage_gives_up_backups_and_else_keeps_the_last_good_copy() {
    let memory = Memory::default();
    let workspace = Workspace::new(memory.clone());
    save(&workspace, 1, 0, &saas()).unwrap();
    now(workspace.keep_backup(1, persist::to_json(&saas())));
    memory.limit_to(memory.used());
    let mut larger = saas();
    larger.description = "x".repeat(2000);
    assert_eq!(
        save(&workspace, 1, 1, &larger),
        Ok(2),
        "the backup makes room"
    );

    memory.limit_to(memory.used());
    let mut huge = larger.clone();
    huge.description = "x".repeat(50_000);
    let failed = Err(NotSaved::Failed(Failure::Full));
    assert_eq!(save(&workspace, 1, 2, &huge), failed);
    assert_eq!(load(&workspace, 1), (larger, 2));
}

#[test]
fn a_broken_text_is_kept_and_the_backup_offered_once() {
    let memory = Memory::default();
    let workspace = Workspace::new(memory.clone());
    save(&workspace, 1, 0, &saas()).unwrap();
    now(workspace.keep_backup(1, persist::to_json(&saas())));
    memory.put(Group::Designs, "1", "{ not json");

    let found = broken(&workspace, 1);
    assert_eq!(found.text, "{ not json");
    assert_eq!(found.name, saas().name);
    assert!(found.reason.contains("line 1"), "{}", found.reason);
    assert_eq!(found.backup.as_deref(), Some(&saas()));
    assert_eq!(found.recovered_as, None);

    save(&workspace, 2, 0, &saas()).unwrap();
    now(workspace.note_recovered(1, 2)).unwrap();
    assert_eq!(broken(&workspace, 1).recovered_as, Some(2));
    assert_eq!(broken(&workspace, 1).text, "{ not json");
    now(workspace.delete(2)).unwrap();
    assert_eq!(broken(&workspace, 1).recovered_as, None, "the copy is gone");
}

#[test]
fn a_design_without_a_good_entry_is_listed_and_can_be_opened() {
    let memory = Memory::default();
    let workspace = Workspace::new(memory.clone());
    save(&workspace, 1, 0, &saas()).unwrap();
    save(&workspace, 2, 0, &saas()).unwrap();
    memory.put(Group::Entries, "1", "[]");
    memory.remove(Group::Entries, "2");
    assert_eq!(names(&workspace), ["Design 1", "Design 2"]);
    assert_eq!(load(&workspace, 1), (saas(), 1));
    assert_eq!(save(&workspace, 1, 1, &saas()), Ok(2));
    assert_eq!(names(&workspace), [saas().name.as_str(), "Design 2"]);
}
