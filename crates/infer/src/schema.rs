//! The table whose items are read: its key, its indexes, and the key attributes that items can have.

use keyfold_core::model::{Design, Index, KeySchema, KeyType, SortedMap, Value};
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
                        has_template: !schema.is_multi_attribute(),
                        is_generic: is_generic(&attribute.name),
                    });
                }
            }
        }
        slots
    }
}

/// Words that say "key" and nothing about what it holds.
const GENERIC: &str =
    "pk sk gsi lsi index idx inverted hash range partition sort key keys global local secondary";

/// Whether a key attribute's name consists of such words and numbers only: `PK`, `gsi1_sk`, `GSI1PK`, `HashKey`.
fn is_generic(name: &str) -> bool {
    let mut rest: String = (name.chars())
        .filter(|c| c.is_alphabetic())
        .flat_map(char::to_lowercase)
        .collect();
    let mut found = false;
    while let Some(word) = (GENERIC.split(' ')).find(|word| rest.starts_with(word)) {
        // The longer word first: `keys` before `key`.
        let longer = [word, "s"].concat();
        let length = if GENERIC.split(' ').any(|other| other == longer) && rest.starts_with(&longer)
        {
            longer.len()
        } else {
            word.len()
        };
        rest.drain(..length);
        found = true;
    }
    // `GSI1PK`: the letters alone are `gsipk`; `keySk` must not leave a rest that starts with a half word.
    found && rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::is_generic;

    #[test]
    fn generic_names_are_told_from_names_of_data() {
        for name in [
            "PK",
            "sk",
            "GSI1PK",
            "gsi1_sk",
            "HashKey",
            "partitionKey",
            "lsi-3-sk",
            "pk2",
            "key",
        ] {
            assert!(is_generic(name), "{name}");
        }
        for name in [
            "AccountID",
            "tenantId",
            "State#Date",
            "recordedAt",
            "skill",
            "keyboard",
            "1",
        ] {
            assert!(!is_generic(name), "{name}");
        }
    }
}
