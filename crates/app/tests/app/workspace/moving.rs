//! Designs of earlier versions migrate from local storage to the database once.

use super::memory::{Local, Memory, now};
use super::{broken, load, names, save};
use crate::commands::saas;
use keyfold_app::workspace::{Migrated, Storage, Workspace, migrate_local_designs};
use keyfold_core::model::Design;
use keyfold_core::persist;

/// Local storage with two designs: a valid and an invalid one.
fn earlier() -> Local {
    let local = Local::default();
    let list = r#"{"next":4,"open":2,"designs":[{"key":2,"name":"SaaS"},{"key":3,"name":"Bad"}]}"#;
    for (key, text) in [
        ("keyfold:list", list),
        ("keyfold:design:2", &persist::to_json(&saas())),
        ("keyfold:design:3", "{ broken"),
        ("keyfold:backup:3", &persist::to_json(&Design::new("Good"))),
        ("keyfold:export:2:iam", "policy"),
        ("keyfold:desk", "{}"),
    ] {
        local.set(key, text).unwrap();
    }
    local
}

#[test]
fn designs_migrate_with_backups_and_exports() {
    let (local, workspace) = (earlier(), Workspace::new(Memory::default()));
    let moved = now(migrate_local_designs(&workspace, &local, &|| 99)).unwrap();
    let open = Some(2);
    assert_eq!(moved, Migrated { designs: 2, open });
    assert_eq!(names(&workspace), ["SaaS", "Bad"]);
    assert_eq!(load(&workspace, 2), (saas(), 1));
    let bad = broken(&workspace, 3);
    assert_eq!(bad.text, "{ broken");
    assert_eq!(bad.backup.as_deref(), Some(&Design::new("Good")));
    let exports = now(workspace.exports(2)).unwrap();
    assert_eq!(exports.get("iam").map(String::as_str), Some("policy"));
    assert_eq!(local.keys(), ["keyfold:desk"]);
    assert_eq!(
        now(migrate_local_designs(&workspace, &local, &|| 99)),
        Ok(Migrated::default())
    );
}

#[test]
fn a_full_database_keeps_the_local_copies() {
    let (local, memory) = (earlier(), Memory::default());
    memory.limit_to(persist::to_json(&saas()).len() + 300);
    let before = local.keys().len();
    let workspace = Workspace::new(memory.clone());
    now(migrate_local_designs(&workspace, &local, &|| 99)).unwrap_err();
    assert!(local.get("keyfold:design:3").is_some());
    assert!(local.keys().len() < before, "matching templates moved");
    memory.limit_to(usize::MAX);
    now(migrate_local_designs(&workspace, &local, &|| 99)).unwrap();
    assert_eq!(names(&workspace), ["SaaS", "Bad"]);
    assert_eq!(local.keys(), ["keyfold:desk"]);
}

#[test]
fn an_interrupted_migration_continues_and_overwrites_nothing() {
    let (local, workspace) = (earlier(), Workspace::new(Memory::default()));
    // The second design's key is taken by another text; the first design has already migrated.
    save(&workspace, 2, 0, &saas()).unwrap();
    save(&workspace, 3, 0, &Design::new("Newer")).unwrap();
    let moved = now(migrate_local_designs(&workspace, &local, &|| 99)).unwrap();
    assert_eq!(moved.designs, 2);
    assert_eq!(load(&workspace, 2).0, saas());
    assert_eq!(load(&workspace, 3).0, Design::new("Newer"));
    assert_eq!(broken(&workspace, 99).text, "{ broken");
}
