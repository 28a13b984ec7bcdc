//! The order of lists whose elements are parts: attributes and samples of an entity, silenced findings.

use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// The order that a list gets without being told: the old elements that stay, then the new ones, sorted.
pub fn expected<K: Clone + Ord + Hash>(old: &[K], new: &[K]) -> Vec<K> {
    let (was, is) = (set(old), set(new));
    let mut list: Vec<K> = old.iter().filter(|key| is.contains(key)).cloned().collect();
    let mut added: Vec<K> = new
        .iter()
        .filter(|key| !was.contains(key))
        .cloned()
        .collect();
    added.sort();
    list.extend(added);
    list
}

/// Puts the elements of a list into the order of `wanted`. An element that is not in it follows the one it followed.
pub fn arrange<T, K: Clone + Eq + Hash>(list: &mut Vec<T>, key: impl Fn(&T) -> K, wanted: &[K]) {
    let now: Vec<K> = list.iter().map(&key).collect();
    let order = inserted(wanted, &now, |_| false);
    let mut slots: FxHashMap<K, T> = list
        .drain(..)
        .map(|element| (key(&element), element))
        .collect();
    list.extend(order.iter().filter_map(|key| slots.remove(key)));
}

/// The order of both sides' elements, and whether both changed the order of what all have: then `ours` decides, or
/// `theirs` if `take_theirs`. Elements that a side removed are still in it.
pub fn merged<K: Clone + Eq + Hash>(
    base: &[K],
    ours: &[K],
    theirs: &[K],
    take_theirs: bool,
) -> (Vec<K>, bool) {
    let (was, our, their) = (set(base), set(ours), set(theirs));
    let common = |list: &[K]| -> Vec<K> {
        let is_common = |key: &&K| was.contains(key) && our.contains(key) && their.contains(key);
        list.iter().filter(is_common).cloned().collect()
    };
    let (before, a, b) = (common(base), common(ours), common(theirs));
    let conflict = a != before && b != before && a != b;
    let order = match a == before && b != before || conflict && take_theirs {
        true => inserted(theirs, ours, |_| false),
        // Theirs come after what ours added at the same place, as if they were made after it.
        false => inserted(ours, theirs, |key| !was.contains(key)),
    };
    (order, conflict)
}

/// The elements of `list` with those of `other` that it lacks, each after the element that it follows in `other`, and
/// after those behind that element which `passes`.
fn inserted<K: Clone + Eq + Hash>(list: &[K], other: &[K], passes: impl Fn(&K) -> bool) -> Vec<K> {
    let known = set(list);
    // What comes at the start, and after each element of the list.
    let mut start = Vec::new();
    let mut after: FxHashMap<&K, Vec<&K>> = FxHashMap::default();
    let mut last = None;
    for key in other {
        match (known.contains(key), last) {
            (true, _) => last = Some(key),
            (false, None) => start.push(key),
            (false, Some(last)) => after.entry(last).or_default().push(key),
        }
    }
    let mut out = Vec::with_capacity(list.len());
    let mut waiting = start;
    for key in list {
        if !waiting.is_empty() && !passes(key) {
            out.extend(waiting.drain(..).cloned());
        }
        out.push(key.clone());
        waiting.extend(after.remove(key).into_iter().flatten());
    }
    out.extend(waiting.into_iter().cloned());
    out
}

fn set<K: Eq + Hash>(keys: &[K]) -> FxHashSet<&K> {
    keys.iter().collect()
}
