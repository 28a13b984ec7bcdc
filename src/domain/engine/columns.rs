//! The columns of a view.

use super::content::IndexContent;
use super::item::Item;
use crate::domain::model::{Design, EntityId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A column of a view: one attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The attribute's name.
    pub name: String,
    /// Why it is there.
    pub role: ColumnRole,
}

/// What a column's attribute is to the index that is viewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ColumnRole {
    /// A partition key attribute of the index.
    Partition,
    /// A sort key attribute of the index.
    Sort,
    /// A primary key attribute of the table, in the view of an index that has other keys.
    TableKey,
    /// The attribute that names the entity.
    Type,
    /// A key attribute of another index, written by a template.
    OtherKey,
    /// Any other attribute.
    Attribute,
}

/// The columns for these items: the keys, the type attribute, the keys of other indexes, then the attributes of
/// the items' entities in their authors' order, then those that no entity declares, sorted.
pub(super) fn columns<'a>(
    design: &Design,
    content: &IndexContent,
    items: impl Iterator<Item = &'a Arc<Item>>,
) -> Vec<Column> {
    let mut columns = Columns {
        content,
        names: BTreeSet::new(),
        columns: Vec::new(),
    };
    let key = content.key();
    for attribute in &key.partition {
        columns.add(&attribute.name, ColumnRole::Partition);
    }
    for attribute in &key.sort {
        columns.add(&attribute.name, ColumnRole::Sort);
    }
    for name in content.keys() {
        columns.add(name, ColumnRole::TableKey);
    }
    if let Some(name) = &design.table.type_attribute {
        columns.add(name, ColumnRole::Type);
    }

    let mut entities: BTreeSet<EntityId> = BTreeSet::new();
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let mut last: Option<&Arc<Item>> = None;
    for item in items {
        // Neighbours mostly have the same attributes: then there is nothing new to see.
        if !last.is_some_and(|last| same_attributes(last, item)) {
            entities.insert(item.entity);
            used.extend(item.attributes().map(|(name, _)| name));
        }
        last = Some(item);
    }
    for index in design.indexes.values() {
        for attribute in index.key.attributes() {
            if used.contains(attribute.name.as_str()) {
                columns.add(&attribute.name, ColumnRole::OtherKey);
            }
        }
    }
    for entity in entities.iter().filter_map(|id| design.entities.get(id)) {
        for attribute in &entity.attributes {
            columns.add(&attribute.name, ColumnRole::Attribute);
        }
    }
    for name in used {
        columns.add(name, ColumnRole::Attribute);
    }
    columns.columns
}

/// Whether two items surely have the same attributes; without looking at a name, since this is asked for all.
fn same_attributes(left: &Item, right: &Item) -> bool {
    left.entity == right.entity
        && Arc::ptr_eq(&left.sampled, &right.sampled)
        && (left.written.iter().zip(&right.written)).all(|(l, r)| l.is_some() == r.is_some())
}

struct Columns<'a> {
    content: &'a IndexContent,
    names: BTreeSet<String>,
    columns: Vec<Column>,
}

impl Columns<'_> {
    fn add(&mut self, name: &str, role: ColumnRole) {
        if self.content.shows(name) && !self.names.contains(name) {
            self.names.insert(name.to_owned());
            self.columns.push(Column {
                name: name.to_owned(),
                role,
            });
        }
    }
}
