//! Designs of earlier versions, which were in the local storage, move into the database once.

use super::memory::{Local, Memory, now};
use super::{broken, load, names, save};
use crate::app::saas;
use keyfold_app::workspace::{Moved, Storage, Workspace, move_in};
use keyfold_core::model::Design;
use keyfold_core::persist;

/// A local storage with two designs: one that can be read, one that cannot.
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
fn designs_move_with_backups_and_exports() {
    let (local, workspace) = (earlier(), Workspace::new(Memory::default()));
    let moved = now(move_in(&workspace, &local, &|| 99)).unwrap();
    let open = Some(2);
    assert_eq!(moved, Moved { designs: 2, open });
    assert_eq!(names(&workspace), ["SaaS", "Bad"]);
    assert_eq!(load(&workspace, 2), (saas(), 1));
    let bad = broken(&workspace, 3);
    assert_eq!(bad.text, "{ broken");
    assert_eq!(bad.backup.as_deref(), Some(&Design::new("Good")));
    let exports = now(workspace.exports(2)).unwrap();
    assert_eq!(exports.get("iam").map(String::as_str), Some("policy"));
    assert_eq!(local.keys(), ["keyfold:desk"]);
    assert_eq!(
        now(move_in(&workspace, &local, &|| 99)),
        Ok(Moved::default())
    );
}

#[test]
fn without_room_the_old_copies_stay() {
    let (local, memory) = (earlier(), Memory::default());
    memory.limit_to(persist::to_json(&saas()).len() + 300);
    let before = local.keys().len();
    let workspace = Workspace::new(memory.clone());
    now(move_in(&workspace, &local, &|| 99)).unwrap_err();
    assert!(local.get("keyfold:design:3").is_some());
    assert!(local.keys().len() < before, "what fits has moved");
    memory.limit_to(usize::MAX);
    now(move_in(&workspace, &local, &|| 99)).unwrap();
    assert_eq!(names(&workspace), ["SaaS", "Bad"]);
    assert_eq!(local.keys(), ["keyfold:desk"]);
}

#[test]
fn a_move_that_was_cut_short_goes_on_and_overwrites_nothing() {
    let (local, workspace) = (earlier(), Workspace::new(Memory::default()));
    // The second design's number is taken by another text; the first one is there already.
    save(&workspace, 2, 0, &saas()).unwrap();
    save(&workspace, 3, 0, &Design::new("Newer")).unwrap();
    let moved = now(move_in(&workspace, &local, &|| 99)).unwrap();
    assert_eq!(moved.designs, 2);
    assert_eq!(load(&workspace, 2).0, saas());
    assert_eq!(load(&workspace, 3).0, Design::new("Newer"));
    assert_eq!(broken(&workspace, 99).text, "{ broken");
}
