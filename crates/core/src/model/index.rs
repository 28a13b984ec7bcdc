//! Indexes: key schema, kind and projection. The table holds the primary key's schema.

use super::AttributeType;
use super::limits;
use super::table::{ContributorInsights, MaxRequestUnits, ProvisionedThroughput, WarmThroughput};
use serde::{Deserialize, Serialize};

/// The type of a key attribute: one of the three that DynamoDB allows.
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
    /// All key types, in the order of AWS's documentation.
    pub const ALL: [KeyType; 3] = [KeyType::S, KeyType::N, KeyType::B];

    /// DynamoDB's letter for the type.
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

/// A side of a key: partition or sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyPart {
    /// The partition key (HASH).
    Partition,
    /// The sort key (RANGE).
    Sort,
}

impl KeyPart {
    /// What DynamoDB calls it.
    pub fn label(self) -> &'static str {
        match self {
            KeyPart::Partition => "partition key",
            KeyPart::Sort => "sort key",
        }
    }
}

/// One attribute of a key: its name in the stored item and its type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeyAttribute {
    /// The attribute's name in the stored item.
    pub name: String,
    /// The type; the same wherever the name is a key attribute.
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

/// The attributes of a key: one partition key attribute and at most one sort key attribute, or up to four of each with
/// multi-attribute keys (GSI only).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeySchema {
    /// Partition key attributes (HASH), at least one.
    pub partition: Vec<KeyAttribute>,
    /// Sort key attributes (RANGE); empty if the key has only a partition key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sort: Vec<KeyAttribute>,
}

impl KeySchema {
    /// A key of two attributes of type S.
    pub fn pair(partition: impl Into<String>, sort: impl Into<String>) -> Self {
        KeySchema {
            partition: vec![KeyAttribute::text(partition)],
            sort: vec![KeyAttribute::text(sort)],
        }
    }

    /// All attributes, partition key first.
    pub fn attributes(&self) -> impl Iterator<Item = &KeyAttribute> {
        self.partition.iter().chain(&self.sort)
    }

    /// Whether either side has more than one attribute. Such keys consist of plain attributes, without templates.
    pub fn is_multi_attribute(&self) -> bool {
        self.partition.len() > 1 || self.sort.len() > 1
    }
}

/// The kind of a secondary index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub enum IndexKind {
    /// Global secondary index: has its own key, eventually consistent.
    #[default]
    Gsi,
    /// Local secondary index: the table's partition key and its own sort key. Cannot be added to an existing table.
    Lsi,
}

impl IndexKind {
    /// The short name.
    pub fn label(self) -> &'static str {
        match self {
            IndexKind::Gsi => "GSI",
            IndexKind::Lsi => "LSI",
        }
    }
}

/// Which attributes an index contains besides its own key and the table's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub enum Projection {
    /// All attributes.
    #[default]
    All,
    /// Only the keys.
    KeysOnly,
    /// The keys and the named attributes.
    Include(Vec<String>),
}

impl Projection {
    /// Returns the projection of these attributes, too; [`Projection::All`] if they exceed the limit.
    pub fn with(&self, more: &[String]) -> Projection {
        let mut names = match self {
            Projection::Include(names) => names.clone(),
            Projection::All | Projection::KeysOnly => Vec::new(),
        };
        for name in more {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        match names.len() > limits::INCLUDED_PER_INDEX {
            true => Projection::All,
            false => Projection::Include(names),
        }
    }
}

/// A secondary index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Index {
    /// The name, by DynamoDB's rules, unique in the table.
    pub name: String,
    /// Global or local.
    pub kind: IndexKind,
    /// The key schema. An LSI repeats the table's partition key.
    pub key: KeySchema,
    /// The attributes it contains besides keys.
    #[serde(default)]
    pub projection: Projection,
    /// What the index is for. Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Its own capacity on a provisioned table; `None` for the table's capacity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provisioned: Option<ProvisionedThroughput>,
    /// Its own maximum throughput on an on-demand table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_request_units: Option<MaxRequestUnits>,
    /// Its own warm throughput.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_throughput: Option<WarmThroughput>,
    /// CloudWatch Contributor Insights for the index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contributor_insights: Option<ContributorInsights>,
}

impl Index {
    /// A new index with this kind and key that projects all attributes.
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
