//! How much room the designs take, and what is freed.

use super::memory::Memory;
use super::{edited, load, now, save_with_history, undo_label};
use keyfold_app::workspace::{Room, SaveRequest, Workspace, size_text};
use keyfold_core::persist;

#[test]
fn sizes_are_told_by_kind() {
    let workspace = Workspace::new(Memory::default());
    assert_eq!(now(workspace.room()), Ok(Room::default()));
    let (document, history) = edited();
    let text = persist::to_json(document.design());
    now(workspace.save(SaveRequest {
        key: 1,
        base: 0,
        name: "Design",
        text: &text,
        own: Some("language"),
        history: Some(&history),
        change: None,
        now: 0.0,
    }))
    .unwrap();
    now(workspace.keep_backup(1, "backup".into()));
    now(workspace.remember(1, "a.yaml", "export")).unwrap();
    assert_eq!(
        now(workspace.room()),
        Ok(Room {
            designs: text.len() + "language".len(),
            backups: "backup".len(),
            histories: history.len(),
            exports: "export".len(),
            versions: 0,
        })
    );
}

#[test]
fn freeing_keeps_designs_backups_and_the_history_of_the_open_design() {
    let workspace = Workspace::new(Memory::default());
    let (document, history) = edited();
    save_with_history(&workspace, 0, document.design(), Some(&history)).unwrap();
    now(workspace.keep_backup(1, "backup".into()));
    now(workspace.save(SaveRequest {
        key: 2,
        base: 0,
        name: "Other",
        text: &persist::to_json(document.design()),
        own: None,
        history: Some(&history),
        change: None,
        now: 0.0,
    }))
    .unwrap();
    now(workspace.remember(1, "a.yaml", "export")).unwrap();

    now(workspace.free(Some(1))).unwrap();
    let room = now(workspace.room()).unwrap();
    assert_eq!((room.histories, room.exports), (history.len(), 0));
    assert_eq!(room.backups, "backup".len());
    assert!(undo_label(&workspace).is_some());

    now(workspace.free(None)).unwrap();
    assert_eq!(now(workspace.room()).unwrap().histories, 0);
    assert_eq!(load(&workspace, 1).0, *document.design());
    assert_eq!(undo_label(&workspace), None);
}

#[test]
fn sizes_have_units() {
    let texts = [0, 1023, 1024, 350_000, 1_048_576, 12_900_000].map(size_text);
    assert_eq!(
        texts,
        ["0 B", "1023 B", "1 KB", "342 KB", "1.0 MB", "12.3 MB"]
    );
}
