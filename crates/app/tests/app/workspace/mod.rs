//! The workspace: versions, backups, exports, the journal, and the migration of earlier designs.

mod exports;
mod folders;
mod journal;
mod memory;
mod moving;
mod room;
mod tabs;
mod versions;

use self::memory::{Memory, now};
use crate::commands::saas;
use keyfold_app::workspace::{
    Broken, Cut, DesignKey, Loaded, ObjectStore, SaveError, SaveRequest, StorageError, Workspace,
};
use keyfold_app::{Command, Document, stored_history};
use keyfold_core::model::Design;
use keyfold_core::persist;

/// Saves a design over version `base`.
fn save(
    workspace: &Workspace<Memory>,
    key: DesignKey,
    base: u32,
    design: &Design,
) -> Result<u32, SaveError> {
    save_with_text(workspace, key, base, design, None)
}

/// As [`save`], with the text of the design in the language.
fn save_with_text(
    workspace: &Workspace<Memory>,
    key: DesignKey,
    base: u32,
    design: &Design,
    own: Option<&str>,
) -> Result<u32, SaveError> {
    now(workspace.save(SaveRequest {
        key,
        base,
        name: &design.name,
        text: &persist::to_json(design),
        own,
        history: None,
        change: None,
        now: key as f64,
    }))
}

/// The stored design with its version.
fn load(workspace: &Workspace<Memory>, key: DesignKey) -> (Design, u32) {
    match now(workspace.load(key)) {
        Ok(Loaded::Design(loaded)) => (loaded.design, loaded.version),
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
fn designs_are_listed_in_creation_order() {
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
fn saving_over_another_version_is_refused() {
    let workspace = Workspace::new(Memory::default());
    let ours = Design::new("Ours");
    let theirs = Design::new("Theirs");
    assert_eq!(save(&workspace, 1, 0, &saas()), Ok(1));
    assert_eq!(save(&workspace, 1, 1, &theirs), Ok(2));
    assert_eq!(save(&workspace, 1, 1, &ours), Err(SaveError::Changed));
    assert_eq!(save(&workspace, 1, 0, &ours), Err(SaveError::Changed));
    assert_eq!(load(&workspace, 1), (theirs.clone(), 2));
    // Saving the same text again is no conflict.
    assert_eq!(save(&workspace, 1, 1, &theirs), Ok(2));
}

#[test]
fn a_deleted_design_stays_deleted_until_restored() {
    let workspace = Workspace::new(Memory::default());
    save(&workspace, 1, 0, &saas()).unwrap();
    now(workspace.keep_backup(1, "backup".into()));
    now(workspace.remember(1, "iam", "policy")).unwrap();
    let deleted = now(workspace.delete(1)).unwrap().expect("it existed");
    assert_eq!(names(&workspace), [""; 0]);
    assert_eq!(save(&workspace, 1, 1, &saas()), Err(SaveError::Deleted));
    now(workspace.keep_backup(1, "late".into()));
    now(workspace.remember(1, "iam", "late")).unwrap();
    assert_eq!(now(workspace.delete(1)), Ok(None));

    assert_eq!(now(workspace.restore(&deleted)), Ok(2));
    assert_eq!(load(&workspace, 1), (saas(), 2));
    let exports = now(workspace.exports(1)).unwrap();
    assert_eq!(exports.get("iam").map(String::as_str), Some("policy"));
}

#[test]
fn the_text_of_a_design_is_stored_deleted_and_restored_with_it() {
    let workspace = Workspace::new(Memory::default());
    let save_text = |base, text| save_with_text(&workspace, 1, base, &saas(), Some(text));
    assert_eq!(save_text(1, "text"), Err(SaveError::Deleted));
    assert_eq!(
        now(workspace.design_text(1)),
        None,
        "there is no such design"
    );
    assert_eq!(save_text(0, "text"), Ok(1));
    // Another tab may have saved the same; another comment is another text of the same design.
    assert_eq!(save_text(0, "text"), Ok(1));
    assert_eq!(save_text(0, "// another text"), Err(SaveError::Changed));
    assert_eq!(now(workspace.design_text(1)).as_deref(), Some("text"));
    assert_eq!(
        names(&workspace).len(),
        1,
        "the text is no design of its own"
    );
    let deleted = now(workspace.delete(1)).unwrap().expect("it existed");
    assert_eq!(now(workspace.design_text(1)), None);
    now(workspace.restore(&deleted)).unwrap();
    assert_eq!(now(workspace.design_text(1)).as_deref(), Some("text"));
    assert_eq!(load(&workspace, 1).0, saas());
}

/// A design with one step that can be undone, and its stored history.
fn edited() -> (Document, String) {
    let mut document = Document::new(saas());
    let rename = Command::RenameDesign("Renamed".into());
    document.run(rename, 0.0).unwrap();
    let text = persist::to_json(document.design());
    let history = stored_history::to_text(&document, &text, stored_history::MAX_BYTES);
    (document, history)
}

fn save_with_history(
    workspace: &Workspace<Memory>,
    base: u32,
    design: &Design,
    history: Option<&str>,
) -> Result<u32, SaveError> {
    now(workspace.save(SaveRequest {
        key: 1,
        base,
        name: &design.name,
        text: &persist::to_json(design),
        own: None,
        history,
        change: None,
        now: 0.0,
    }))
}

/// The label of the step that can be undone after loading.
fn undo_label(workspace: &Workspace<Memory>) -> Option<String> {
    let Ok(Loaded::Design(loaded)) = now(workspace.load(1)) else {
        panic!("the design is there");
    };
    let history = loaded.history.unwrap_or_default();
    let document = stored_history::from_text(loaded.design, &loaded.text, &history);
    document.undo_label().map(str::to_owned)
}

#[test]
fn the_history_is_stored_deleted_and_restored_with_the_design() {
    let workspace = Workspace::new(Memory::default());
    let (document, history) = edited();
    save_with_history(&workspace, 0, document.design(), Some(&history)).unwrap();
    assert_eq!(names(&workspace).len(), 1);
    assert_eq!(undo_label(&workspace).as_deref(), Some("rename design"));
    let deleted = now(workspace.delete(1)).unwrap().expect("it existed");
    save_with_history(&workspace, 0, document.design(), None).unwrap();
    assert_eq!(undo_label(&workspace), None, "it is deleted");
    now(workspace.delete(1)).unwrap();
    now(workspace.restore(&deleted)).unwrap();
    assert_eq!(undo_label(&workspace).as_deref(), Some("rename design"));
}

#[test]
fn a_version_of_keyfold_that_stores_no_history_leaves_none_that_does_not_fit() {
    let memory = Memory::default();
    let workspace = Workspace::new(memory.clone());
    let (document, history) = edited();
    save_with_history(&workspace, 0, document.design(), Some(&history)).unwrap();
    memory.put(ObjectStore::Designs, "1", &persist::to_json(&saas()));
    assert_eq!(undo_label(&workspace), None);
}

#[test]
fn without_room_the_design_is_saved_without_its_history() {
    let memory = Memory::default();
    let workspace = Workspace::new(memory.clone());
    let (document, history) = edited();
    save_with_history(&workspace, 0, document.design(), Some(&history)).unwrap();
    memory.limit_to(memory.used());
    let long = format!("{history}{}", " ".repeat(5000));
    let saved = save_with_history(&workspace, 1, &saas(), Some(&long));
    assert_eq!(saved, Ok(2));
    assert_eq!(load(&workspace, 1), (saas(), 2));
    assert_eq!(undo_label(&workspace), None);
}

#[test]
fn without_room_the_history_goes_before_the_text() {
    let memory = Memory::default();
    let workspace = Workspace::new(memory.clone());
    save(&workspace, 1, 0, &saas()).unwrap();
    let (file, long) = (persist::to_json(&saas()), " ".repeat(5000));
    let request = |base| SaveRequest {
        key: 1,
        base,
        name: "Full",
        text: &file,
        own: Some("// a comment"),
        history: Some(&long),
        change: None,
        now: 0.0,
    };
    memory.limit_to(memory.used() + 1000);
    let (saved, cut) = now(workspace.save_with_room(request(1)));
    assert_eq!((saved, cut), (Ok(2), Cut::default()));
    let own = now(workspace.design_text(1));
    assert_eq!(own.as_deref(), Some("// a comment"));
    // Without room for the text, this is said.
    let (own, history) = (Some(&*long), None);
    let larger = SaveRequest {
        own,
        history,
        ..request(2)
    };
    let (saved, cut) = now(workspace.save_with_room(larger));
    assert_eq!((saved, cut.is_without_text), (Ok(3), true));
}

#[test]
fn a_full_storage_deletes_backups_and_keeps_the_last_good_copy() {
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
        "deleting the backup frees space"
    );

    memory.limit_to(memory.used());
    let mut huge = larger.clone();
    huge.description = "x".repeat(50_000);
    let failed = Err(SaveError::Failed(StorageError::Full));
    assert_eq!(save(&workspace, 1, 2, &huge), failed);
    assert_eq!(load(&workspace, 1), (larger, 2));
}

#[test]
fn an_unreadable_design_is_kept_and_its_backup_offered_once() {
    let memory = Memory::default();
    let workspace = Workspace::new(memory.clone());
    save(&workspace, 1, 0, &saas()).unwrap();
    now(workspace.keep_backup(1, persist::to_json(&saas())));
    memory.put(ObjectStore::Designs, "1", "{ not json");

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
    assert_eq!(
        broken(&workspace, 1).recovered_as,
        None,
        "the copy was removed"
    );
}

#[test]
fn a_design_without_a_valid_entry_is_listed_and_loads() {
    let memory = Memory::default();
    let workspace = Workspace::new(memory.clone());
    save(&workspace, 1, 0, &saas()).unwrap();
    save(&workspace, 2, 0, &saas()).unwrap();
    memory.put(ObjectStore::Entries, "1", "[]");
    memory.remove(ObjectStore::Entries, "2");
    assert_eq!(names(&workspace), ["Design 1", "Design 2"]);
    assert_eq!(load(&workspace, 1), (saas(), 1));
    let versions = [1, 2, 3].map(|key| now(workspace.version(key)));
    assert_eq!(versions, [Ok(Some(1)), Ok(Some(1)), Ok(None)]);
    assert_eq!(save(&workspace, 1, 1, &saas()), Ok(2));
    assert_eq!(names(&workspace), [saas().name.as_str(), "Design 2"]);
}
