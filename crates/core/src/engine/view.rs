//! The table or an index as DynamoDB holds it: its items, their order and the item collections.

use super::chunk::{self, Chunk};
use super::columns::{Column, SeenAttributes, columns};
use super::index_content::IndexContent;
use super::item::Item;
use super::items::Items;
use super::keys::KeyNames;
use super::order::{Order, Ordering};
use super::problem::Problem;
use super::written::ValueRef;
use crate::model::{Design, IndexId, KeySchema, Value};
use std::ops::Range;
use std::sync::Arc;

/// The items of the table or an index.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// The table ([`IndexId::PRIMARY`]) or the index.
    pub index: IndexId,
    /// What the index contains; `None` if the design has no such index, and then the view is empty.
    pub content: Option<IndexContent>,
    /// The attributes to show, in order.
    pub columns: Vec<Column>,
    /// The items by partition key value, then sort key value, then the table's primary key.
    pub rows: Rows,
    /// The item collections, in order; together they cover all rows.
    pub groups: Vec<Group>,
    /// The items that DynamoDB would refuse, by entity and sample. Their problems say why.
    pub failed: Vec<Item>,
    /// Number of all items, including refused ones and those outside the index.
    pub total: usize,
}

/// The items of a view. Cheap to clone: an item is looked up on access.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    order: Arc<Order>,
    is_table: bool,
}

impl Rows {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.order.entries().len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row at this position, counted from 0.
    #[inline(never)]
    pub fn get(&self, at: usize) -> Option<Row> {
        let entry = *self.order.entries().get(at)?;
        let same_key = |at: usize| self.order.same(at)[1];
        Some(Row {
            item: chunk::item(&self.order.chunks()[entry.chunk()], entry.at()),
            collides: self.is_table
                && (at > 0 && same_key(at) || at + 1 < self.len() && same_key(at + 1)),
        })
    }

    /// All rows, in order.
    pub fn iter(&self) -> impl Iterator<Item = Row> {
        (0..self.len()).filter_map(|at| self.get(at))
    }

    /// The order of the rows.
    pub(super) fn order(&self) -> &Arc<Order> {
        &self.order
    }
}

impl PartialEq for Rows {
    fn eq(&self, other: &Rows) -> bool {
        self.iter().eq(other.iter())
    }
}

/// A row of a view.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The item.
    pub item: Item,
    /// In the table's view: whether another item has the same primary key, so that one overwrites the other.
    pub collides: bool,
}

impl Row {
    /// Whether the next row of the table's view has the same primary key, so that its item overwrites this one.
    pub fn is_overwritten_by(&self, next: Option<&Row>, key: &KeySchema) -> bool {
        let Some(next) = next.filter(|_| self.collides) else {
            return false;
        };
        let mut keys = key.attributes();
        keys.all(|key| self.item.get(&key.name) == next.item.get(&key.name))
    }
}

/// An item collection: the items with one partition key value.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Its rows.
    pub rows: Range<usize>,
}

impl View {
    /// An empty view without a design.
    pub fn nothing(index: IndexId) -> View {
        View {
            index,
            content: None,
            columns: Vec::new(),
            rows: Rows::default(),
            groups: Vec::new(),
            failed: Vec::new(),
            total: 0,
        }
    }

    /// The values of the partition key attributes of an item collection.
    pub fn partition(&self, group: &Group) -> Vec<Value> {
        let Some((content, first)) = self.content.as_ref().zip(self.rows.get(group.rows.start))
        else {
            return Vec::new();
        };
        let keys = content.key().partition.iter();
        keys.filter_map(|key| first.item.get(&key.name).map(ValueRef::to_value))
            .collect()
    }

    /// Number of items in the table or the index.
    pub fn in_index(&self) -> usize {
        self.rows.len()
    }
}

/// Computes the view of the table or an index. `items` are all items of the design, one list per entity.
pub fn view(design: &Design, index: IndexId, items: &[Arc<Items>]) -> View {
    let mut viewing = ViewBuilder::new(design, index, items, None);
    loop {
        if let Some(view) = viewing.step(design) {
            return view;
        }
    }
}

/// Number of rows that one step processes.
const STEP: usize = 8 * chunk::MAX_ITEMS;

/// Builds a view in steps.
#[derive(Debug)]
pub(super) struct ViewBuilder {
    view: View,
    ordering: Option<Ordering>,
    seen: SeenAttributes,
    /// Number of chunks checked for columns and refused items.
    looked_at: usize,
    /// Number of rows assigned to an item collection.
    grouped: usize,
}

impl ViewBuilder {
    /// Starts a view, reusing the order of the view `before` where possible.
    pub fn new(
        design: &Design,
        index: IndexId,
        items: &[Arc<Items>],
        before: Option<&Arc<Order>>,
    ) -> ViewBuilder {
        let chunks: Vec<Arc<Chunk>> = (items.iter())
            .flat_map(|items| items.chunks().iter().cloned())
            .collect();
        let content = IndexContent::new(design, index);
        let ordering = content.as_ref().map(|content| {
            let names = KeyNames::new(content.key(), &design.table.key);
            let before = before.cloned().unwrap_or_default();
            Ordering::new(before, content.clone(), names, chunks)
        });
        ViewBuilder {
            view: View {
                content,
                total: items.iter().map(|items| items.len()).sum(),
                ..View::nothing(index)
            },
            ordering,
            seen: SeenAttributes::default(),
            looked_at: 0,
            grouped: 0,
        }
    }

    /// Does one step of the work. Returns the view once it is complete.
    pub fn step(&mut self, design: &Design) -> Option<View> {
        if let Some(ordering) = &mut self.ordering {
            if let Some(order) = ordering.step() {
                self.view.rows = Rows {
                    order: Arc::new(order),
                    is_table: self.view.index.is_primary(),
                };
                self.ordering = None;
            }
            return None;
        }
        let chunks = self.view.rows.order.chunks().len();
        if self.looked_at < chunks {
            let end = (self.looked_at + STEP / chunk::MAX_ITEMS).min(chunks);
            for at in self.looked_at..end {
                self.look_at(at);
            }
            self.looked_at = end;
            return None;
        }
        if self.grouped < self.view.rows.len() {
            self.group();
            return None;
        }
        if let Some(content) = &self.view.content {
            self.view.columns = columns(design, content, &self.seen);
        }
        let nothing = View::nothing(self.view.index);
        Some(std::mem::replace(&mut self.view, nothing))
    }

    /// Progress from 0 to 1.
    pub fn progress(&self) -> f64 {
        match &self.ordering {
            Some(ordering) => ordering.progress() * 0.8,
            None => 0.8 + self.grouped as f64 / self.view.rows.len().max(1) as f64 * 0.2,
        }
    }

    fn look_at(&mut self, number: usize) {
        let order = &self.view.rows.order;
        let chunk = &order.chunks()[number];
        // The refused items are shown below the table, so their columns are needed too.
        let all = self.view.index.is_primary();
        (self.seen).add(chunk, &|at| all || order.holds(number, at));
        for (at, problems) in &chunk.problems {
            if problems.iter().any(Problem::stops) {
                self.view.failed.push(chunk::item(chunk, *at as usize));
            }
        }
    }

    fn group(&mut self) {
        let View { rows, groups, .. } = &mut self.view;
        let end = (self.grouped + STEP).min(rows.len());
        for number in self.grouped..end {
            match groups.last_mut() {
                Some(group) if rows.order.same(number)[0] => group.rows.end = number + 1,
                _ => groups.push(Group {
                    rows: number..number + 1,
                }),
            }
        }
        self.grouped = end;
    }
}
