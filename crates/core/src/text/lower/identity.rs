//! Which part of the previous design a part of the text is: the one with its name; else the one with its content; else
//! the one at its position, which the text has renamed.

use super::blocks::Lower;
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;

/// How a part is known again.
pub struct Known {
    /// The name.
    pub name: String,
    /// What it holds besides its name.
    pub content: String,
}

impl Known {
    /// A part with this name and content.
    pub fn new(name: impl Into<String>, content: impl Into<String>) -> Known {
        Known {
            name: name.into(),
            content: content.into(),
        }
    }
}

impl Lower<'_> {
    /// The ids of parts of the text, given those of the previous design; new parts get new ones.
    pub(super) fn ids<I: Copy + Eq + Hash>(
        &mut self,
        new: &[Known],
        old: &[(I, Known)],
        id: fn(u32) -> I,
    ) -> Vec<I> {
        let found = assign(new, old).into_iter();
        let ids = found.map(|known| known.unwrap_or_else(|| id(self.design.take_id())));
        ids.collect()
    }
}

/// Returns the id of each part of the text; `None` for a new part. No id is given twice.
fn assign<I: Copy + Eq + Hash>(new: &[Known], old: &[(I, Known)]) -> Vec<Option<I>> {
    let mut found: Vec<Option<usize>> = vec![None; new.len()];
    let mut taken: FxHashSet<usize> = FxHashSet::default();
    let mut by_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (at, (_, part)) in old.iter().enumerate().rev() {
        by_name.entry(&part.name).or_default().push(at);
    }
    for (at, part) in new.iter().enumerate() {
        found[at] = by_name.get_mut(&*part.name).and_then(Vec::pop);
        taken.extend(found[at]);
    }
    let mut by_content: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (at, (_, part)) in old.iter().enumerate().rev() {
        if !taken.contains(&at) && !part.content.is_empty() {
            by_content.entry(&part.content).or_default().push(at);
        }
    }
    for (at, part) in new.iter().enumerate() {
        if found[at].is_none() {
            found[at] = by_content.get_mut(&*part.content).and_then(Vec::pop);
            taken.extend(found[at]);
        }
    }
    by_position(&mut found, &mut taken, old.len());
    found.into_iter().map(|at| at.map(|at| old[at].0)).collect()
}

/// Pairs the rest where as many parts are left between two known neighbors in the text as in the design; and a single
/// part with a single part.
fn by_position(found: &mut [Option<usize>], taken: &mut FxHashSet<usize>, count: usize) {
    let mut start = 0;
    while start < found.len() {
        if found[start].is_some() {
            start += 1;
            continue;
        }
        let mut end = start;
        while end < found.len() && found[end].is_none() {
            end += 1;
        }
        let from = match start {
            0 => 0,
            _ => found[start - 1].map_or(0, |at| at + 1),
        };
        let to = found.get(end).copied().flatten().unwrap_or(count);
        let free: Vec<usize> = (from..to.max(from))
            .filter(|at| !taken.contains(at))
            .collect();
        if free.len() == end - start {
            for (at, old) in (start..end).zip(free) {
                found[at] = Some(old);
                taken.insert(old);
            }
        }
        start = end;
    }
    let open: Vec<usize> = (0..found.len()).filter(|at| found[*at].is_none()).collect();
    let mut free = (0..count).filter(|at| !taken.contains(at));
    if let ([at], Some(old), None) = (&open[..], free.next(), free.next()) {
        found[*at] = Some(old);
    }
}
