//! Indexes: key schema, kind, projection. The primary key's schema is the table's own.

use super::AttributeType;
use super::table::{ContributorInsights, MaxRequestUnits, ProvisionedThroughput, WarmThroughput};
use serde::{Deserialize, Serialize};

/// The type of a key attribute: the three that DynamoDB allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Default)]
pub enum KeyType {
    /// Text, ordered by its UTF-8 bytes.
    #[default]
    S,
    /// Number, ordered by value.
    N,
    /// Binary, ordered as unsigned bytes.
    B,
}

impl KeyType {
    /// All of them, in the order of the documentation.
    pub const ALL: [KeyType; 3] = [KeyType::S, KeyType::N, KeyType::B];

    /// DynamoDB's letter for it.
    pub fn letter(self) -> &'static str {
        match self {
            KeyType::S => "S",
            KeyType::N => "N",
            KeyType::B => "B",
        }
    }
}

impl From<KeyType> for AttributeType {
    fn from(kind: KeyType) -> Self {
        match kind {
            KeyType::S => AttributeType::S,
            KeyType::N => AttributeType::N,
            KeyType::B => AttributeType::B,
        }
    }
}

/// Which side of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyPart {
    /// The partition key (HASH).
    Partition,
    /// The sort key (RANGE).
    Sort,
}

/// One attribute of a key: its name in the stored item and its type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeyAttribute {
    /// The attribute's name in the stored item.
    pub name: String,
    /// Its type; the same wherever the name is a key attribute.
    #[serde(rename = "type", default)]
    pub kind: KeyType,
}

impl KeyAttribute {
    /// A key attribute of type S.
    pub fn text(name: impl Into<String>) -> Self {
        KeyAttribute {
            name: name.into(),
            kind: KeyType::S,
        }
    }
}

/// The attributes that make a key. One partition and at most one sort attribute, but for
/// multi-attribute keys (global secondary indexes only): up to four of each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeySchema {
    /// Partition key attributes (HASH), at least one.
    pub partition: Vec<KeyAttribute>,
    /// Sort key attributes (RANGE), none for a key of the partition alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sort: Vec<KeyAttribute>,
}

impl KeySchema {
    /// A key of two text attributes.
    pub fn pair(partition: impl Into<String>, sort: impl Into<String>) -> Self {
        KeySchema {
            partition: vec![KeyAttribute::text(partition)],
            sort: vec![KeyAttribute::text(sort)],
        }
    }

    /// All attributes, partition first, each in its order.
    pub fn attributes(&self) -> impl Iterator<Item = &KeyAttribute> {
        self.partition.iter().chain(&self.sort)
    }

    /// Whether either side has more than one attribute. Such a key takes plain attributes, no templates.
    pub fn is_multi_attribute(&self) -> bool {
        self.partition.len() > 1 || self.sort.len() > 1
    }
}

/// The kind of a secondary index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub enum IndexKind {
    /// Global secondary index: a key of its own, eventually consistent.
    #[default]
    Gsi,
    /// Local secondary index: the table's partition key, a sort key of its own; fixed when the table is made.
    Lsi,
}

impl IndexKind {
    /// The usual short name.
    pub fn label(self) -> &'static str {
        match self {
            IndexKind::Gsi => "GSI",
            IndexKind::Lsi => "LSI",
        }
    }
}

/// Which attributes an index holds besides its own keys and the table's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub enum Projection {
    /// All attributes.
    #[default]
    All,
    /// No more than the keys.
    KeysOnly,
    /// The keys and these attributes.
    Include(Vec<String>),
}

/// A secondary index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Index {
    /// Its name, by DynamoDB's rules, unique on the table.
    pub name: String,
    /// Global or local.
    pub kind: IndexKind,
    /// Its key. A local index repeats the table's partition key.
    pub key: KeySchema,
    /// What it holds besides keys.
    #[serde(default)]
    pub projection: Projection,
    /// What it is for, in the author's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Capacity of its own on a provisioned table; `None`: the table's figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provisioned: Option<ProvisionedThroughput>,
    /// Upper limits of its own on an on-demand table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_request_units: Option<MaxRequestUnits>,
    /// Warm throughput of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_throughput: Option<WarmThroughput>,
    /// CloudWatch Contributor Insights for the index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contributor_insights: Option<ContributorInsights>,
}

impl Index {
    /// A new index of this kind with this key, projecting all attributes.
    pub fn new(name: impl Into<String>, kind: IndexKind, key: KeySchema) -> Self {
        Index {
            name: name.into(),
            kind,
            key,
            projection: Projection::All,
            description: String::new(),
            provisioned: None,
            max_request_units: None,
            warm_throughput: None,
            contributor_insights: None,
        }
    }
}
