//! The table or an index as DynamoDB holds it: which items, in which order, in which item collections.

use super::columns::{Column, columns};
use super::content::IndexContent;
use super::item::Item;
use super::order::Sorted;
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
    pub failed: Vec<Arc<Item>>,
    /// Number of all items, the refused ones included.
    pub of: usize,
}

/// One item of a view.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The item.
    pub item: Arc<Item>,
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
    /// Number of items in the table or the index.
    pub fn in_index(&self) -> usize {
        self.rows.len()
    }

    /// What a cell shows; `None` if the item lacks the attribute.
    pub fn cell(&self, row: usize, column: usize) -> Option<&Value> {
        let name = &self.columns.get(column)?.name;
        self.rows.get(row)?.item.get(name)
    }
}

/// The view of the table or of an index. `items` are all items of the design, one list for each entity.
pub fn view(design: &Design, index: IndexId, items: &[Arc<Vec<Arc<Item>>>]) -> View {
    let all = || items.iter().flat_map(|list| list.iter());
    let mut view = View {
        index,
        content: IndexContent::new(design, index),
        columns: Vec::new(),
        rows: Vec::new(),
        groups: Vec::new(),
        failed: all().filter(|item| !item.is_stored()).cloned().collect(),
        of: items.iter().map(|list| list.len()).sum(),
    };
    let Some(content) = &view.content else {
        return view;
    };
    let members: Vec<&Arc<Item>> = all().filter(|item| content.holds(item)).collect();
    let sorted = Sorted::new(content.key(), &design.table.key, &members);
    view.rows = (sorted.places())
        .map(|place| Row {
            item: members[place].clone(),
            collides: false,
        })
        .collect();
    let mut start = 0;
    for end in 1..=view.rows.len() {
        let last = end == view.rows.len();
        if !last && index.is_primary() && sorted.same_key(end - 1, end) {
            view.rows[end - 1].collides = true;
            view.rows[end].collides = true;
        }
        if last || !sorted.same_partition(end - 1, end) {
            let partition = sorted.partition(start).iter();
            view.groups.push(Group {
                partition: partition.map(|value| (*value).clone()).collect(),
                rows: start..end,
            });
            start = end;
        }
    }
    view.columns = match index.is_primary() {
        // The refused items are shown below the table, so they need their columns too.
        true => columns(design, content, all()),
        false => columns(design, content, members.into_iter()),
    };
    view
}
