//! DynamoDB's attribute values: types, sizes and order. The submodule `forms` writes them as DynamoDB JSON, in
//! Keyfold's file and in a table cell; `cell` writes them as CSV.

mod cell;
mod forms;

use super::limits;
use super::number::Number;
use crate::model::{SortedMap, SortedSet};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

/// The type of an attribute value, written in files and requests as DynamoDB's descriptor (`S`, `BOOL`, `SS`).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "UPPERCASE")]
pub enum AttributeType {
    /// UTF-8 text.
    #[default]
    S,
    /// A decimal number.
    N,
    /// Bytes.
    B,
    /// True or false.
    Bool,
    /// DynamoDB's null.
    Null,
    /// A list of values of any type.
    L,
    /// A map from names to values of any type.
    M,
    /// A set of strings.
    Ss,
    /// A set of numbers.
    Ns,
    /// A set of binary values.
    Bs,
}

impl AttributeType {
    /// All types, in menu order.
    pub const ALL: [Self; 10] = [
        Self::S,
        Self::N,
        Self::B,
        Self::Bool,
        Self::Null,
        Self::L,
        Self::M,
        Self::Ss,
        Self::Ns,
        Self::Bs,
    ];

    /// DynamoDB's type descriptor: `S`, `BOOL`, `SS`.
    pub fn word(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::N => "N",
            Self::B => "B",
            Self::Bool => "BOOL",
            Self::Null => "NULL",
            Self::L => "L",
            Self::M => "M",
            Self::Ss => "SS",
            Self::Ns => "NS",
            Self::Bs => "BS",
        }
    }

    /// Parses one of DynamoDB's type descriptors.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// The display name of the type: `String`, `Number set`.
    pub fn label(self) -> &'static str {
        match self {
            Self::S => "String",
            Self::N => "Number",
            Self::B => "Binary",
            Self::Bool => "Boolean",
            Self::Null => "Null",
            Self::L => "List",
            Self::M => "Map",
            Self::Ss => "String set",
            Self::Ns => "Number set",
            Self::Bs => "Binary set",
        }
    }
}

impl fmt::Display for AttributeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

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

/// Overhead of a list or a map in bytes, besides its elements. Source: "Item sizes and formats", Amazon DynamoDB
/// Developer Guide.
const CONTAINER_BYTES: usize = 3;
/// Overhead of each element of a list or a map in bytes. Same source.
const ELEMENT_BYTES: usize = 1;

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

    /// The value's share of an item's size in bytes, without its attribute's name. Source: "Item sizes and formats",
    /// Amazon DynamoDB Developer Guide, where a number's size is approximate.
    pub fn size(&self) -> usize {
        match self {
            Self::S(text) => text.len(),
            Self::N(number) => number.size(),
            Self::B(bytes) => bytes.len(),
            Self::Bool(_) | Self::Null => 1,
            Self::L(list) => {
                CONTAINER_BYTES + list.iter().map(|v| v.size() + ELEMENT_BYTES).sum::<usize>()
            }
            Self::M(map) => CONTAINER_BYTES + item_size(map) + map.len() * ELEMENT_BYTES,
            Self::Ss(set) => set.iter().map(String::len).sum(),
            Self::Ns(set) => set.iter().map(Number::size).sum(),
            Self::Bs(set) => set.iter().map(Vec::len).sum(),
        }
    }

    /// Nesting depth of lists and maps: 0 for a scalar or a set.
    fn depth(&self) -> usize {
        match self {
            Self::L(list) => 1 + list.iter().map(Self::depth).max().unwrap_or(0),
            Self::M(map) => 1 + map.values().map(Self::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// Returns the value, or a message if it is nested deeper than DynamoDB allows.
    fn check_depth(self) -> Result<Self, String> {
        match self.depth() {
            depth if depth > limits::NESTING_LEVELS => Err(format!(
                "lists and maps are nested {depth} levels deep; DynamoDB allows {}",
                limits::NESTING_LEVELS
            )),
            _ => Ok(self),
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

/// The size of an item in bytes: the UTF-8 bytes of its attribute names plus the sizes of its values.
pub fn item_size(item: &SortedMap<String, Value>) -> usize {
    item.iter()
        .map(|(name, value)| name.len() + value.size())
        .sum()
}

/// Compares two key values in DynamoDB's order: S by UTF-8 bytes, N by value, B by unsigned bytes. Values of different
/// types, which never share an index, compare by type.
pub fn compare_keys(left: &Value, right: &Value) -> Ordering {
    left.cmp(right)
}
