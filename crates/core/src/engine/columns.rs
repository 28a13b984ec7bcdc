//! The columns of a view.

use super::chunk::Chunk;
use super::index_content::IndexContent;
use crate::model::{Design, EntityId};

/// A column of a view: one attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The attribute's name.
    pub name: String,
    /// Why the view has the column.
    pub role: ColumnRole,
}

/// The relation of a column's attribute to the index of the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ColumnRole {
    /// A partition key attribute of the index.
    Partition,
    /// A sort key attribute of the index.
    Sort,
    /// A primary key attribute of the table, in the view of an index with a different key.
    TableKey,
    /// The type attribute, which names the entity.
    Type,
    /// A key attribute of another index that a template writes.
    OtherKey,
    /// Any other attribute.
    Attribute,
}

/// The columns of a view: the index's keys, the type attribute, the keys of other indexes, then the attributes of the
/// items' entities in their authors' order, then undeclared attributes, sorted.
pub(super) fn columns(
    design: &Design,
    content: &IndexContent,
    seen: &SeenAttributes,
) -> Vec<Column> {
    let mut columns = Columns {
        content,
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
    for index in design.indexes.values() {
        for attribute in index.key.attributes() {
            if seen.names.contains(&attribute.name) {
                columns.add(&attribute.name, ColumnRole::OtherKey);
            }
        }
    }
    for entity in seen
        .entities
        .iter()
        .filter_map(|id| design.entities.get(id))
    {
        for attribute in &entity.attributes {
            columns.add(&attribute.name, ColumnRole::Attribute);
        }
    }
    for name in &seen.names {
        columns.add(name, ColumnRole::Attribute);
    }
    columns.columns
}

/// The attributes that the items of a view have.
#[derive(Debug, Default)]
pub(super) struct SeenAttributes {
    entities: Vec<EntityId>,
    /// The attribute names, sorted.
    names: Vec<String>,
}

impl SeenAttributes {
    /// Adds the items of a chunk that are in the view. Call it entity by entity.
    pub fn add(&mut self, chunk: &Chunk, is_in: &dyn Fn(usize) -> bool) {
        let all = || (0..chunk.len()).filter(|at| is_in(*at));
        let any = all().next().is_some();
        let mut shapes = vec![any; chunk.facts.shapes.len()];
        if shapes.len() > 1 {
            shapes.fill(false);
            for at in all() {
                shapes[usize::from(chunk.facts.shape[at])] = true;
            }
        }
        // Usually the first item decides.
        let written = chunk
            .columns
            .iter()
            .map(|c| all().any(|at| c.get(at).is_some()));
        let written: Vec<bool> = written.collect();
        if any && self.entities.last() != Some(&chunk.entity) {
            self.entities.push(chunk.entity);
        }
        let sampled = (chunk.facts.shapes.iter().zip(&shapes))
            .filter(|(_, seen)| **seen)
            .flat_map(|(names, _)| names.iter())
            .filter(|name| !chunk.is_key_only(name));
        let written = (chunk.names.iter().zip(&written)).filter(|(_, seen)| **seen);
        for name in sampled.chain(written.map(|(name, _)| name)) {
            if let Err(at) = self.names.binary_search(name) {
                self.names.insert(at, name.clone());
            }
        }
    }
}

struct Columns<'a> {
    content: &'a IndexContent,
    columns: Vec<Column>,
}

impl Columns<'_> {
    fn add(&mut self, name: &str, role: ColumnRole) {
        let is_new = !self.columns.iter().any(|column| column.name == name);
        if is_new && self.content.shows(name) {
            self.columns.push(Column {
                name: name.to_owned(),
                role,
            });
        }
    }
}
