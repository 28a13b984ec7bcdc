//! Items as stored in the table, and their problems.

use super::chunk::Chunk;
use super::index_content::IndexContent;
use super::problem::Problem;
use super::written::{Column, ValueRef};
use crate::model::{EntityId, Sample, SampleId, SortedMap, Value};
use std::fmt;
use std::sync::Arc;

/// The item of one sample: the sample's attributes except key-only ones, the key attributes that its entity's templates render, and the type
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
        let sampled = || {
            let value = self.sample().values.get(name);
            value.filter(|_| !self.is_key_only(name))
        };
        (self.written_as(name)).or_else(|| sampled().map(ValueRef::Value))
    }

    /// The value under a name, stored or not: of a key-only attribute, the sample's, which the keys hold.
    pub fn known(&self, name: &str) -> Option<ValueRef<'_>> {
        let sampled = || self.sample().values.get(name).map(ValueRef::Value);
        self.written_as(name).or_else(sampled)
    }

    /// Whether the plan writes the attribute (by a template or as the type attribute), so that it cannot be edited in
    /// the sample.
    pub fn is_written(&self, name: &str) -> bool {
        self.written_as(name).is_some()
    }

    /// Whether the attribute is key-only in the item's entity: only the sample has its value.
    pub fn is_key_only(&self, name: &str) -> bool {
        self.chunk.is_key_only(name)
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
            || (self.sample().values.iter()).any(|(name, value)| {
                !self.is_key_only(name)
                    && test(name, ValueRef::Value(value))
                    && !self.is_written(name)
            })
    }

    /// All stored attributes, sorted by name.
    pub fn attributes(&self) -> Vec<(&str, ValueRef<'_>)> {
        let written = self.chunk.names.iter().zip(&self.chunk.columns);
        let mut all: Vec<(&str, ValueRef)> = written
            .filter_map(|(name, column)| Some((name.as_str(), column.get(self.at as usize)?)))
            .collect();
        let sampled = self.sample().values.iter();
        for (name, value) in sampled.filter(|(name, _)| !self.is_key_only(name)) {
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

impl IndexContent {
    /// Whether the item is in it: the item is stored and has every key attribute, of the key's type and not
    /// empty, whoever wrote it.
    pub fn holds(&self, item: &Item) -> bool {
        item.is_stored() && self.holds_values(&|name| item.get(name))
    }

    /// The projected attributes of an item: the keys first, then the others sorted by name.
    pub fn attributes<'a>(&'a self, item: &'a Item) -> Vec<(&'a str, ValueRef<'a>)> {
        let mut all = Vec::new();
        for key in self.keys() {
            if let Some(value) = item.get(key) {
                all.push((key.as_str(), value));
            }
        }
        let is_key = |name: &str| self.keys().iter().any(|key| key == name);
        for (name, value) in item.attributes() {
            if self.shows(name) && !is_key(name) {
                all.push((name, value));
            }
        }
        all
    }

    /// The size in bytes of what is projected of an item, names included, without the index's own overhead.
    pub fn size(&self, item: &Item) -> usize {
        match self.shows_all() {
            true => item.size(),
            false => self.size_of(item.attributes().into_iter()),
        }
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
