//! Ordered maps, sets and lists in little code. `collect` and `sort` bring a whole sorting algorithm for every type
//! that they are used with, and for most of our small maps that is most of what a browser has to load of them.

use std::collections::{BTreeMap, BTreeSet};

/// A map of the pairs; of two with the same key, the later one's value.
pub fn map_of<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, V> {
    let mut map = BTreeMap::new();
    for (key, value) in pairs {
        map.insert(key, value);
    }
    map
}

/// A set of the values.
pub fn set_of<T: Ord>(values: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    let mut set = BTreeSet::new();
    for value in values {
        set.insert(value);
    }
    set
}

/// The values in ascending order, equal ones in the order in which they came. For short lists: each value is
/// moved into its place.
pub fn in_order<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut list: Vec<T> = Vec::new();
    for value in values {
        let at = list.partition_point(|before| *before <= value);
        list.insert(at, value);
    }
    list
}

/// The values by their rank, those of one rank in the order in which they came.
pub fn by_rank<T>(values: Vec<T>, rank: impl Fn(&T) -> [u32; 4]) -> Vec<T> {
    let ranked = values.iter().zip(0..).map(|(value, at)| {
        let [a, b, c, d] = rank(value);
        [a, b, c, d, at]
    });
    let mut ranked: Vec<[u32; 5]> = ranked.collect();
    ranked.sort_unstable();
    let mut values: Vec<Option<T>> = values.into_iter().map(Some).collect();
    (ranked.into_iter())
        .filter_map(|[.., at]| values[at as usize].take())
        .collect()
}
