//! The attributes that most items have, where items have too many different ones.

use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of attributes that are compared with keys, or declared by an entity beside those of its keys.
const ATTRIBUTES: usize = 256;

/// The most frequent attributes; of equally frequent ones the first by name.
pub(crate) fn usual<'a>(counts: &BTreeMap<&'a str, u64>) -> BTreeSet<&'a str> {
    let mut names: Vec<(&str, u64)> = counts.iter().map(|(name, count)| (*name, *count)).collect();
    names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    names.truncate(ATTRIBUTES);
    names.into_iter().map(|(name, _)| name).collect()
}
