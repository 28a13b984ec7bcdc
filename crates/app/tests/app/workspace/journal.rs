//! What a closed page leaves behind is stored by the next visit.

use super::memory::{Local, Memory, now};
use super::{load, names, save};
use crate::app::saas;
use keyfold_app::workspace::{Adopted, Journal, Storage, Workspace, hash};
use keyfold_core::model::Design;
use keyfold_core::persist;

fn journal(design: &Design, base: u32) -> Journal {
    Journal {
        base,
        name: design.name.clone(),
        text: persist::to_json(design),
        sent: None,
        history: None,
    }
}

fn adopt(workspace: &Workspace<Memory>, journal: &Journal) -> Adopted {
    now(journal.adopt(workspace, 1, 2, 5.0))
}

#[test]
fn a_journal_is_read_back_from_the_local_storage() {
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
fn a_change_that_was_not_stored_is() {
    let workspace = Workspace::new(Memory::default());
    save(&workspace, 1, 0, &Design::new("Before")).unwrap();
    let last = journal(&saas(), 1);
    assert_eq!(adopt(&workspace, &last), Adopted::Stored(2));
    assert_eq!(load(&workspace, 1), (saas(), 2));
    // It was stored after all, by the page that closed or by another tab.
    assert_eq!(adopt(&workspace, &last), Adopted::Stored(2));
}

#[test]
fn a_design_that_was_never_stored_is() {
    let workspace = Workspace::new(Memory::default());
    assert_eq!(adopt(&workspace, &journal(&saas(), 0)), Adopted::Stored(1));
    assert_eq!(load(&workspace, 1), (saas(), 1));
}

#[test]
fn what_was_changed_or_deleted_elsewhere_becomes_a_design_of_its_own() {
    let workspace = Workspace::new(Memory::default());
    save(&workspace, 1, 0, &Design::new("First")).unwrap();
    save(&workspace, 1, 1, &Design::new("Elsewhere")).unwrap();
    assert_eq!(adopt(&workspace, &journal(&saas(), 1)), Adopted::Copied(2));
    assert_eq!(load(&workspace, 1).0, Design::new("Elsewhere"));
    assert_eq!(load(&workspace, 2), (saas(), 1));

    let workspace = Workspace::new(Memory::default());
    assert_eq!(adopt(&workspace, &journal(&saas(), 4)), Adopted::Copied(2));
    assert_eq!(names(&workspace), [saas().name.as_str()]);
}

#[test]
fn a_save_that_was_under_way_when_the_page_closed_is_no_conflict() {
    let workspace = Workspace::new(Memory::default());
    save(&workspace, 1, 0, &Design::new("First")).unwrap();
    save(&workspace, 1, 1, &Design::new("Sent")).unwrap();
    let mut last = journal(&saas(), 1);
    last.sent = Some(hash(&persist::to_json(&Design::new("Sent"))));
    assert_eq!(adopt(&workspace, &last), Adopted::Stored(3));
    assert_eq!(load(&workspace, 1), (saas(), 3));

    let mut last = journal(&Design::new("Again"), 1);
    last.sent = Some(hash("another text"));
    assert_eq!(adopt(&workspace, &last), Adopted::Copied(2));
}

#[test]
fn what_has_no_room_stays_in_the_journal() {
    let memory = Memory::default();
    memory.limit_to(100);
    let workspace = Workspace::new(memory.clone());
    assert_eq!(adopt(&workspace, &journal(&saas(), 0)), Adopted::Kept);
    memory.limit_to(usize::MAX);
    memory.deny(true);
    assert_eq!(adopt(&workspace, &journal(&saas(), 0)), Adopted::Kept);
}
