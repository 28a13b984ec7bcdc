//! DynamoDB's order of the items in an index, updated from edit to edit.
//!
//! Keys have long common prefixes, and comparing them again and again is most of the cost of sorting. So each entry of
//! a sorted list knows the length of its common prefix with the previous entry. While two lists are merged, these
//! lengths usually decide which entry comes first, and no byte is compared twice. They also tell where an item
//! collection starts. Entries that an edit did not touch stay sorted; the others mostly keep their relative order.

use super::chunk::{self, Chunk};
use super::index_content::IndexContent;
use super::keys::{KeyNames, Keys};
use crate::bytes;
use std::sync::Arc;

/// Approximate number of entries that one step moves.
const STEP: usize = 8 * chunk::MAX_ITEMS;

/// One item in the order.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry {
    /// Its chunk and the position there, packed: see [`Entry::chunk`] and [`Entry::at`].
    item: u32,
    /// Length in bytes of the common prefix with the previous entry's key.
    common: u32,
}

impl Entry {
    fn new(chunk: usize, at: usize) -> Entry {
        Entry {
            item: (chunk * chunk::MAX_ITEMS + at) as u32,
            common: 0,
        }
    }

    pub fn chunk(self) -> usize {
        self.item as usize / chunk::MAX_ITEMS
    }

    pub fn at(self) -> usize {
        self.item as usize % chunk::MAX_ITEMS
    }
}

/// The items of an index in order. Equal index keys are ordered by the table's key; if that is equal too, they keep
/// their order of arrival.
#[derive(Debug, Default)]
pub(super) struct Order {
    names: Option<KeyNames>,
    chunks: Vec<Arc<Chunk>>,
    keys: Vec<Arc<Keys>>,
    entries: Vec<Entry>,
    /// Entries that left the index when their keys changed, in their old order. When they come back, as they do once a
    /// template is complete again, they need not be sorted from scratch.
    left: Vec<Entry>,
}

impl Order {
    /// All chunks, including those without items in the index.
    pub fn chunks(&self) -> &[Arc<Chunk>] {
        &self.chunks
    }

    /// Whether the index contains this item.
    pub fn holds(&self, chunk: usize, at: usize) -> bool {
        self.keys[chunk].has(at)
    }

    /// The entries, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The key of an entry, as bytes.
    #[inline(always)]
    pub fn key(&self, entry: Entry) -> &[u8] {
        self.keys[entry.chunk()].of(entry.at())
    }

    /// Whether this entry (not the first) is in the same item collection as the previous entry, and whether it has the
    /// same index key.
    pub fn same(&self, number: usize) -> [bool; 2] {
        let entry = self.entries[number];
        let parts = self.keys[entry.chunk()].parts(entry.at());
        parts.map(|length| entry.common >= length)
    }
}

/// Builds an [`Order`] in steps.
#[derive(Debug)]
pub(super) struct Ordering {
    before: Arc<Order>,
    /// For each chunk its position in the previous order.
    old: Vec<Option<usize>>,
    content: IndexContent,
    order: Order,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// The chunks before this one have their keys.
    Keys(usize),
    /// Separates the old entries that are still correct from the others, which are unsorted.
    Split,
    /// Finds sorted runs among the others.
    Runs {
        kept: Vec<Entry>,
        others: Vec<Entry>,
        from: Runs,
    },
    /// Merges sorted runs of new entries in pairs; the last one is merged with the old entries.
    Merge {
        kept: Vec<Entry>,
        from: Runs,
        to: Runs,
        /// Number of finished runs in `from`, and the progress in the next two.
        done: usize,
        at: MergeProgress,
    },
    Done,
}

/// Sorted lists, stored one after the other.
#[derive(Debug, Default)]
struct Runs {
    entries: Vec<Entry>,
    ends: Vec<u32>,
}

impl Runs {
    fn get(&self, number: usize) -> &[Entry] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        let end = self.ends.get(number).copied().unwrap_or(start);
        &self.entries[start as usize..end as usize]
    }

    fn end(&mut self) {
        self.ends.push(self.entries.len() as u32);
    }
}

impl Ordering {
    /// Starts to order the items of these chunks by `names`, reusing the order `before` where possible.
    pub fn new(
        before: Arc<Order>,
        content: IndexContent,
        names: KeyNames,
        chunks: Vec<Arc<Chunk>>,
    ) -> Ordering {
        let before = match before.names.as_ref() == Some(&names) {
            true => before,
            false => Arc::default(),
        };
        Ordering {
            old: counterparts(&before.chunks, &chunks),
            before,
            content,
            order: Order {
                names: Some(names),
                keys: Vec::with_capacity(chunks.len()),
                chunks,
                entries: Vec::new(),
                left: Vec::new(),
            },
            stage: Stage::Keys(0),
        }
    }

    /// Does one step of the work. Returns the order once it is complete.
    pub fn step(&mut self) -> Option<Order> {
        self.stage = match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Keys(next) => self.make_keys(next),
            Stage::Split => self.split(),
            Stage::Runs { kept, others, from } => self.find_runs(kept, others, from),
            Stage::Merge {
                kept,
                from,
                to,
                done,
                at,
            } => self.merge(kept, from, to, done, at),
            Stage::Done => return Some(std::mem::take(&mut self.order)),
        };
        None
    }

    /// Progress from 0 to 1. The effort of merging is not known in advance.
    pub fn progress(&self) -> f64 {
        match &self.stage {
            Stage::Keys(next) => *next as f64 / self.order.chunks.len().max(1) as f64 * 0.5,
            _ => 0.5,
        }
    }

    fn make_keys(&mut self, next: usize) -> Stage {
        let Some(names) = &self.order.names else {
            return Stage::Split;
        };
        for at in next..self.order.chunks.len() {
            let chunk = &self.order.chunks[at];
            let known = self.old[at].filter(|old| {
                let before = &self.before.chunks[*old];
                Arc::ptr_eq(before, chunk) || Keys::same_keys(names, before, chunk)
            });
            match known {
                Some(old) => self.order.keys.push(self.before.keys[old].clone()),
                None => {
                    let keys = Keys::new(&self.content, names, chunk);
                    self.order.keys.push(Arc::new(keys));
                    return Stage::Keys(at + 1);
                }
            }
        }
        Stage::Split
    }

    /// Goes through the old entries, including those that had left the index. Those with unchanged keys are sorted; the
    /// others come in an order that probably resembles the new one.
    fn split(&mut self) -> Stage {
        let Order {
            chunks, keys, left, ..
        } = &mut self.order;
        let mut now: Vec<Option<usize>> = vec![None; self.before.chunks.len()];
        let mut seen: Vec<Option<Vec<bool>>> = Vec::with_capacity(chunks.len());
        for (at, chunk) in chunks.iter().enumerate() {
            let old = self.old[at];
            if let Some(old) = old {
                now[old] = Some(at);
            }
            let same = old.is_some_and(|old| Arc::ptr_eq(&self.before.keys[old], &keys[at]));
            seen.push((!same).then(|| vec![false; chunk.len()]));
        }
        let mut kept = Vec::with_capacity(self.before.entries.len());
        let mut others = Vec::new();
        // Common prefix of the next kept entry with the last kept entry.
        let mut common = u32::MAX;
        let there = self.before.entries.iter().map(|entry| (entry, true));
        let gone = self.before.left.iter().map(|entry| (entry, false));
        for (entry, was_there) in there.chain(gone) {
            common = common.min(entry.common);
            let Some(chunk) = now[entry.chunk()] else {
                continue;
            };
            let mut new = Entry::new(chunk, entry.at());
            match &mut seen[chunk] {
                None if was_there => {
                    new.common = common;
                    kept.push(new);
                    common = u32::MAX;
                }
                Some(seen) if keys[chunk].has(entry.at()) => {
                    seen[entry.at()] = true;
                    others.push(new);
                }
                _ => left.push(new),
            }
        }
        for (chunk, seen) in seen.iter().enumerate() {
            let Some(seen) = seen else { continue };
            for (at, seen) in seen.iter().enumerate() {
                if !seen && keys[chunk].has(at) {
                    others.push(Entry::new(chunk, at));
                }
            }
        }
        Stage::Runs {
            kept,
            others,
            from: Runs::default(),
        }
    }

    /// Finds sorted runs in the new entries.
    fn find_runs(&mut self, kept: Vec<Entry>, others: Vec<Entry>, mut from: Runs) -> Stage {
        let keys = &self.order.keys;
        from.entries.reserve(others.len() - from.entries.len());
        for entry in others.iter().skip(from.entries.len()).take(STEP) {
            let mut entry = *entry;
            if let Some(last) = from.entries.last() {
                let (order, common) = compare(keys, *last, entry, 0);
                entry.common = common;
                if order.is_gt() {
                    from.end();
                }
            }
            from.entries.push(entry);
        }
        if from.entries.len() < others.len() {
            return Stage::Runs { kept, others, from };
        }
        from.end();
        Stage::Merge {
            kept,
            from,
            to: Runs::default(),
            done: 0,
            at: MergeProgress::default(),
        }
    }

    fn merge(
        &mut self,
        kept: Vec<Entry>,
        mut from: Runs,
        mut to: Runs,
        mut done: usize,
        mut at: MergeProgress,
    ) -> Stage {
        let keys = &self.order.keys;
        if from.ends.len() <= 1 {
            let entries = &mut self.order.entries;
            entries.reserve_exact(kept.len() + from.entries.len() - entries.len());
            if at.merge(keys, &kept, &from.entries, entries, STEP) {
                return Stage::Done;
            }
        } else {
            to.entries.reserve(from.entries.len() - to.entries.len());
            let enough = to.entries.len() + STEP;
            while done < from.ends.len() && to.entries.len() < enough {
                let most = enough - to.entries.len();
                let (left, right) = (from.get(done), from.get(done + 1));
                if at.merge(keys, left, right, &mut to.entries, most) {
                    to.end();
                    at = MergeProgress::default();
                    done += 2;
                }
            }
            if done >= from.ends.len() {
                std::mem::swap(&mut from, &mut to);
                to.entries.clear();
                to.ends.clear();
                done = 0;
            }
        }
        Stage::Merge {
            kept,
            from,
            to,
            done,
            at,
        }
    }
}

/// For each chunk the position of the chunk with the same samples in the previous order. Both lists are in the order of
/// entities and samples.
fn counterparts(before: &[Arc<Chunk>], now: &[Arc<Chunk>]) -> Vec<Option<usize>> {
    let mut next = 0;
    let mut found = |chunk: &Arc<Chunk>| {
        let same = |old: &Arc<Chunk>| Arc::ptr_eq(&old.facts, &chunk.facts);
        let at = next + before[next..].iter().position(same)?;
        next = at + 1;
        Some(at)
    };
    now.iter().map(&mut found).collect()
}

/// Progress of merging two lists.
#[derive(Debug, Default)]
struct MergeProgress {
    left: usize,
    right: usize,
    /// Common prefix of each list's next entry with the last entry that was moved.
    common: [u32; 2],
}

impl MergeProgress {
    /// Continues to merge two sorted lists, by at most `count` entries. Returns whether all are moved. Of equal entries
    /// the earlier one comes first.
    fn merge(
        &mut self,
        keys: &[Arc<Keys>],
        left: &[Entry],
        right: &[Entry],
        out: &mut Vec<Entry>,
        most: usize,
    ) -> bool {
        for _ in 0..most {
            let [in_left, in_right] = self.common;
            let left_first = match (left.get(self.left), right.get(self.right)) {
                (None, None) => return true,
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (Some(_), Some(_)) if in_left != in_right => in_left > in_right,
                (Some(a), Some(b)) => {
                    let (order, both) = compare(keys, *a, *b, in_left);
                    let left_first = order.is_lt();
                    self.common[usize::from(left_first)] = both;
                    left_first
                }
            };
            let (list, next, side) = match left_first {
                true => (left, &mut self.left, 0),
                false => (right, &mut self.right, 1),
            };
            out.push(Entry {
                common: self.common[side],
                ..list[*next]
            });
            *next += 1;
            self.common[side] = list.get(*next).map_or(0, |next| next.common);
        }
        self.left == left.len() && self.right == right.len()
    }
}

/// Compares two entries whose keys have at least `from` bytes in common. Returns the order and the length of the common
/// prefix.
#[inline(always)]
fn compare(keys: &[Arc<Keys>], left: Entry, right: Entry, from: u32) -> (std::cmp::Ordering, u32) {
    let a = &keys[left.chunk()].of(left.at())[from as usize..];
    let b = &keys[right.chunk()].of(right.at())[from as usize..];
    let equal = bytes::common_prefix_len(a, b);
    let order = match (a.get(equal), b.get(equal)) {
        (Some(a), Some(b)) => a.cmp(b),
        // No key is a prefix of another, so they are equal.
        _ => left.item.cmp(&right.item),
    };
    (order, from + equal as u32)
}
