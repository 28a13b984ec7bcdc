//! Sorted maps and sets behave like the standard library's.

use keyfold_core::model::{SortedMap, SortedSet};
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// An operation on a map, or with its keys alone on a set.
#[derive(Debug, Clone)]
enum Step {
    Insert(u8, u16),
    Remove(u8),
    Entry(u8, u16),
    Change(u8, u16),
    Extend(Vec<(u8, u16)>),
    RetainBelow(u16),
    PopLast,
    Clear,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let (key, value) = (|| 0u8..24, || 0u16..100);
    let step = prop_oneof![
        8 => (key(), value()).prop_map(|(key, value)| Step::Insert(key, value)),
        3 => key().prop_map(Step::Remove),
        3 => (key(), value()).prop_map(|(key, value)| Step::Entry(key, value)),
        2 => (key(), value()).prop_map(|(key, value)| Step::Change(key, value)),
        2 => prop::collection::vec((key(), value()), 0..6).prop_map(Step::Extend),
        1 => value().prop_map(Step::RetainBelow),
        1 => Just(Step::PopLast),
        1 => Just(Step::Clear),
    ];
    prop::collection::vec(step, 0..40)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_sorted_map_behaves_like_a_btree_map(steps in steps(), from in 0u8..24, more in 0u8..24) {
        let (mut ours, mut theirs) = (SortedMap::new(), BTreeMap::new());
        for step in steps {
            match step {
                Step::Insert(key, value) => {
                    prop_assert_eq!(ours.insert(key, value), theirs.insert(key, value));
                }
                Step::Remove(key) => prop_assert_eq!(ours.remove(&key), theirs.remove(&key)),
                Step::Entry(key, value) => {
                    prop_assert_eq!(ours.entry(key).or_insert(value), theirs.entry(key).or_insert(value));
                }
                Step::Change(key, value) => {
                    if let Some(old) = ours.get_mut(&key) {
                        *old = value;
                    }
                    theirs.entry(key).and_modify(|old| *old = value);
                }
                Step::Extend(entries) => {
                    ours.extend(entries.clone());
                    theirs.extend(entries);
                }
                Step::RetainBelow(most) => {
                    ours.retain(|_, value| *value < most);
                    theirs.retain(|_, value| *value < most);
                }
                Step::PopLast => {
                    let last = ours.last_key_value().map(|(key, value)| (*key, *value));
                    prop_assert_eq!(last, theirs.last_key_value().map(|(key, value)| (*key, *value)));
                }
                Step::Clear => {
                    ours.clear();
                    theirs.clear();
                }
            }
            prop_assert!(ours.iter().eq(&theirs) && ours.iter().rev().eq(theirs.iter().rev()));
            prop_assert!(ours.keys().eq(theirs.keys()) && ours.values().eq(theirs.values()));
            prop_assert_eq!((ours.len(), ours.is_empty()), (theirs.len(), theirs.is_empty()));
        }
        for key in 0..24 {
            prop_assert_eq!(ours.get(&key), theirs.get(&key));
            prop_assert_eq!(ours.contains_key(&key), theirs.contains_key(&key));
        }
        let to = from.saturating_add(more);
        prop_assert!(ours.range(from..to).eq(theirs.range(from..to)));
        prop_assert!(ours.range(from..=to).rev().eq(theirs.range(from..=to).rev()));
        prop_assert!(ours.range(..from).eq(theirs.range(..from)));
        prop_assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
        let json = serde_json::to_string(&theirs).expect("written");
        prop_assert_eq!(serde_json::to_string(&ours).expect("written"), json.as_str());
        prop_assert_eq!(&serde_json::from_str::<SortedMap<u8, u16>>(&json).expect("read"), &ours);
        prop_assert!(ours.into_iter().eq(theirs));
    }

    #[test]
    fn a_sorted_set_behaves_like_a_btree_set(steps in steps(), other in prop::collection::btree_set(0u8..24, 0..12)) {
        let (mut ours, mut theirs) = (SortedSet::new(), BTreeSet::new());
        for step in steps {
            match step {
                Step::Insert(key, _) | Step::Entry(key, _) | Step::Change(key, _) => {
                    prop_assert_eq!(ours.insert(key), theirs.insert(key));
                }
                Step::Remove(key) => prop_assert_eq!(ours.remove(&key), theirs.remove(&key)),
                Step::Extend(entries) => {
                    ours.extend(entries.iter().map(|(key, _)| *key));
                    theirs.extend(entries.iter().map(|(key, _)| *key));
                }
                Step::RetainBelow(most) => {
                    ours.retain(|key| u16::from(*key) * 4 < most);
                    theirs.retain(|key| u16::from(*key) * 4 < most);
                }
                Step::PopLast => prop_assert_eq!(ours.pop_last(), theirs.pop_last()),
                Step::Clear => {
                    ours.clear();
                    theirs.clear();
                }
            }
            prop_assert!(ours.iter().eq(&theirs));
            prop_assert_eq!((ours.len(), ours.first()), (theirs.len(), theirs.first()));
        }
        let all = SortedSet::from_iter(other.iter().copied());
        prop_assert!(ours.union(&all).iter().eq(theirs.union(&other)));
        prop_assert!(ours.without(&all).iter().eq(theirs.difference(&other)));
        prop_assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
        let json = serde_json::to_string(&theirs).expect("written");
        prop_assert_eq!(serde_json::to_string(&ours).expect("written"), json.as_str());
        prop_assert_eq!(&serde_json::from_str::<SortedSet<u8>>(&json).expect("read"), &ours);
        prop_assert!(ours.into_iter().eq(theirs));
    }
}

#[test]
fn the_later_of_two_entries_with_one_key_wins() {
    let map: SortedMap<&str, u8> = [("b", 1), ("a", 2), ("b", 3)].into();
    assert_eq!(Vec::from_iter(map), [("a", 2), ("b", 3)]);
    let read: SortedMap<String, u8> =
        serde_json::from_str(r#"{"b": 1, "a": 2, "b": 3}"#).expect("read");
    assert_eq!(format!("{read:?}"), r#"{"a": 2, "b": 3}"#);
}
