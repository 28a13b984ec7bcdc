//! Entities: named item types with attributes and, per index, key templates.

use super::{Attribute, IndexId, Value};
use crate::model::SortedMap;
use serde::{Deserialize, Serialize};

/// A named item type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Entity {
    /// Its name, unique in the design; also the value of the table's type attribute.
    pub name: String,
    /// What it stands for, in the author's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Its colour: one of the [`Entity::HUES`] hues, from 0.
    #[serde(default)]
    pub hue: u8,
    /// Its attributes, in the author's order.
    #[serde(default)]
    pub attributes: Vec<Attribute>,
    /// Its keys: the primary key's templates under [`IndexId::PRIMARY`], and an entry for each index it is in.
    #[serde(default)]
    pub keys: SortedMap<IndexId, IndexEntry>,
}

impl Entity {
    /// Number of entity colours.
    pub const HUES: u8 = 12;

    /// An entity without attributes or keys.
    pub fn new(name: impl Into<String>, hue: u8) -> Self {
        Entity {
            name: name.into(),
            description: String::new(),
            hue,
            attributes: Vec::new(),
            keys: SortedMap::new(),
        }
    }

    /// The attribute of this name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name == name)
    }
}

/// How an entity takes part in an index: the templates of the index's key attributes.
/// In a multi-attribute index both are `None`: its key attributes are plain attributes of the item.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IndexEntry {
    /// Template of the partition key attribute; `None`: this entry does not write that attribute
    /// (a local index shares the table's, another index's entry or a plain attribute may supply it).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// Template of the sort key attribute; `None` as for the partition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// All must hold for an item to be in the index (sparse index). Not for the primary key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub when: Vec<Condition>,
}

impl IndexEntry {
    /// An entry with these two templates and no condition.
    pub fn pair(partition: impl Into<String>, sort: impl Into<String>) -> Self {
        IndexEntry {
            partition: Some(partition.into()),
            sort: Some(sort.into()),
            when: Vec::new(),
        }
    }
}

/// A condition on one attribute, such as `featured = true`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Condition {
    /// Name of the attribute.
    pub attribute: String,
    /// What must hold of it.
    pub test: Test,
}

/// What must hold of an attribute's value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Test {
    /// It is there and equal to this.
    Equals(Value),
    /// It is there and not equal to this.
    NotEquals(Value),
    /// It is there and one of these.
    OneOf(Vec<Value>),
    /// It is there.
    Exists,
    /// It is not there.
    Missing,
}

impl Condition {
    /// Whether it holds of an item whose attribute has this value.
    pub fn holds(&self, value: Option<&Value>) -> bool {
        match &self.test {
            Test::Equals(wanted) => value == Some(wanted),
            Test::NotEquals(unwanted) => value.is_some_and(|value| value != unwanted),
            Test::OneOf(wanted) => value.is_some_and(|value| wanted.contains(value)),
            Test::Exists => value.is_some(),
            Test::Missing => value.is_none(),
        }
    }
}
