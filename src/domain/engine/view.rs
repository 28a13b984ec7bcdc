//! The table or an index as DynamoDB holds it: which items, in which order, in which item collections.

use super::chunk::{self, Chunk};
use super::columns::{Column, Seen, columns};
use super::content::IndexContent;
use super::item::{Item, Problem};
use super::items::Items;
use super::keys::KeyNames;
use super::order::{Order, Ordering};
use super::written::ValueRef;
use crate::domain::model::{Design, IndexId, Value};
use std::ops::Range;
use std::sync::Arc;

/// The items of the table or of an index.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// The table ([`IndexId::PRIMARY`]) or the index.
    pub index: IndexId,
    /// What it holds; `None` if the design has no such index, and then the view is empty.
    pub content: Option<IndexContent>,
    /// The attributes to show, in order.
    pub columns: Vec<Column>,
    /// The items, by partition key value, then sort key value, then the table's primary key.
    pub rows: Vec<Row>,
    /// The item collections, in order; together they are all rows.
    pub groups: Vec<Group>,
    /// The items that DynamoDB would refuse, by entity and sample; their problems say why.
    pub failed: Vec<Item>,
    /// Number of all items, the refused ones included.
    pub of: usize,
}

/// One item of a view.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The item.
    pub item: Item,
    /// In the table's view: whether another item has the same primary key, so that one overwrites the other.
    pub collides: bool,
}

/// An item collection: the items of one partition key value.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The value of each partition key attribute.
    pub partition: Vec<Value>,
    /// Its rows.
    pub rows: Range<usize>,
}

impl View {
    /// A view of no design.
    pub fn nothing(index: IndexId) -> View {
        View {
            index,
            content: None,
            columns: Vec::new(),
            rows: Vec::new(),
            groups: Vec::new(),
            failed: Vec::new(),
            of: 0,
        }
    }

    /// Number of items in the table or the index.
    pub fn in_index(&self) -> usize {
        self.rows.len()
    }

    /// What a cell shows; `None` if the item lacks the attribute.
    pub fn cell(&self, row: usize, column: usize) -> Option<ValueRef<'_>> {
        let name = &self.columns.get(column)?.name;
        self.rows.get(row)?.item.get(name)
    }
}

/// The view of the table or of an index. `items` are all items of the design, one list for each entity.
pub fn view(design: &Design, index: IndexId, items: &[Arc<Items>]) -> View {
    let mut viewing = Viewing::new(design, index, items, None);
    loop {
        if let Some((view, _)) = viewing.step(design) {
            return view;
        }
    }
}

/// How many rows are made in one step.
const STEP: usize = 8 * chunk::MOST;

/// The making of a view.
#[derive(Debug)]
pub(super) struct Viewing {
    view: View,
    ordering: Option<Ordering>,
    order: Arc<Order>,
    seen: Seen,
    /// Number of chunks that were looked at for columns and refused items.
    looked_at: usize,
}

impl Viewing {
    /// Begins a view, taking over what it can from the order of the view `before`.
    pub fn new(
        design: &Design,
        index: IndexId,
        items: &[Arc<Items>],
        before: Option<&Arc<Order>>,
    ) -> Viewing {
        let chunks: Vec<Arc<Chunk>> = (items.iter())
            .flat_map(|items| items.chunks().iter().cloned())
            .collect();
        let content = IndexContent::new(design, index);
        let ordering = content.as_ref().map(|content| {
            let names = KeyNames::new(content.key(), &design.table.key);
            let before = before.cloned().unwrap_or_default();
            Ordering::new(before, content.clone(), names, chunks)
        });
        Viewing {
            view: View {
                content,
                of: items.iter().map(|items| items.len()).sum(),
                ..View::nothing(index)
            },
            ordering,
            order: Arc::default(),
            seen: Seen::default(),
            looked_at: 0,
        }
    }

    /// Does a little of the work; the view and its order once it is done.
    pub fn step(&mut self, design: &Design) -> Option<(View, Arc<Order>)> {
        if let Some(ordering) = &mut self.ordering {
            if let Some(order) = ordering.step() {
                self.order = Arc::new(order);
                self.ordering = None;
                self.view.rows.reserve_exact(self.order.entries().len());
            }
            return None;
        }
        if self.looked_at < self.order.chunks().len() {
            let end = (self.looked_at + STEP / chunk::MOST).min(self.order.chunks().len());
            for at in self.looked_at..end {
                self.look_at(at);
            }
            self.looked_at = end;
            return None;
        }
        if self.view.rows.len() < self.order.entries().len() {
            self.add_rows();
            return None;
        }
        if let Some(content) = &self.view.content {
            self.view.columns = columns(design, content, &self.seen);
        }
        let nothing = View::nothing(self.view.index);
        Some((
            std::mem::replace(&mut self.view, nothing),
            self.order.clone(),
        ))
    }

    /// How much is done of it, from 0 to 1.
    pub fn progress(&self) -> f64 {
        match &self.ordering {
            Some(ordering) => ordering.progress() * 0.8,
            None => {
                let all = self.order.entries().len().max(1);
                0.8 + self.view.rows.len() as f64 / all as f64 * 0.2
            }
        }
    }

    fn look_at(&mut self, number: usize) {
        let chunk = &self.order.chunks()[number];
        // The refused items are shown below the table, so they need their columns too.
        let all = self.view.index.is_primary();
        let order = &self.order;
        (self.seen).add(chunk, &|at| all || order.holds(number, at));
        for (at, problems) in &chunk.problems {
            if problems.iter().any(Problem::stops) {
                self.view.failed.push(chunk::item(chunk, *at as usize));
            }
        }
    }

    fn add_rows(&mut self) {
        let is_table = self.view.index.is_primary();
        let View {
            rows,
            groups,
            content,
            ..
        } = &mut self.view;
        let entries = self.order.entries();
        let start = rows.len();
        let end = (start + STEP).min(entries.len());
        for (number, entry) in entries.iter().enumerate().take(end).skip(start) {
            let [same_partition, same_key] = match number {
                0 => [false, false],
                _ => self.order.same(number),
            };
            let item = chunk::item(&self.order.chunks()[entry.chunk()], entry.at());
            match groups.last_mut() {
                Some(group) if same_partition => group.rows.end = number + 1,
                _ => groups.push(Group {
                    partition: (content.iter())
                        .flat_map(|content| &content.key().partition)
                        .filter_map(|key| item.get(&key.name).map(ValueRef::to_value))
                        .collect(),
                    rows: number..number + 1,
                }),
            }
            let collides = same_key && is_table;
            if collides && let Some(last) = rows.last_mut() {
                last.collides = true;
            }
            rows.push(Row { item, collides });
        }
    }
}
