//! Independent tabs save, delete and restore at random. A design that a tab saved is stored, unless it was deleted
//! or saved again from a tab that knew that version.

use super::memory::{Memory, now};
use super::{names, save};
use keyfold_app::workspace::{DesignKey, Loaded, SaveError, Workspace};
use keyfold_core::model::Design;
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::collections::BTreeMap;

#[derive(Debug, Clone)]
enum Step {
    /// A tab saves a new text of a design over the version that it knows.
    Save {
        tab: usize,
        key: DesignKey,
    },
    /// A tab loads a design.
    Load {
        tab: usize,
        key: DesignKey,
    },
    Delete {
        key: DesignKey,
    },
    /// The last deletion of a design is undone.
    Restore {
        key: DesignKey,
    },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let (tab, key) = (0..3_usize, 1..4_u64);
    let step = (tab, key, 0..10).prop_map(|(tab, key, kind)| match kind {
        0..5 => Step::Save { tab, key },
        5..8 => Step::Load { tab, key },
        8 => Step::Delete { key },
        _ => Step::Restore { key },
    });
    prop::collection::vec(step, 1..60)
}

proptest! {
    #![proptest_config(cases(200))]
    #[test]
    fn a_tab_never_overwrites_an_unknown_version(steps in steps()) {
        let memory = Memory::default();
        let tabs = [0, 1, 2].map(|_| Workspace::new(memory.clone()));
        // The versions that each tab knows, and the expected database.
        let mut known: [BTreeMap<DesignKey, u32>; 3] = Default::default();
        let mut stored: BTreeMap<DesignKey, (String, u32)> = BTreeMap::new();
        let mut deleted = BTreeMap::new();
        for (number, step) in steps.into_iter().enumerate() {
            match step {
                Step::Save { tab, key } => {
                    let base = known[tab].get(&key).copied().unwrap_or(0);
                    let name = format!("Design {key} of tab {tab}, step {number}");
                    let result = save(&tabs[tab], key, base, &Design::new(&*name));
                    match stored.get(&key) {
                        Some((_, version)) if *version != base => {
                            prop_assert_eq!(result, Err(SaveError::Changed));
                        }
                        None if base > 0 => prop_assert_eq!(result, Err(SaveError::Deleted)),
                        _ => {
                            prop_assert_eq!(result, Ok(base + 1));
                            known[tab].insert(key, base + 1);
                            stored.insert(key, (name, base + 1));
                        }
                    }
                }
                Step::Load { tab, key } => match now(tabs[tab].load(key)).unwrap() {
                    Loaded::Design(loaded) => {
                        let (name, version) = (loaded.design.name, loaded.version);
                        prop_assert_eq!(stored.get(&key), Some(&(name, version)));
                        known[tab].insert(key, version);
                    }
                    other => prop_assert!(other == Loaded::Missing && !stored.contains_key(&key)),
                },
                Step::Delete { key } => {
                    let gone = now(tabs[0].delete(key)).unwrap();
                    prop_assert_eq!(gone.is_some(), stored.remove(&key).is_some());
                    deleted.extend(gone.map(|gone| (key, gone)));
                }
                Step::Restore { key } => {
                    if let (Some(gone), false) = (deleted.get(&key), stored.contains_key(&key)) {
                        let version = now(tabs[1].restore(gone)).unwrap();
                        stored.insert(key, (gone.entry.name.clone(), version));
                    }
                }
            }
            let mut expected: Vec<&str> = stored.values().map(|(name, _)| name.as_str()).collect();
            let mut listed = names(&tabs[2]);
            expected.sort();
            listed.sort();
            prop_assert_eq!(expected, listed);
        }
    }
}

#[test]
fn a_version_that_is_stored_while_a_tab_reads_is_not_overwritten() {
    for reads in 1..=3 {
        let memory = Memory::default();
        let workspace = Workspace::new(memory.clone());
        save(&workspace, 1, 0, &Design::new("First")).unwrap();
        let before = memory.texts();
        save(&workspace, 1, 1, &Design::new("Theirs")).unwrap();
        let after = memory.texts();
        for (group, key, text) in before {
            memory.put(group, &key, &text);
        }
        memory.meanwhile(reads, after);
        let Ok(Loaded::Design(loaded)) = now(workspace.load(1)) else {
            panic!("it is there");
        };
        let is_theirs = loaded.design.name == "Theirs";
        let saved = save(&workspace, 1, loaded.version, &Design::new("Ours"));
        assert!(
            is_theirs || saved == Err(SaveError::Changed),
            "{reads} reads: {loaded:?}, {saved:?}"
        );
    }
}
