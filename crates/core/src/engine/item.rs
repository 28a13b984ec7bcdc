//! Items as stored in the table, and their problems.

use super::chunk::Chunk;
use super::written::{Column, ValueRef};
use crate::model::{EntityId, IndexId, KeyPart, Sample, SampleId, SortedMap, Value, short};
use std::fmt;
use std::sync::Arc;

/// The item of one sample: the sample's attributes, the key attributes that its entity's templates render, and the type
/// attribute. Cheap to clone: the values are shared with the design and with other items.
#[derive(Clone)]
pub struct Item {
    /// The entity of the item.
    pub entity: EntityId,
    pub(super) chunk: Arc<Chunk>,
    /// Position in the chunk.
    pub(super) at: u32,
}

impl Item {
    /// The id of its sample.
    pub fn id(&self) -> SampleId {
        self.chunk.facts.ids[self.at as usize]
    }

    /// Its sample.
    pub fn sample(&self) -> &Arc<Sample> {
        &self.chunk.facts.samples[self.at as usize]
    }

    /// The problems that DynamoDB or a careful writer would report, in the order of the indexes.
    pub fn problems(&self) -> &[Problem] {
        self.chunk.problems(self.at as usize)
    }

    /// Whether DynamoDB would accept a put of the item. An item that is not stored is in no index.
    pub fn is_stored(&self) -> bool {
        self.chunk.is_stored(self.at as usize)
    }

    /// The size in bytes as DynamoDB counts it, attribute names included.
    pub fn size(&self) -> usize {
        let size = |(name, value): (&str, ValueRef)| name.len() + value.size();
        (self.chunk.size(self.at as usize))
            .unwrap_or_else(|| self.attributes().into_iter().map(size).sum())
    }

    /// The stored value of an attribute.
    pub fn get(&self, name: &str) -> Option<ValueRef<'_>> {
        let sampled = || self.sample().values.get(name).map(ValueRef::Value);
        self.written_as(name).or_else(sampled)
    }

    /// Whether the plan writes the attribute (by a template or as the type attribute), so that it cannot be edited in
    /// the sample.
    pub fn is_written(&self, name: &str) -> bool {
        self.written_as(name).is_some()
    }

    fn written_as(&self, name: &str) -> Option<ValueRef<'_>> {
        self.chunk.columns[self.chunk.slot(name)?].get(self.at as usize)
    }

    /// Whether any stored attribute passes the test. The order is unspecified; faster than [`Item::attributes`].
    pub fn any(&self, test: &dyn Fn(&str, ValueRef) -> bool) -> bool {
        let passes = |(name, column): (&String, &Arc<Column>)| {
            (column.get(self.at as usize)).is_some_and(|value| test(name, value))
        };
        (self.chunk.names.iter().zip(&self.chunk.columns)).any(passes)
            || (self.sample().values.iter())
                .any(|(name, value)| test(name, ValueRef::Value(value)) && !self.is_written(name))
    }

    /// All stored attributes, sorted by name.
    pub fn attributes(&self) -> Vec<(&str, ValueRef<'_>)> {
        let written = self.chunk.names.iter().zip(&self.chunk.columns);
        let mut all: Vec<(&str, ValueRef)> = written
            .filter_map(|(name, column)| Some((name.as_str(), column.get(self.at as usize)?)))
            .collect();
        for (name, value) in self.sample().values.iter() {
            // A written value replaces the sample's.
            if let Err(at) = all.binary_search_by_key(&name.as_str(), |(name, _)| name) {
                all.insert(at, (name, ValueRef::Value(value)));
            }
        }
        all
    }

    /// Like [`Item::attributes`], with copies of the values.
    pub fn to_map(&self) -> SortedMap<String, Value> {
        let copies = (self.attributes().into_iter())
            .map(|(name, value)| (name.to_owned(), value.to_value()));
        copies.collect()
    }
}

impl PartialEq for Item {
    fn eq(&self, other: &Item) -> bool {
        let is_same = Arc::ptr_eq(&self.chunk, &other.chunk) && self.at == other.at;
        is_same
            || self.id() == other.id()
                && self.entity == other.entity
                && self.attributes() == other.attributes()
                && self.problems() == other.problems()
    }
}

impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.id())?;
        f.debug_map().entries(self.attributes()).finish()
    }
}

/// A problem of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The kind of problem.
    pub kind: ProblemKind,
    /// The index of the key; [`IndexId::PRIMARY`] for the table's key and for the item as a whole.
    pub index: IndexId,
    /// The part of the key; `None` for the item as a whole, or an attribute outside all keys.
    pub part: Option<KeyPart>,
    /// The affected attribute; empty for the item as a whole.
    pub attribute: String,
    /// The template that should have rendered it.
    pub template: Option<String>,
    /// The reason in one clause, without the place.
    pub message: String,
}

/// The kinds of [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemKind {
    /// The template does not parse.
    Template,
    /// A primary key attribute has neither a template nor a value in the sample, or its template lacks a value.
    Missing,
    /// The template cannot render the sample's values.
    Render,
    /// A key attribute's value is of another type than the key.
    WrongType,
    /// A key attribute is an empty string or binary.
    Empty,
    /// A key attribute exceeds the size limit of its key part.
    TooLong,
    /// The templates of two indexes give one attribute different values; the first one is used.
    Conflict,
    /// A template or the type attribute replaces a different value of the sample.
    Replaced,
    /// A value is of another type than its entity's attribute. DynamoDB accepts it; a reader of the item may not.
    OtherType,
    /// The item exceeds the item size limit.
    ItemTooLarge,
}

impl Problem {
    /// Whether DynamoDB would refuse to store the item. On a put, DynamoDB also checks type, length and emptiness of
    /// secondary index keys. Source: "Working with items and attributes" and "Constraints in Amazon DynamoDB",
    /// Developer Guide.
    pub fn stops(&self) -> bool {
        match self.kind {
            ProblemKind::Template | ProblemKind::Missing | ProblemKind::Render => {
                self.index.is_primary()
            }
            ProblemKind::WrongType
            | ProblemKind::Empty
            | ProblemKind::TooLong
            | ProblemKind::ItemTooLarge => true,
            ProblemKind::Conflict | ProblemKind::Replaced | ProblemKind::OtherType => false,
        }
    }

    /// The problem with its place in one line. `index_name` is the index's name in the design; a long template is
    /// truncated.
    pub fn describe(&self, index_name: &str) -> String {
        let mut line = String::new();
        if let Some(part) = self.part {
            line.push_str(index_name);
            line.push(' ');
            line.push_str(part.label());
            line.push(' ');
        }
        if !self.attribute.is_empty() {
            line.push_str(&format!("`{}`: ", self.attribute));
        }
        if let Some(template) = &self.template {
            line.push_str(&format!("template `{}`: ", short(template)));
        }
        line + &self.message
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
