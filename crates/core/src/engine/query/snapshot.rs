//! The table and its indexes as DynamoDB holds them.

use super::range::{Edge, Range};
use crate::engine::chunk::{self, Chunk};
use crate::engine::index_content::IndexContent;
use crate::engine::item::Item;
use crate::engine::items::Items;
use crate::engine::keys::KeyNames;
use crate::engine::materialize_all;
use crate::engine::order::{Entry, Order, Ordering};
use crate::model::{Design, IndexId, SortedMap};
use std::sync::Arc;

/// The items of a design in the table and in each index, ready to be read. Of items with the same primary key only the
/// last one (by entity and sample) is present; items that DynamoDB refuses are not.
#[derive(Debug, Clone)]
pub struct TableSnapshot {
    pub(super) design: Design,
    indexes: SortedMap<IndexId, Arc<Sorted>>,
}

/// The entries of an index, in order.
#[derive(Debug)]
pub(super) struct Sorted {
    pub content: IndexContent,
    order: Arc<Order>,
    /// The entries without those of overwritten items; `None` if there are none.
    not_overwritten: Option<Vec<Entry>>,
    /// A sample of the keys.
    signposts: Signposts,
}

/// Every n-th key, stored contiguously: a search looks at these first, because the other keys are scattered over
/// memory.
#[derive(Debug, Default)]
struct Signposts {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Signposts {
    /// Number of entries per signpost.
    const EVERY: usize = 32;

    fn add(&mut self, key: &[u8]) {
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len() as u32);
    }

    fn key(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start as usize..self.ends[number] as usize]
    }

    /// The entries among which an edge is, searching from the signpost `from` on.
    fn around(&self, edge: &Edge, from: usize) -> std::ops::Range<usize> {
        let (mut low, mut high) = (from, self.ends.len());
        while low < high {
            let middle = low.midpoint(high);
            match edge.is_past(self.key(middle)) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low.saturating_sub(1) * Self::EVERY..low * Self::EVERY
    }
}

impl TableSnapshot {
    /// The items of a design's samples.
    pub fn of(design: &Design) -> TableSnapshot {
        let items: Vec<_> = materialize_all(design).into_values().collect();
        TableSnapshot::new(design, &items)
    }

    /// The table with these items, one list per entity of the design. Does all work at once: see [`TableBuilder`].
    pub fn new(design: &Design, items: &[Arc<Items>]) -> TableSnapshot {
        let mut storing = TableBuilder::new(None, design.clone(), items);
        loop {
            if let Some(stored) = storing.step() {
                return stored;
            }
        }
    }

    /// The design of the table.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// Number of items in the table, or of entries in an index; 0 if there is no such index.
    pub fn len(&self, index: IndexId) -> usize {
        (self.indexes.get(&index)).map_or(0, |sorted| sorted.entries().len())
    }

    /// What an index contains; `None` if there is no such index.
    pub fn content(&self, index: IndexId) -> Option<&IndexContent> {
        self.indexes.get(&index).map(|sorted| &sorted.content)
    }

    pub(super) fn index(&self, index: IndexId) -> Option<&Sorted> {
        self.indexes.get(&index).map(|sorted| &**sorted)
    }
}

impl Sorted {
    fn entries(&self) -> &[Entry] {
        self.not_overwritten
            .as_deref()
            .unwrap_or_else(|| self.order.entries())
    }

    /// Positions of the entries in a range.
    pub fn find(&self, range: &Range) -> std::ops::Range<usize> {
        let start = self.place(&range.start);
        start..self.place_from(&range.end, start)
    }

    /// Number of entries before an edge.
    pub fn place(&self, edge: &Edge) -> usize {
        self.place_from(edge, 0)
    }

    /// The same, for an edge that is not before the entry `from`.
    fn place_from(&self, edge: &Edge, from: usize) -> usize {
        let entries = self.entries();
        let around = self.signposts.around(edge, from / Signposts::EVERY);
        let start = around.start.max(from);
        let end = around.end.clamp(start, entries.len());
        let is_past = |entry: &Entry| edge.is_past(self.order.key(*entry));
        start + entries[start..end].partition_point(is_past)
    }

    /// The item of the entry at a position.
    pub fn item(&self, place: usize) -> Item {
        let entry = self.entries()[place];
        chunk::item(&self.order.chunks()[entry.chunk()], entry.at())
    }
}

/// Builds a [`TableSnapshot`] in steps of about 1 ms, so that a page stays responsive with many items.
#[derive(Debug)]
pub struct TableBuilder {
    before: Option<Arc<TableSnapshot>>,
    chunks: Vec<Arc<Chunk>>,
    stored: TableSnapshot,
    /// The indexes that are still to be built, the next one last; the table comes first.
    left: Vec<IndexId>,
    current: Option<(IndexId, IndexContent, Ordering)>,
    /// For each chunk which of its items were overwritten; empty if none were.
    overwritten: Vec<Vec<bool>>,
}

impl TableBuilder {
    /// Starts with these items of a design, reusing what was stored `before` an edit where possible.
    pub fn new(
        before: Option<Arc<TableSnapshot>>,
        design: Design,
        items: &[Arc<Items>],
    ) -> TableBuilder {
        let mut chunks = Vec::new();
        for items in items {
            chunks.extend_from_slice(items.chunks());
        }
        let mut left: Vec<IndexId> = design.index_ids().collect();
        left.reverse();
        TableBuilder {
            before,
            chunks,
            stored: TableSnapshot {
                design,
                indexes: SortedMap::new(),
            },
            left,
            current: None,
            overwritten: Vec::new(),
        }
    }

    /// Does about 1 ms of work. Returns the result once all is done.
    pub fn step(&mut self) -> Option<TableSnapshot> {
        if let Some((index, content, mut ordering)) = self.current.take() {
            match ordering.step() {
                None => self.current = Some((index, content, ordering)),
                Some(order) => self.add(index, content, order),
            }
            return None;
        }
        let design = &self.stored.design;
        let Some(index) = self.left.pop() else {
            return Some(self.stored.clone());
        };
        if let Some(content) = IndexContent::new(design, index) {
            let names = KeyNames::new(content.key(), &design.table.key);
            let before = (self.before.as_ref()).and_then(|before| before.indexes.get(&index));
            let before = before.map_or_else(Arc::default, |sorted| sorted.order.clone());
            let ordering = Ordering::new(before, content.clone(), names, self.chunks.clone());
            self.current = Some((index, content, ordering));
        }
        None
    }

    fn add(&mut self, index: IndexId, content: IndexContent, order: Order) {
        if index.is_primary() {
            self.find_overwritten(&order);
        }
        let not_overwritten = (!self.overwritten.is_empty()).then(|| {
            let stands = |entry: &&Entry| !self.overwritten[entry.chunk()][entry.at()];
            order.entries().iter().filter(stands).copied().collect()
        });
        let mut sorted = Sorted {
            content,
            order: Arc::new(order),
            not_overwritten,
            signposts: Signposts::default(),
        };
        let mut signposts = Signposts::default();
        for entry in sorted.entries().iter().step_by(Signposts::EVERY) {
            signposts.add(sorted.order.key(*entry));
        }
        sorted.signposts = signposts;
        self.stored.indexes.insert(index, Arc::new(sorted));
    }

    /// Finds the items that a later item with the same primary key has overwritten.
    fn find_overwritten(&mut self, table: &Order) {
        for number in 1..table.entries().len() {
            let [_, same_key] = table.same(number);
            if !same_key {
                continue;
            }
            if self.overwritten.is_empty() {
                let all = (self.chunks.iter()).map(|chunk| vec![false; chunk.len()]);
                self.overwritten = all.collect();
            }
            let before = table.entries()[number - 1];
            self.overwritten[before.chunk()][before.at()] = true;
        }
    }
}
