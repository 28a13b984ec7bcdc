//! What an index contains: which items, and which of their attributes.

use super::written::ValueRef;
use crate::model::{
    AttributeType, Design, IndexId, KeyAttribute, KeySchema, Projection, SortedSet,
};

/// Which items the table or an index contains, and which of their attributes.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexContent {
    key: KeySchema,
    /// The index's key attributes, then the table's other key attributes.
    keys: Vec<String>,
    /// The projected attributes besides keys; `None` for all.
    included: Option<SortedSet<String>>,
}

impl IndexContent {
    /// The content of the table ([`IndexId::PRIMARY`]) or an index; `None` if there is no such index.
    pub fn new(design: &Design, index: IndexId) -> Option<IndexContent> {
        let key = design.key(index)?.clone();
        let mut keys: Vec<String> = Vec::new();
        for attribute in key.attributes().chain(design.table.key.attributes()) {
            if !keys.contains(&attribute.name) {
                keys.push(attribute.name.clone());
            }
        }
        let included = match design.indexes.get(&index).map(|index| &index.projection) {
            None | Some(Projection::All) => None,
            Some(Projection::KeysOnly) => Some(SortedSet::new()),
            Some(Projection::Include(names)) => Some(SortedSet::from_iter(names.iter().cloned())),
        };
        Some(IndexContent {
            key,
            keys,
            included,
        })
    }

    /// The index's key schema.
    pub fn key(&self) -> &KeySchema {
        &self.key
    }

    /// The key attributes that every entry has: the index's own, then the table's.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Whether a stored item with these attributes is in the index: it has every key attribute, with the key's type and
    /// not empty, whether a template or the sample supplies it. Source: "Using Global Secondary Indexes in DynamoDB",
    /// Developer Guide.
    pub(super) fn holds_values<'a>(&self, get: &dyn Fn(&str) -> Option<ValueRef<'a>>) -> bool {
        (self.key.attributes()).all(|key| is_key(get(&key.name), key))
    }

    /// The size in bytes of the projected attributes, names included, without the index's overhead.
    pub(super) fn size_of<'a>(
        &self,
        attributes: impl Iterator<Item = (&'a str, ValueRef<'a>)>,
    ) -> usize {
        attributes
            .filter(|(name, _)| self.shows(name))
            .map(|(name, value)| name.len() + value.size())
            .sum()
    }

    /// Whether all attributes are projected.
    pub fn shows_all(&self) -> bool {
        self.included.is_none()
    }

    /// Whether it projects the attribute.
    pub fn shows(&self, name: &str) -> bool {
        (self.included.as_ref()).is_none_or(|included| {
            included.contains(name) || self.keys.iter().any(|key| key == name)
        })
    }
}

fn is_key(value: Option<ValueRef>, key: &KeyAttribute) -> bool {
    value.is_some_and(|value| value.kind() == AttributeType::from(key.kind) && value.size() > 0)
}
