//! Attributes of an entity, and the formats from which sample values are generated.

use super::{AttributeId, AttributeType, EntityId, Value};
use serde::{Deserialize, Serialize};

/// A typed attribute of an entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Attribute {
    /// Identity that outlives a rename.
    pub id: AttributeId,
    /// Name in the stored item, unique in the entity.
    pub name: String,
    /// DynamoDB type.
    #[serde(rename = "type", default = "text")]
    pub kind: AttributeType,
    /// Whether every item of the entity has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// What its values look like; `None`: guessed from name and type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// What it means, in the author's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
}

impl Attribute {
    /// An optional attribute of this name and type, nothing else said.
    pub fn new(id: AttributeId, name: impl Into<String>, kind: AttributeType) -> Self {
        Attribute {
            id,
            name: name.into(),
            kind,
            required: false,
            format: None,
            description: String::new(),
        }
    }
}

fn text() -> AttributeType {
    AttributeType::S
}

/// What an attribute's values look like. Dates and timestamps are ISO 8601 in UTC; ranges include both ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Format {
    /// ULID: 26 characters, sortable by time.
    Ulid,
    /// KSUID: 27 characters, sortable by time.
    Ksuid,
    /// UUID, version 4.
    Uuid,
    /// E-mail address.
    Email,
    /// Name of a person.
    PersonName,
    /// Name of a company.
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
        /// Earliest.
        from: String,
        /// Latest.
        to: String,
    },
    /// Whole number.
    Integer {
        /// Least.
        min: i64,
        /// Greatest.
        max: i64,
    },
    /// Decimal number.
    Decimal {
        /// Least, as decimal text.
        min: String,
        /// Greatest, as decimal text.
        max: String,
        /// Digits after the point.
        places: u8,
    },
    /// One of these.
    OneOf(Vec<Choice>),
    /// Always this.
    Constant(Value),
    /// `prefix` and a running number, padded to `digits`.
    Sequence {
        /// Text before the number.
        prefix: String,
        /// First number.
        start: u64,
        /// Least number of digits.
        digits: u8,
    },
    /// A value that another entity's attribute has, so that keys join up.
    Reference {
        /// The other entity.
        entity: EntityId,
        /// Name of its attribute.
        attribute: String,
        /// How often each of its values is taken.
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
    /// How often it is taken, relative to the others; 1 by default.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub weight: u32,
}

fn one() -> u32 {
    1
}

fn is_one(weight: &u32) -> bool {
    *weight == 1
}

/// How references spread over the values they can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Distribution {
    /// Each equally often.
    #[default]
    Uniform,
    /// A few very often, most seldom (Zipf).
    Skewed,
}
