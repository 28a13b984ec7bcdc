//! Attributes of an entity, and the formats of generated sample values.

use super::{AttributeId, AttributeType, EntityId, Value};
use serde::{Deserialize, Serialize};

/// A typed attribute of an entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Attribute {
    /// Identity that survives a rename.
    pub id: AttributeId,
    /// Name, unique in the entity: in the stored item and in templates.
    pub name: String,
    /// DynamoDB type.
    #[serde(rename = "type", default = "text")]
    pub kind: AttributeType,
    /// Whether every item of the entity has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// Whether it is only part of keys: samples have a value and templates render it, but items do not store it. Its
    /// value is parsed back from the keys.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub key_only: bool,
    /// Format of generated sample values; `None` to guess it from the name and the type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// What the attribute means. Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
}

impl Attribute {
    /// An optional attribute of this name and type, without format or description.
    pub fn new(id: AttributeId, name: impl Into<String>, kind: AttributeType) -> Self {
        Attribute {
            id,
            name: name.into(),
            kind,
            required: false,
            key_only: false,
            format: None,
            description: String::new(),
        }
    }
}

fn text() -> AttributeType {
    AttributeType::S
}

/// The format of an attribute's values. Dates and timestamps are ISO 8601 in UTC; ranges include both ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Format {
    /// ULID: 26 characters, sortable by time.
    Ulid,
    /// KSUID: 27 characters, sortable by time.
    Ksuid,
    /// UUID, version 4.
    Uuid,
    /// Email address.
    Email,
    /// A person's name.
    PersonName,
    /// A company's name.
    Company,
    /// One word.
    Word,
    /// One sentence.
    Sentence,
    /// Date, `YYYY-MM-DD`.
    Date {
        /// First day.
        from: String,
        /// Last day.
        to: String,
    },
    /// Timestamp, `YYYY-MM-DDThh:mm:ssZ`.
    Timestamp {
        /// Earliest time.
        from: String,
        /// Latest time.
        to: String,
    },
    /// Whole number.
    Integer {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// Decimal number.
    Decimal {
        /// Smallest value, as decimal text.
        min: String,
        /// Largest value, as decimal text.
        max: String,
        /// Digits after the decimal point.
        places: u8,
    },
    /// One of several values.
    OneOf(Vec<Choice>),
    /// Always the same value.
    Constant(Value),
    /// `prefix` and a running number, zero-padded to `digits`.
    Sequence {
        /// Text before the number.
        prefix: String,
        /// First number.
        start: u64,
        /// Minimum number of digits.
        digits: u8,
    },
    /// A value of another entity's attribute, so that samples join up.
    Reference {
        /// The other entity.
        entity: EntityId,
        /// Name of the attribute of that entity.
        attribute: String,
        /// How often each of its values is used.
        #[serde(default)]
        distribution: Distribution,
    },
}

/// One of the values of [`Format::OneOf`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Choice {
    /// The value.
    pub value: Value,
    /// Weight relative to the other choices; 1 by default.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub weight: u32,
}

fn one() -> u32 {
    1
}

fn is_one(weight: &u32) -> bool {
    *weight == 1
}

/// How references are spread over the values that they can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Distribution {
    /// Each value equally often.
    #[default]
    Uniform,
    /// A few values very often, most rarely (Zipf distribution).
    Skewed,
}
