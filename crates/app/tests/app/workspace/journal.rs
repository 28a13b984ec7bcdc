//! The next visit recovers the changes of a closed page.

use super::memory::{Local, Memory, now};
use super::{load, names, save};
use crate::commands::saas;
use keyfold_app::text;
use keyfold_app::workspace::{Journal, JournalOutcome, Storage, Workspace, hash};
use keyfold_core::model::Design;
use keyfold_core::persist;

fn journal(design: &Design, base: u32) -> Journal {
    Journal {
        base,
        name: design.name.clone(),
        text: persist::to_json(design),
        own: None,
        sent: None,
        history: None,
    }
}

fn recover(workspace: &Workspace<Memory>, journal: &Journal) -> JournalOutcome {
    now(journal.recover(workspace, 1, 2, 5.0))
}

#[test]
fn a_journal_round_trips_through_local_storage() {
    let local = Local::default();
    let journal = journal(&saas(), 3);
    journal.write(&local, 7).unwrap();
    local.set("keyfold:journal:8", "half a te").unwrap();
    local.set("keyfold:desk", "{}").unwrap();
    assert_eq!(Journal::all(&local), [(7, journal)]);
    Journal::remove(&local, 7);
    assert_eq!(Journal::all(&local), []);
    assert!(local.get("keyfold:journal:8").is_some());
}

#[test]
fn an_unsaved_change_is_recovered() {
    let workspace = Workspace::new(Memory::default());
    save(&workspace, 1, 0, &Design::new("Before")).unwrap();
    let last = journal(&saas(), 1);
    assert_eq!(recover(&workspace, &last), JournalOutcome::Stored(2));
    assert_eq!(load(&workspace, 1), (saas(), 2));
    // It was saved after all, by the closing page or by another tab.
    assert_eq!(recover(&workspace, &last), JournalOutcome::Stored(2));
}

#[test]
fn a_design_that_was_never_saved_is_recovered() {
    let workspace = Workspace::new(Memory::default());
    assert_eq!(
        recover(&workspace, &journal(&saas(), 0)),
        JournalOutcome::Stored(1)
    );
    assert_eq!(load(&workspace, 1), (saas(), 1));
}

#[test]
fn conflicting_journals_become_new_designs() {
    let workspace = Workspace::new(Memory::default());
    save(&workspace, 1, 0, &Design::new("First")).unwrap();
    save(&workspace, 1, 1, &Design::new("Elsewhere")).unwrap();
    assert_eq!(
        recover(&workspace, &journal(&saas(), 1)),
        JournalOutcome::Copied(2)
    );
    assert_eq!(load(&workspace, 1).0, Design::new("Elsewhere"));
    assert_eq!(load(&workspace, 2), (saas(), 1));

    let workspace = Workspace::new(Memory::default());
    assert_eq!(
        recover(&workspace, &journal(&saas(), 4)),
        JournalOutcome::Copied(2)
    );
    assert_eq!(names(&workspace), [saas().name.as_str()]);
}

#[test]
fn the_text_of_a_design_comes_along() {
    let written = text::opened("table shop (PK, SK)\n// a comment\n").unwrap();
    let file = persist::to_json(&written.design);
    for (base, key) in [(2, 1), (1, 2)] {
        let workspace = Workspace::new(Memory::default());
        save(&workspace, 1, 0, &Design::new("First")).unwrap();
        save(&workspace, 1, 1, &Design::new("Elsewhere")).unwrap();
        let mut last = journal(&written.design, base);
        last.own = Some(text::stored(&written, &written.design, &file));
        let outcome = recover(&workspace, &last);
        assert_ne!(outcome, JournalOutcome::Kept);
        let own = now(workspace.design_text(key)).unwrap();
        let restored = text::restored(&own, &written.design, &file).unwrap();
        assert_eq!(restored.text, written.text);
    }
}

#[test]
fn a_text_that_lags_behind_says_what_it_said() {
    let written = text::opened("table shop (PK, SK)\n// a comment\n").unwrap();
    let mut design = written.design.clone();
    design.name = "Another".into();
    let file = persist::to_json(&design);
    let own = text::stored(&written, &design, &file);
    let restored = text::restored(&own, &design, &file).unwrap();
    assert_eq!(restored.design.name, "shop");
    assert_eq!(restored.text, written.text);
}

#[test]
fn a_save_in_flight_at_close_is_no_conflict() {
    let workspace = Workspace::new(Memory::default());
    save(&workspace, 1, 0, &Design::new("First")).unwrap();
    save(&workspace, 1, 1, &Design::new("Sent")).unwrap();
    let mut last = journal(&saas(), 1);
    last.sent = Some(hash(&persist::to_json(&Design::new("Sent"))));
    assert_eq!(recover(&workspace, &last), JournalOutcome::Stored(3));
    assert_eq!(load(&workspace, 1), (saas(), 3));

    let mut last = journal(&Design::new("Again"), 1);
    last.sent = Some(hash("another text"));
    assert_eq!(recover(&workspace, &last), JournalOutcome::Copied(2));
}

#[test]
fn a_journal_stays_if_the_storage_is_full() {
    let memory = Memory::default();
    memory.limit_to(100);
    let workspace = Workspace::new(memory.clone());
    assert_eq!(
        recover(&workspace, &journal(&saas(), 0)),
        JournalOutcome::Kept
    );
    memory.limit_to(usize::MAX);
    memory.deny(true);
    assert_eq!(
        recover(&workspace, &journal(&saas(), 0)),
        JournalOutcome::Kept
    );
}
