//! Versions of designs: kept, named, thinned out, deleted with their design.

use super::memory::{Memory, now};
use super::save;
use crate::commands::saas;
use keyfold_app::workspace::{
    Cut, DesignKey, Kept, MAX_AUTOMATIC, MAX_BYTES, NewVersion, ObjectStore, SaveError,
    SaveRequest, StorageError, Version, Workspace,
};
use keyfold_core::persist;
use proptest::prelude::*;

/// A stored design with the key 1.
fn stored() -> (Memory, Workspace<Memory>) {
    let memory = Memory::default();
    let workspace = Workspace::new(memory.clone());
    save(&workspace, 1, 0, &saas()).unwrap();
    (memory, workspace)
}

fn keep(
    workspace: &Workspace<Memory>,
    at: f64,
    name: &str,
    text: &str,
) -> Result<Kept, StorageError> {
    now(workspace.keep_version(1, NewVersion { text, at, name }))
}

fn versions(workspace: &Workspace<Memory>, key: DesignKey) -> Vec<Version> {
    now(workspace.versions(key)).unwrap()
}

fn text(workspace: &Workspace<Memory>, number: u32) -> Option<String> {
    now(workspace.version_text(1, number)).unwrap()
}

/// The names and the texts of the versions, oldest first.
fn all(workspace: &Workspace<Memory>) -> Vec<(String, String)> {
    let with_text = |version: Version| (version.name, text(workspace, version.number).unwrap());
    versions(workspace, 1).into_iter().map(with_text).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    pairs.iter().map(owned).collect()
}

#[test]
fn versions_are_kept_in_order_and_equal_ones_once() {
    let (_, workspace) = stored();
    assert_eq!(versions(&workspace, 1), []);
    assert_eq!(keep(&workspace, 5.0, "", "a"), Ok(Kept::New));
    assert_eq!(keep(&workspace, 6.0, "", "a"), Ok(Kept::Same));
    // The clock went back.
    assert_eq!(keep(&workspace, 2.0, "", "b"), Ok(Kept::New));
    assert_eq!(keep(&workspace, 3.0, "First draft", "b"), Ok(Kept::Same));
    assert_eq!(keep(&workspace, 4.0, "", "b"), Ok(Kept::Same));
    // A name is not taken from a version.
    assert_eq!(keep(&workspace, 4.0, "First draft", "b"), Ok(Kept::Same));
    assert_eq!(keep(&workspace, 6.0, "For review", "b"), Ok(Kept::New));
    assert_eq!(keep(&workspace, 7.0, "", "a"), Ok(Kept::New));
    assert_eq!(
        all(&workspace),
        pairs(&[
            ("", "a"),
            ("First draft", "b"),
            ("For review", "b"),
            ("", "a")
        ])
    );
    let times: Vec<f64> = (versions(&workspace, 1).iter()).map(|it| it.at).collect();
    assert_eq!(times, [5.0, 2.0, 6.0, 7.0]);
}

#[test]
fn a_design_that_is_not_stored_has_no_versions() {
    let (_, workspace) = stored();
    let new = NewVersion {
        text: "a",
        at: 0.0,
        name: "x",
    };
    assert_eq!(now(workspace.keep_version(2, new)), Ok(Kept::Missing));
    assert_eq!(versions(&workspace, 2), []);
    assert_eq!(now(workspace.entries()).unwrap().len(), 1);
}

#[test]
fn versions_are_named_deleted_and_restored() {
    let (_, workspace) = stored();
    for (at, text) in [(1.0, "a"), (2.0, "b"), (3.0, "c")] {
        keep(&workspace, at, "", text).unwrap();
    }
    now(workspace.name_version(1, 2, " Review ")).unwrap();
    now(workspace.name_version(1, 9, "nothing")).unwrap();
    let deleted = now(workspace.delete_version(1, 2))
        .unwrap()
        .expect("it is there");
    assert_eq!(now(workspace.delete_version(1, 2)), Ok(None));
    assert_eq!(all(&workspace), pairs(&[("", "a"), ("", "c")]));
    assert_eq!(text(&workspace, 2), None);
    now(workspace.restore_version(1, &deleted)).unwrap();
    now(workspace.restore_version(1, &deleted)).unwrap();
    assert_eq!(
        all(&workspace),
        pairs(&[("", "a"), ("Review", "b"), ("", "c")])
    );
    // A version that is kept meanwhile does not take its place.
    let last = now(workspace.delete_version(1, 3)).unwrap().unwrap();
    keep(&workspace, 4.0, "", "d").unwrap();
    now(workspace.restore_version(1, &last)).unwrap();
    assert_eq!(
        all(&workspace),
        pairs(&[("", "a"), ("Review", "b"), ("", "c"), ("", "d")])
    );
}

#[test]
fn versions_go_and_come_back_with_their_design() {
    let (_, workspace) = stored();
    keep(&workspace, 1.0, "", "a").unwrap();
    keep(&workspace, 2.0, "Review", "b").unwrap();
    save(&workspace, 11, 0, &saas()).unwrap();
    let other = NewVersion {
        text: "other",
        at: 1.0,
        name: "",
    };
    now(workspace.keep_version(11, other)).unwrap();
    let before = all(&workspace);
    let deleted = now(workspace.delete(1)).unwrap().unwrap();
    assert_eq!(versions(&workspace, 1), []);
    assert_eq!(text(&workspace, 1), None);
    assert_eq!(versions(&workspace, 11).len(), 1);
    now(workspace.restore(&deleted)).unwrap();
    assert_eq!(all(&workspace), before);
}

#[test]
fn old_versions_become_fewer_and_still_reach_back() {
    let (_, workspace) = stored();
    keep(&workspace, 0.0, "Start", "start").unwrap();
    for minute in 1..=1000 {
        let text = format!("version {minute}");
        let kept = keep(&workspace, f64::from(minute) * 60_000.0, "", &text);
        assert_eq!(kept, Ok(Kept::New));
    }
    let list = versions(&workspace, 1);
    assert_eq!(list.len(), MAX_AUTOMATIC + 1);
    assert_eq!(list[0].name, "Start");
    let minutes = |range: std::ops::Range<f64>| {
        let within = |version: &&Version| range.contains(&(version.at / 60_000.0));
        list.iter().filter(within).count()
    };
    // The last minutes are all there, and each quarter has some.
    assert_eq!(minutes(990.0..1001.0), 11);
    for quarter in [1.0, 250.0, 500.0, 750.0] {
        assert!(minutes(quarter..quarter + 250.0) >= 3, "{list:#?}");
    }
    for version in &list {
        assert!(text(&workspace, version.number).is_some());
    }
    let stored = now(workspace.room()).unwrap().versions;
    let texts: usize = list.iter().map(|version| version.bytes).sum();
    assert!(stored > texts && stored < texts + 100 * list.len());
}

#[test]
fn named_versions_are_never_thinned_out() {
    let (_, workspace) = stored();
    let large = |fill: char| fill.to_string().repeat(MAX_BYTES / 2);
    keep(&workspace, 1.0, "A", &large('a')).unwrap();
    assert_eq!(keep(&workspace, 2.0, "", &large('b')), Ok(Kept::New));
    assert_eq!(keep(&workspace, 3.0, "", &large('c')), Ok(Kept::New));
    assert_eq!(keep(&workspace, 4.0, "D", &large('d')), Ok(Kept::New));
    assert_eq!(keep(&workspace, 5.0, "", &large('e')), Ok(Kept::NoRoom));
    assert_eq!(keep(&workspace, 6.0, "F", &large('f')), Ok(Kept::NoRoom));
    assert_eq!(
        all(&workspace),
        pairs(&[("A", &large('a')), ("D", &large('d'))])
    );
    // Those that are taken out take nothing along.
    assert_eq!(keep(&workspace, 7.0, "", "small"), Ok(Kept::NoRoom));
    now(workspace.delete_version(1, 1)).unwrap();
    assert_eq!(keep(&workspace, 8.0, "", "small"), Ok(Kept::New));
}

#[test]
fn a_design_that_is_too_large_for_a_version_says_so() {
    let (_, workspace) = stored();
    let huge = "x".repeat(MAX_BYTES + 1);
    assert_eq!(keep(&workspace, 1.0, "Huge", &huge), Ok(Kept::TooLarge));
    assert_eq!(all(&workspace), []);
}

#[test]
fn a_broken_list_is_made_again_from_the_texts() {
    let (memory, workspace) = stored();
    keep(&workspace, 1.0, "A", "a").unwrap();
    keep(&workspace, 2.0, "B", "b").unwrap();
    for broken in ["", "{", "[{\"number\":1}]", "[1]", "null"] {
        memory.put(ObjectStore::Designs, "1:versions", broken);
        assert_eq!(all(&workspace), pairs(&[("", "a"), ("", "b")]), "{broken}");
    }
    keep(&workspace, 3.0, "C", "c").unwrap();
    assert_eq!(all(&workspace), pairs(&[("", "a"), ("", "b"), ("C", "c")]));
    memory.put(
        ObjectStore::Designs,
        "1:versions",
        r#"{"next":0,"versions":[{"number":4294967295,"at":1,"bytes":1,"hash":1}]}"#,
    );
    assert_eq!(text(&workspace, u32::MAX), None);
    assert_eq!(now(workspace.delete_version(1, u32::MAX)), Ok(None));
}

#[test]
fn versions_make_room_for_the_design() {
    let (memory, workspace) = stored();
    keep(&workspace, 1.0, "", &"a".repeat(5000)).unwrap();
    keep(&workspace, 2.0, "Named", "n").unwrap();
    memory.limit_to(memory.used() + 100);
    // A version that does not fit changes nothing.
    let before = all(&workspace);
    let full = keep(&workspace, 3.0, "", &"b".repeat(5000));
    assert_eq!(full, Err(StorageError::Full));
    assert_eq!(all(&workspace), before);
    // A design that does not fit takes the place of the automatic ones.
    let text = "d".repeat(persist::to_json(&saas()).len() + 4000);
    let saved = now(workspace.save(SaveRequest {
        key: 1,
        base: 1,
        name: "Large",
        text: &text,
        own: None,
        history: None,
        change: None,
        now: 0.0,
    }));
    assert_eq!(saved, Ok(2));
    assert_eq!(all(&workspace), pairs(&[("Named", "n")]));
}

#[test]
fn a_full_storage_deletes_the_oldest_versions_first_and_no_more_than_needed() {
    let (memory, workspace) = stored();
    save(&workspace, 2, 0, &saas()).unwrap();
    let keep = |key: u64, at: f64, name: &str, letter: &str| {
        let text = &letter.repeat(5000);
        let kept = now(workspace.keep_version(key, NewVersion { text, at, name })).unwrap();
        assert_eq!(kept, Kept::New);
    };
    keep(2, 10.0, "Oldest, with a name", "n");
    keep(1, 20.0, "", "a");
    keep(2, 30.0, "", "b");
    keep(1, 40.0, "", "c");
    keep(2, 50.0, "", "d");
    memory.limit_to(memory.used() + 200);
    let base = persist::to_json(&saas()).len();
    let request = |base, text| SaveRequest {
        key: 1,
        base,
        name: "Large",
        text,
        own: None,
        history: None,
        change: None,
        now: 0.0,
    };
    let times = |key| -> Vec<f64> {
        let versions = now(workspace.versions(key)).unwrap();
        versions.iter().map(|version| version.at).collect()
    };
    let text = "x".repeat(base + 3000);
    let saved = now(workspace.save_with_room(request(1, &text)));
    // What the design needs again, in whole versions.
    let deleted = text.len().div_ceil(5000).min(4);
    let (saved, cut) = saved;
    assert_eq!(
        (saved, cut.versions, cut.is_without_text),
        (Ok(2), deleted, false)
    );
    let mut left = [20.0, 30.0, 40.0, 50.0][deleted..].to_vec();
    left.insert(0, 10.0);
    let mut all = [times(1), times(2)].concat();
    all.sort_by(f64::total_cmp);
    assert_eq!(all, left);
    // There is room: no more is deleted.
    let shorter = "y".repeat(base);
    let saved = now(workspace.save_with_room(request(2, &shorter)));
    assert_eq!(saved, (Ok(3), Cut::default()));
    // What cannot fit deletes all automatic versions, and no other.
    let huge = "z".repeat(1_000_000);
    let (saved, _) = now(workspace.save_with_room(request(3, &huge)));
    assert_eq!(saved, Err(SaveError::Failed(StorageError::Full)));
    assert_eq!((times(1), times(2)), (vec![], vec![10.0]));
}

#[test]
fn freeing_keeps_named_versions_and_those_of_the_open_design() {
    let (_, workspace) = stored();
    keep(&workspace, 1.0, "", "a").unwrap();
    keep(&workspace, 2.0, "Named", "b").unwrap();
    now(workspace.free(Some(1))).unwrap();
    assert_eq!(versions(&workspace, 1).len(), 2);
    now(workspace.free(None)).unwrap();
    assert_eq!(all(&workspace), pairs(&[("Named", "b")]));
    assert_eq!(text(&workspace, 1), None);
}

/// What is done with the versions of a design.
#[derive(Debug, Clone)]
enum Step {
    Keep(bool, u8, u32),
    Name(u32, bool),
    Delete(u32),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (any::<bool>(), any::<u8>(), 0..1_000_000u32).prop_map(|(named, text, at)| Step::Keep(named, text, at)),
        1 => (0..30u32, any::<bool>()).prop_map(|(number, named)| Step::Name(number, named)),
        1 => (0..30u32).prop_map(Step::Delete),
    ]
}

proptest! {
    /// Whatever is done, each version in the list has its text, and no text is without a version.
    #[test]
    fn lists_and_texts_agree(steps in prop::collection::vec(step(), 0..40)) {
        let (_, workspace) = stored();
        for step in steps {
            match step {
                Step::Keep(named, fill, at) => {
                    let text = char::from(b'a' + fill % 26).to_string().repeat(1000 + usize::from(fill) * 4000);
                    let name = if named { "n" } else { "" };
                    let kept = keep(&workspace, f64::from(at), name, &text).unwrap();
                    if kept != Kept::NoRoom {
                        let last = versions(&workspace, 1).pop().unwrap();
                        prop_assert_eq!(now(workspace.version_text(1, last.number)).unwrap(), Some(text));
                    }
                }
                Step::Name(number, named) => {
                    let name = if named { "m" } else { "" };
                    now(workspace.name_version(1, number, name)).unwrap();
                }
                Step::Delete(number) => drop(now(workspace.delete_version(1, number)).unwrap()),
            }
            let list = versions(&workspace, 1);
            prop_assert!(list.is_sorted_by(|a, b| a.number < b.number));
            let bytes: usize = list.iter().map(|version| version.bytes).sum();
            prop_assert!(bytes <= MAX_BYTES);
            // All that is stored but the texts is the list.
            let stored = now(workspace.room()).unwrap().versions;
            prop_assert!(stored - bytes <= 100 * (list.len() + 1));
            for version in list {
                let text = text(&workspace, version.number).unwrap();
                prop_assert_eq!(text.len(), version.bytes);
            }
        }
    }
}
