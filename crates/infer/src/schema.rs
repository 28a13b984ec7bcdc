//! The table whose items are read: its key, its indexes, and the key attributes that items can have.

use keyfold_core::model::{Design, Index, KeySchema, KeyType, SortedMap, Value, name};
use serde::{Deserialize, Serialize};

/// An item: its attributes by name.
pub type Item = SortedMap<String, Value>;

/// The keys of a table and its indexes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Schema {
    /// The table's name.
    pub table: String,
    /// The primary key.
    pub key: KeySchema,
    /// The secondary indexes.
    #[serde(default)]
    pub indexes: Vec<Index>,
}

/// A key attribute of the table or an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeySlot {
    pub name: String,
    pub kind: KeyType,
    /// The first key that has it: 0 is the primary key.
    pub key: usize,
    /// Whether it is a partition key attribute of that key.
    pub is_partition: bool,
    /// Whether a template can write it: it is the only attribute of its side of that key.
    pub has_template: bool,
    /// Whether its name says that it holds a key and nothing else: `PK`, `GSI1SK`.
    pub is_generic: bool,
}

impl Schema {
    /// The keys of a design.
    pub fn of(design: &Design) -> Schema {
        let indexes = design.indexes.values();
        Schema {
            table: design.table.name.clone(),
            key: design.table.key.clone(),
            indexes: indexes.map(|index| (**index).clone()).collect(),
        }
    }

    /// The keys: the primary key first, then the indexes' in order.
    pub fn keys(&self) -> impl Iterator<Item = &KeySchema> {
        std::iter::once(&self.key).chain(self.indexes.iter().map(|index| &index.key))
    }

    /// Whether an attribute is part of a key.
    pub(crate) fn has_key_attribute(&self, name: &str) -> bool {
        let mut attributes = self.keys().flat_map(KeySchema::attributes);
        attributes.any(|attribute| attribute.name == name)
    }

    /// The key attributes, each once, in the order of the keys that have them first.
    pub(crate) fn slots(&self) -> Vec<KeySlot> {
        let mut slots: Vec<KeySlot> = Vec::new();
        for (key, schema) in self.keys().enumerate() {
            for attribute in schema.attributes() {
                if slots.iter().all(|slot| slot.name != attribute.name) {
                    slots.push(KeySlot {
                        name: attribute.name.clone(),
                        kind: attribute.kind,
                        key,
                        is_partition: schema.partition.contains(attribute),
                        has_template: !schema.is_multi_attribute(),
                        is_generic: name::is_generic_key(&attribute.name),
                    });
                }
            }
        }
        slots
    }
}
