//! DynamoDB's attribute values. Their text forms: `dynamodb_json`, also in Keyfold's file; `typed_text`, in a cell of the
//! live table; `csv_cell`.

mod attribute_type;
mod csv_cell;
mod dynamodb_json;
mod json_numbers;
mod size;
mod typed_text;

pub use attribute_type::AttributeType;
pub use csv_cell::kind_column;
pub use json_numbers::{number_tokens, refusal_of_rounded, rounded_number};
pub use size::item_size;

use super::number::Number;
use crate::model::{SortedMap, SortedSet};
use std::cmp::Ordering;

/// An attribute value. The derived order is DynamoDB's key order within a type; see [`compare_keys`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// Text.
    S(String),
    /// A number.
    N(Number),
    /// Bytes.
    B(Vec<u8>),
    /// True or false.
    Bool(bool),
    /// DynamoDB's null.
    Null,
    /// A list.
    L(Vec<Value>),
    /// A map.
    M(SortedMap<String, Value>),
    /// A set of strings. DynamoDB refuses an empty set; this type does not.
    Ss(SortedSet<String>),
    /// A set of numbers. DynamoDB refuses an empty set; this type does not.
    Ns(SortedSet<Number>),
    /// A set of binary values. DynamoDB refuses an empty set; this type does not.
    Bs(SortedSet<Vec<u8>>),
}

impl Value {
    /// The value's type.
    pub fn kind(&self) -> AttributeType {
        match self {
            Self::S(_) => AttributeType::S,
            Self::N(_) => AttributeType::N,
            Self::B(_) => AttributeType::B,
            Self::Bool(_) => AttributeType::Bool,
            Self::Null => AttributeType::Null,
            Self::L(_) => AttributeType::L,
            Self::M(_) => AttributeType::M,
            Self::Ss(_) => AttributeType::Ss,
            Self::Ns(_) => AttributeType::Ns,
            Self::Bs(_) => AttributeType::Bs,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::S(text.to_owned())
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::N(value.into())
    }
}

/// Compares two key values in DynamoDB's order: S by UTF-8 bytes, N by value, B by unsigned bytes. Values of different
/// types, which never share an index, compare by type.
pub fn compare_keys(left: &Value, right: &Value) -> Ordering {
    left.cmp(right)
}
