//! The next visit recovers the changes of a closed page.

use super::memory::{Local, Memory, now};
use super::{load, names, save};
use crate::commands::saas;
use keyfold_app::workspace::{
    Change, Journal, JournalOutcome, Kept, MAX_BYTES, Merge, NewVersion, SaveRequest, Saving,
    Storage, Workspace, Written,
};
use keyfold_app::{MergedTabs, merge_tabs, text};
use keyfold_compare::Side;
use keyfold_core::model::{Design, Note, NoteId};
use keyfold_core::persist;

fn journal(design: &Design, base: u32) -> Journal {
    Journal {
        base,
        name: design.name.clone(),
        text: persist::to_json(design),
        base_text: None,
        at: None,
        change: None,
        own: None,
        base_own: None,
        saving: None,
        history: None,
    }
}

const VISIT: u64 = 77;

/// A journal of a visit, which changed `base` to `design`.
fn of_visit(design: &Design, number: u64, base: (u32, &Design)) -> Journal {
    Journal {
        base_text: Some(persist::to_json(base.1)),
        change: Some(Change {
            visit: VISIT,
            number,
        }),
        ..journal(design, base.0)
    }
}

/// Saves a design as a change of the visit.
fn save_change(workspace: &Workspace<Memory>, base: u32, design: &Design, number: u64) {
    let saved = now(workspace.save(SaveRequest {
        key: 1,
        base,
        name: &design.name,
        text: &persist::to_json(design),
        own: None,
        history: None,
        change: Some(Change {
            visit: VISIT,
            number,
        }),
        now: 1.0,
    }));
    assert_eq!(saved, Ok(base + 1));
}

fn recover(workspace: &Workspace<Memory>, journal: &Journal) -> JournalOutcome {
    now(journal.recover(workspace, 1, 5.0, &Tabs))
}

/// What merges in the page.
struct Tabs;

impl Merge for Tabs {
    async fn merge(
        &self,
        base: &Design,
        ours: &Design,
        theirs: &Design,
        later: Side,
    ) -> Option<MergedTabs> {
        Some(merge_tabs(base, ours, theirs, later))
    }

    async fn join(
        &self,
        base: Written<'_>,
        ours: Written<'_>,
        theirs: Written<'_>,
        merged: &MergedTabs,
    ) -> Option<String> {
        let read = |written: Written| {
            text::restored(
                written.own?,
                written.design,
                &persist::to_json(written.design),
            )
        };
        let mut ours = read(ours)?;
        ours.design = merged.moved.renumbered(&ours.design);
        let merged = &merged.design;
        let joined = match (read(base), read(theirs)) {
            (Some(base), Some(theirs)) => text::joined(&base, &ours, &theirs, merged),
            _ => None,
        };
        let joined = joined
            .or_else(|| text::follow(&ours, merged))
            .unwrap_or(ours);
        Some(text::stored(&joined, merged, &persist::to_json(merged)))
    }
}

/// The design of a text, its file text and what is stored of the text.
fn written(source: &str) -> (Design, String, String) {
    let read = text::opened(source).unwrap();
    let file = persist::to_json(&read.design);
    let own = text::stored(&read, &read.design, &file);
    (read.design, file, own)
}

/// Saves a design with its text, without a change of a visit.
fn save_own(workspace: &Workspace<Memory>, base: u32, (design, own): (&Design, &str), at: f64) {
    let saved = now(workspace.save(SaveRequest {
        key: 1,
        base,
        name: &design.name,
        text: &persist::to_json(design),
        own: Some(own),
        history: None,
        change: None,
        now: at,
    }));
    assert_eq!(saved, Ok(base + 1));
}

fn own_text(workspace: &Workspace<Memory>) -> String {
    now(workspace.design_text(1)).unwrap_or_default()
}

/// The key of the copy that a journal became.
fn copied(outcome: JournalOutcome) -> u64 {
    match outcome {
        JournalOutcome::Copied(key) => key,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_journal_round_trips_through_local_storage() {
    let local = Local::default();
    let journal = journal(&saas(), 3);
    journal.write(&local, 7).unwrap();
    local.set("keyfold:journal:8", "half a te").unwrap();
    local.set("keyfold:desk", "{}").unwrap();
    local.set("keyfold:journal:x", "{}").unwrap();
    let (journals, unreadable) = Journal::all(&local);
    assert_eq!(journals, [(7, journal)]);
    let unreadable = unreadable.iter().map(|one| (&*one.item, &*one.text));
    assert_eq!(
        unreadable.collect::<Vec<_>>(),
        [
            ("keyfold:journal:8", "half a te"),
            ("keyfold:journal:x", "{}")
        ]
    );
    Journal::remove(&local, 7, None);
    assert_eq!(Journal::all(&local).0, []);
    assert!(local.get("keyfold:journal:8").is_some());
}

#[test]
fn a_journal_whose_design_cannot_be_read_changes_nothing() {
    let newer = persist::to_json(&saas()).replacen("\"keyfold\": ", "\"keyfold\": 9", 1);
    for text in ["", "{ not json", "{\"keyfold\": 1", &newer] {
        for base in 0..3 {
            let workspace = Workspace::new(Memory::default());
            save(&workspace, 1, 0, &saas()).unwrap();
            let mut last = of_visit(&saas(), 1, (base, &saas()));
            last.text = text.to_owned();
            for journal in [
                &last,
                &Journal {
                    change: None,
                    ..last.clone()
                },
            ] {
                let outcome = recover(&workspace, journal);
                assert!(
                    matches!(outcome, JournalOutcome::Unreadable(_)),
                    "{outcome:?}"
                );
                assert_eq!(load(&workspace, 1), (saas(), 1));
                assert_eq!(names(&workspace).len(), 1);
            }
        }
    }
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
    let copy = copied(recover(&workspace, &journal(&saas(), 1)));
    assert_eq!(load(&workspace, 1).0, Design::new("Elsewhere"));
    assert_eq!(load(&workspace, copy), (saas(), 1));
    // Two tabs that recover it make one copy.
    assert_eq!(copied(recover(&workspace, &journal(&saas(), 1))), copy);
    assert_eq!(load(&workspace, copy), (saas(), 1));

    let workspace = Workspace::new(Memory::default());
    copied(recover(&workspace, &journal(&saas(), 4)));
    assert_eq!(names(&workspace), [saas().name.as_str()]);
}

#[test]
fn the_text_of_a_design_comes_along() {
    let written = text::opened("table shop (PK, SK)\n// a comment\n").unwrap();
    let file = persist::to_json(&written.design);
    for base in [2, 1] {
        let workspace = Workspace::new(Memory::default());
        save(&workspace, 1, 0, &Design::new("First")).unwrap();
        save(&workspace, 1, 1, &Design::new("Elsewhere")).unwrap();
        let mut last = journal(&written.design, base);
        last.own = Some(text::stored(&written, &written.design, &file));
        let outcome = recover(&workspace, &last);
        let key = match outcome {
            JournalOutcome::Stored(3) => 1,
            outcome => copied(outcome),
        };
        assert_eq!(key == 1, base == 2);
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
    let [first, sent] = ["First", "Sent"].map(Design::new);
    let workspace = Workspace::new(Memory::default());
    save(&workspace, 1, 0, &first).unwrap();
    save_change(&workspace, 1, &sent, 4);
    let mut last = of_visit(&saas(), 5, (1, &first));
    last.saving = Some(Saving {
        number: 4,
        text: Some(persist::to_json(&sent)),
    });
    assert_eq!(recover(&workspace, &last), JournalOutcome::Stored(3));
    assert_eq!(load(&workspace, 1), (saas(), 3));
    // Another tab recovers it, too.
    assert_eq!(recover(&workspace, &last), JournalOutcome::Stored(3));

    // It was not saved.
    let workspace = Workspace::new(Memory::default());
    save(&workspace, 1, 0, &first).unwrap();
    assert_eq!(recover(&workspace, &last), JournalOutcome::Stored(2));
    assert_eq!(load(&workspace, 1), (saas(), 2));
}

#[test]
fn what_another_tab_saved_meanwhile_is_merged() {
    let workspace = Workspace::new(Memory::default());
    let first = saas();
    save(&workspace, 1, 0, &first).unwrap();
    let mut elsewhere = first.clone();
    elsewhere.description = "of another tab".into();
    save(&workspace, 1, 1, &elsewhere).unwrap();
    let mut renamed = first.clone();
    renamed.name = "Renamed".into();
    let last = of_visit(&renamed, 1, (1, &first));
    assert_eq!(recover(&workspace, &last), JournalOutcome::Merged(3));
    let (stored, version) = load(&workspace, 1);
    assert_eq!((stored.name.as_str(), version), ("Renamed", 3));
    assert_eq!(stored.description, "of another tab");
    assert_eq!(names(&workspace), ["Renamed"]);
    assert_eq!(recover(&workspace, &last), JournalOutcome::Stored(3));
}

/// The other tab still shows what it saved.
#[test]
fn what_another_tab_saved_keeps_its_ids_in_a_merge() {
    let workspace = Workspace::new(Memory::default());
    let with_note = |design: &Design, text: &str| {
        let mut noted = design.clone();
        let id = NoteId(noted.take_id());
        noted.notes.insert(id, Note::new(text).into());
        (noted, id)
    };
    let first = saas();
    save(&workspace, 1, 0, &first).unwrap();
    let (elsewhere, stored) = with_note(&first, "of another tab");
    save(&workspace, 1, 1, &elsewhere).unwrap();
    let (noted, own) = with_note(&first, "of the closed tab");
    assert_eq!(own, stored);
    let last = of_visit(&noted, 1, (1, &first));
    assert_eq!(recover(&workspace, &last), JournalOutcome::Merged(3));
    let (merged, _) = load(&workspace, 1);
    assert_eq!(merged.notes[&stored].text, "of another tab");
    let texts: Vec<&str> = merged.notes.values().map(|note| &*note.text).collect();
    assert!(texts.contains(&"of the closed tab"), "{texts:?}");
}

#[test]
fn what_was_saved_and_undone_since_does_not_come_back() {
    let workspace = Workspace::new(Memory::default());
    let first = saas();
    save(&workspace, 1, 0, &first).unwrap();
    let mut noted = first.clone();
    let id = NoteId(first.next_id);
    noted.next_id += 1;
    noted.notes.insert(id, Note::new("a note").into());
    save_change(&workspace, 1, &noted, 4);
    // Another tab undoes it.
    let mut undone = first.clone();
    undone.next_id = noted.next_id;
    save(&workspace, 1, 2, &undone).unwrap();
    let all_saved = of_visit(&noted, 4, (1, &first));
    assert_eq!(recover(&workspace, &all_saved), JournalOutcome::Stored(3));
    assert_eq!(load(&workspace, 1), (undone.clone(), 3));

    // A later change of the visit was not saved.
    let mut renamed = noted.clone();
    renamed.name = "Renamed".into();
    let mut last = of_visit(&renamed, 5, (1, &first));
    last.saving = Some(Saving {
        number: 4,
        text: Some(persist::to_json(&noted)),
    });
    assert_eq!(recover(&workspace, &last), JournalOutcome::Merged(4));
    let (stored, _) = load(&workspace, 1);
    assert_eq!(stored.name, "Renamed");
    assert!(stored.notes.is_empty());
}

#[test]
fn two_visits_leave_two_journals() {
    let local = Local::default();
    let first = of_visit(&saas(), 1, (1, &saas()));
    let mut second = first.clone();
    second.change = Some(Change {
        visit: 78,
        number: 1,
    });
    first.write(&local, 7).unwrap();
    second.write(&local, 7).unwrap();
    assert_eq!(Journal::all(&local).0.len(), 2);
    Journal::remove(&local, 7, Some(78));
    assert_eq!(Journal::all(&local), (vec![(7, first)], vec![]));
}

#[test]
fn the_changes_of_the_last_visits_are_known() {
    let workspace = Workspace::new(Memory::default());
    let design = saas();
    for visit in 0..20 {
        let number = 3;
        now(workspace.save(SaveRequest {
            key: 1,
            base: visit as u32,
            name: &design.name,
            text: &persist::to_json(&design),
            own: None,
            history: None,
            change: Some(Change { visit, number }),
            now: 1.0,
        }))
        .unwrap();
    }
    let entry = now(workspace.entry(1)).unwrap().unwrap();
    let has = |visit, number| entry.has(Change { visit, number });
    assert!(has(19, 3) && has(19, 2) && !has(19, 4));
    assert!(has(4, 3) && !has(3, 3));
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

#[test]
fn a_comment_after_a_save_under_way_is_kept() {
    let (design, _, own) = written("table shop (PK, SK)\n");
    let (_, _, later) = written("table shop (PK, SK)\n// later\n");
    let workspace = Workspace::new(Memory::default());
    save_own(&workspace, 0, (&design, &own), 1.0);
    save_change(&workspace, 1, &design, 4);
    let mut last = of_visit(&design, 5, (1, &design));
    last.own = Some(later.clone());
    last.saving = Some(Saving {
        number: 4,
        text: None,
    });
    assert_eq!(recover(&workspace, &last), JournalOutcome::Stored(3));
    assert_eq!(own_text(&workspace), later);
    assert_eq!(recover(&workspace, &last), JournalOutcome::Stored(3));
}

#[test]
fn the_text_of_a_merged_journal_comes_along() {
    let source = "table shop (PK, SK)\n\nentity Order\n  id\n  PK = \"O#{id}\"\n  SK = \"O\"\n";
    let (design, _, own) = written(source);
    for is_changed in [false, true] {
        let workspace = Workspace::new(Memory::default());
        save_own(&workspace, 0, (&design, &own), 1.0);
        let mut theirs = design.clone();
        if is_changed {
            theirs.description = "of another tab".into();
        }
        let top = text::opened(&format!("// theirs\n{source}")).unwrap();
        let top = text::stored(&top, &design, &persist::to_json(&design));
        save_own(&workspace, 1, (&theirs, &top), 2.0);
        let end = text::opened(&format!("{source}// ours\n")).unwrap();
        let mut last = of_visit(&design, 1, (1, &design));
        last.base_own = Some(own.clone());
        last.own = Some(text::stored(&end, &design, &persist::to_json(&design)));
        let outcome = match is_changed {
            true => JournalOutcome::Merged(3),
            false => JournalOutcome::Stored(3),
        };
        assert_eq!(recover(&workspace, &last), outcome);
        let stored = own_text(&workspace);
        assert!(
            stored.contains("// theirs") && stored.contains("// ours"),
            "{stored}"
        );
        let (stored, _) = load(&workspace, 1);
        assert_eq!(stored.description, theirs.description);
    }
}

#[test]
fn an_older_journal_does_not_win_over_newer_work() {
    let [first, ours, theirs] = ["First", "Ours", "Theirs"].map(|name| Design {
        name: name.to_owned(),
        ..saas()
    });
    for (at, name, kept) in [
        (Some(500), "Theirs", "Ours"),
        (Some(2000), "Ours", "Theirs"),
        (None, "Ours", "Theirs"),
    ] {
        let workspace = Workspace::new(Memory::default());
        save(&workspace, 1, 0, &first).unwrap();
        save_own(&workspace, 1, (&theirs, ""), 1000.0);
        let mut last = of_visit(&ours, 1, (1, &first));
        last.at = at;
        assert_eq!(recover(&workspace, &last), JournalOutcome::Chosen(3));
        assert_eq!(load(&workspace, 1).0.name, name);
        let versions = now(workspace.versions(1)).unwrap();
        let texts = versions.iter().map(|version| {
            let text = now(workspace.version_text(1, version.number))
                .unwrap()
                .unwrap();
            persist::from_json(&text).unwrap().name
        });
        assert_eq!(texts.collect::<Vec<_>>(), [kept]);
    }
}

#[test]
fn a_journal_that_is_saved_needs_not_be_read() {
    let workspace = Workspace::new(Memory::default());
    save(&workspace, 1, 0, &saas()).unwrap();
    save_change(&workspace, 1, &saas(), 4);
    let mut last = of_visit(&saas(), 4, (1, &saas()));
    last.text = "{".into();
    assert_eq!(recover(&workspace, &last), JournalOutcome::Stored(2));
}

#[test]
fn a_journal_that_was_written_again_is_not_removed() {
    let local = Local::default();
    let read = of_visit(&saas(), 1, (1, &saas()));
    let later = of_visit(&saas(), 2, (1, &saas()));
    later.write(&local, 1).unwrap();
    read.remove_read(&local, 1);
    assert_eq!(Journal::all(&local).0, [(1, later.clone())]);
    later.remove_read(&local, 1);
    assert_eq!(Journal::all(&local).0, []);
}

/// Local storage with room for texts of this length.
struct Small(usize, Local);

impl Storage for Small {
    fn get(&self, key: &str) -> Option<String> {
        self.1.get(key)
    }

    fn set(&self, key: &str, text: &str) -> Result<(), String> {
        match text.len() <= self.0 {
            true => self.1.set(key, text),
            false => Err("full".into()),
        }
    }

    fn remove(&self, key: &str) {
        self.1.remove(key);
    }

    fn keys(&self) -> Vec<String> {
        self.1.keys()
    }
}

#[test]
fn without_room_a_journal_loses_the_texts_that_are_needed_least() {
    let mut journal = of_visit(&saas(), 1, (1, &saas()));
    journal.history = Some("history".into());
    journal.own = Some("own".into());
    journal.base_own = Some("own of the base".into());
    journal.saving = Some(Saving {
        number: 1,
        text: None,
    });
    let less: [fn(&mut Journal); 5] = [
        |_| (),
        |journal| journal.history = None,
        |journal| journal.base_own = None,
        |journal| journal.own = None,
        |journal| (journal.base_text, journal.saving) = (None, None),
    ];
    let full = journal.clone();
    for less in less {
        less(&mut journal);
        let room = serde_json::to_string(&journal).unwrap().len();
        let small = Small(room, Local::default());
        full.write(&small, 1).unwrap();
        assert_eq!(Journal::all(&small).0, [(1, journal.clone())]);
    }
    let room = serde_json::to_string(&journal).unwrap().len() - 1;
    assert!(full.write(&Small(room, Local::default()), 1).is_err());
}

#[test]
fn of_two_journals_the_later_change_wins() {
    let [first, older, newer] = ["First", "Older", "Newer"].map(|name| Design {
        name: name.to_owned(),
        ..saas()
    });
    // The older one comes first or last by its key.
    for visits in [(1, 2), (2, 1)] {
        let (workspace, local) = (Workspace::new(Memory::default()), Local::default());
        save_own(&workspace, 0, (&first, ""), 100.0);
        for (design, visit, at) in [(&older, visits.0, 200), (&newer, visits.1, 300)] {
            let number = 1;
            let journal = Journal {
                at: Some(at),
                change: Some(Change { visit, number }),
                ..of_visit(design, number, (1, &first))
            };
            journal.write(&local, 1).unwrap();
        }
        let (journals, _) = Journal::all(&local);
        let outcomes = journals.iter().map(|(key, journal)| {
            let outcome = now(journal.recover(&workspace, *key, 1000.0, &Tabs));
            (outcome, now(workspace.entry(1)).unwrap().unwrap().saved)
        });
        assert_eq!(
            outcomes.collect::<Vec<_>>(),
            [
                (JournalOutcome::Stored(2), 200.0),
                (JournalOutcome::Chosen(3), 300.0)
            ]
        );
        assert_eq!(load(&workspace, 1).0.name, "Newer");
    }
}

#[test]
fn a_recovered_journal_does_not_count_as_changed_when_it_was_recovered() {
    let [first, kept, later] = ["First", "Kept", "Later"].map(|name| Design {
        name: name.to_owned(),
        ..saas()
    });
    let workspace = Workspace::new(Memory::default());
    save_own(&workspace, 0, (&first, ""), 100.0);
    let mut journal = of_visit(&kept, 1, (1, &first));
    journal.at = Some(200);
    now(journal.recover(&workspace, 1, 1000.0, &Tabs));
    // Another visit changed the design at 300, which is known later.
    let mut other = of_visit(&later, 2, (1, &first));
    other.at = Some(300);
    let outcome = now(other.recover(&workspace, 1, 1001.0, &Tabs));
    assert_eq!(outcome, JournalOutcome::Chosen(3));
    assert_eq!(load(&workspace, 1).0.name, "Later");
    // What is older does not make the stored design older.
    journal.change = Some(Change {
        visit: 5,
        number: 1,
    });
    now(journal.recover(&workspace, 1, 1002.0, &Tabs));
    assert_eq!(now(workspace.entry(1)).unwrap().unwrap().saved, 300.0);
    assert_eq!(load(&workspace, 1).0.name, "Later");
}

/// A stored design, "Theirs", that was saved at 1000, and a journal of "Ours" of this time. Both changed the name.
fn conflict(memory: &Memory, at: u64) -> (Workspace<Memory>, Journal) {
    let [first, ours, theirs] = ["First", "Ours", "Theirs"].map(|name| Design {
        name: name.to_owned(),
        ..saas()
    });
    let workspace = Workspace::new(memory.clone());
    save(&workspace, 1, 0, &first).unwrap();
    save_own(&workspace, 1, (&theirs, ""), 1000.0);
    let mut last = of_visit(&ours, 1, (1, &first));
    last.at = Some(at);
    (workspace, last)
}

#[test]
fn a_side_that_cannot_be_kept_as_a_version_becomes_a_design() {
    for at in [500, 2000] {
        let (workspace, last) = conflict(&Memory::default(), at);
        let large = "x".repeat(MAX_BYTES);
        let version = NewVersion {
            text: &large,
            at: 1.0,
            name: "named",
        };
        assert_eq!(now(workspace.keep_version(1, version)), Ok(Kept::New));
        let copy = copied(recover(&workspace, &last));
        assert_eq!(load(&workspace, 1).0.name, "Theirs");
        assert_eq!(load(&workspace, copy).0.name, "Ours");
    }
}

#[test]
fn a_side_that_is_kept_as_a_version_is_not_deleted_to_make_room() {
    for at in [500, 2000] {
        let memory = Memory::default();
        let (workspace, last) = conflict(&memory, at);
        // There is room for one more text and its list of versions, not for a history.
        memory.limit_to(memory.used() + last.text.len() + 400);
        let outcome = recover(&workspace, &last);
        let versions = now(workspace.versions(1)).unwrap();
        assert_eq!(versions.len(), 1, "{outcome:?}");
        assert!(matches!(
            outcome,
            JournalOutcome::Chosen(3) | JournalOutcome::Kept
        ));
    }
}

/// A page in which the language does not load.
struct WithoutLanguage;

impl Merge for WithoutLanguage {
    async fn merge(
        &self,
        base: &Design,
        ours: &Design,
        theirs: &Design,
        later: Side,
    ) -> Option<MergedTabs> {
        Tabs.merge(base, ours, theirs, later).await
    }

    async fn join(
        &self,
        _: Written<'_>,
        _: Written<'_>,
        _: Written<'_>,
        _: &MergedTabs,
    ) -> Option<String> {
        None
    }
}

#[test]
fn without_the_language_a_journal_with_a_text_stays() {
    let (design, _, own) = written("table shop (PK, SK)\n// ours\n");
    let workspace = Workspace::new(Memory::default());
    save(&workspace, 1, 0, &design).unwrap();
    let mut theirs = design.clone();
    theirs.description = "of another tab".into();
    save(&workspace, 1, 1, &theirs).unwrap();
    let mut last = of_visit(&design, 1, (1, &design));
    last.own = Some(own);
    let outcome = now(last.recover(&workspace, 1, 5.0, &WithoutLanguage));
    assert_eq!(outcome, JournalOutcome::Kept);
    assert_eq!(load(&workspace, 1), (theirs, 2));
    assert_eq!(recover(&workspace, &last), JournalOutcome::Merged(3));
    assert!(own_text(&workspace).contains("// ours"));
}

#[test]
fn comments_of_another_tab_after_a_save_of_this_visit_stay() {
    let source = "table shop (PK, SK)\n\nentity Order\n  id\n  PK = \"O#{id}\"\n  SK = \"O\"\n";
    let (design, _, own) = written(source);
    let stored = |source: &str| {
        let text = text::opened(source).unwrap();
        text::stored(&text, &design, &persist::to_json(&design))
    };
    let workspace = Workspace::new(Memory::default());
    save_own(&workspace, 0, (&design, &own), 1.0);
    save_change(&workspace, 1, &design, 4);
    let theirs = stored(&format!("// theirs\n{source}"));
    save_own(&workspace, 2, (&design, &theirs), 2.0);
    let mut last = of_visit(&design, 5, (1, &design));
    last.base_own = Some(own.clone());
    last.own = Some(stored(&format!("{source}// ours\n")));
    last.saving = Some(Saving {
        number: 4,
        text: None,
    });
    assert_eq!(recover(&workspace, &last), JournalOutcome::Stored(4));
    let stored = own_text(&workspace);
    assert!(
        stored.contains("// theirs") && stored.contains("// ours"),
        "{stored}"
    );
}
