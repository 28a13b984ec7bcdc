//! Entities: named item types with attributes and key templates per index.

use super::{Attribute, AttributeId, IndexId, Value};
use crate::model::SortedMap;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A named item type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Entity {
    /// The name, unique in the design. It is also the value of the table's type attribute.
    pub name: String,
    /// What the entity stands for. Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The color: a hue from 0 to [`Entity::HUES`] - 1.
    #[serde(default)]
    pub hue: u8,
    /// The attributes, in the author's order.
    #[serde(default)]
    pub attributes: Vec<Attribute>,
    /// The keys: the primary key's templates under [`IndexId::PRIMARY`], and one entry per index that the entity is in.
    #[serde(default)]
    pub keys: SortedMap<IndexId, IndexEntry>,
}

impl Entity {
    /// Number of entity colors.
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

    /// The attribute with this name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name == name)
    }

    /// The attribute with this id.
    pub fn attribute_by_id(&self, id: AttributeId) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.id == id)
    }

    /// The attribute with this name, if items store it: it is not key-only.
    pub fn stored_attribute(&self, name: &str) -> Option<&Attribute> {
        self.attribute(name).filter(|attribute| !attribute.key_only)
    }

    /// Whether the attribute with this name is key-only.
    pub fn is_key_only(&self, name: &str) -> bool {
        self.attribute(name)
            .is_some_and(|attribute| attribute.key_only)
    }
}

/// An entity's entry in an index: the templates of the index's key attributes. In an index with multi-attribute keys
/// both are `None`, because its key attributes are plain attributes of the item.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IndexEntry {
    /// Template of the partition key attribute. `None` if this entry does not write that attribute: an LSI shares the
    /// table's partition key, and another entry or a plain attribute may supply it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<String>,
    /// Template of the sort key attribute; `None` as for the partition key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// Conditions that an item must all meet to be in the index (sparse index). Not for the primary key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub when: Vec<Condition>,
}

impl IndexEntry {
    /// An entry with these two templates and no conditions.
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
    /// Name of the attribute to test.
    pub attribute: String,
    /// The test that its value must pass.
    pub test: Test,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.attribute.as_str();
        match &self.test {
            Test::Equals(value) => write!(f, "{name} = {}", value.to_text()),
            Test::NotEquals(value) => write!(f, "{name} ≠ {}", value.to_text()),
            Test::OneOf(values) => {
                let values: Vec<_> = values.iter().map(|value| value.to_text()).collect();
                write!(f, "{name} is one of {}", values.join(", "))
            }
            Test::Exists => write!(f, "{name} exists"),
            Test::Missing => write!(f, "{name} does not exist"),
        }
    }
}

/// A test of an attribute's value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Test {
    /// The attribute exists and equals this value.
    Equals(Value),
    /// The attribute exists and differs from this value.
    NotEquals(Value),
    /// The attribute exists and equals one of these values.
    OneOf(Vec<Value>),
    /// The attribute exists.
    Exists,
    /// The attribute does not exist.
    Missing,
}

impl Condition {
    /// Whether an item whose attribute has this value meets the condition.
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
