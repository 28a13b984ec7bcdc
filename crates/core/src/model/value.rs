//! DynamoDB's attribute values: their types, sizes and order. How they are written, as DynamoDB JSON, in
//! Keyfold's file and in a table cell, is in the submodule `forms`, as a cell of a CSV file in `cell`.

mod cell;
mod forms;

use super::limits;
use super::number::Number;
use crate::model::{SortedMap, SortedSet};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

/// The type of an attribute value, written in files and requests as DynamoDB's own word (`S`, `BOOL`, `SS`).
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
    /// The value that says there is none.
    Null,
    /// A list of values of any type.
    L,
    /// A map from names to values of any type.
    M,
    /// A set of texts.
    Ss,
    /// A set of numbers.
    Ns,
    /// A set of byte strings.
    Bs,
}

impl AttributeType {
    /// All types, in the order in which a menu offers them.
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

    /// DynamoDB's word for the type: `S`, `BOOL`, `SS`.
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

    /// The type for one of DynamoDB's words, or none.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// The type's name for a reader: `String`, `Number set`.
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

/// One attribute value. The derived order is DynamoDB's key order within a type; see [`compare_keys`].
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
    /// A set of texts. DynamoDB refuses an empty set; the type does not.
    Ss(SortedSet<String>),
    /// A set of numbers. DynamoDB refuses an empty set; the type does not.
    Ns(SortedSet<Number>),
    /// A set of byte strings. DynamoDB refuses an empty set; the type does not.
    Bs(SortedSet<Vec<u8>>),
}

/// Bytes that a list or a map takes besides its elements.
/// Source: "Item sizes and formats", Amazon DynamoDB Developer Guide.
const CONTAINER_BYTES: usize = 3;
/// Bytes that each element of a list or a map takes besides its own size. Same source.
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

    /// What the value adds to an item's size, in bytes, without its attribute's name.
    /// Source: "Item sizes and formats", Amazon DynamoDB Developer Guide; a number's size is approximate there.
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

    /// How many levels of lists and maps the value has: 0 for a scalar or a set.
    fn depth(&self) -> usize {
        match self {
            Self::L(list) => 1 + list.iter().map(Self::depth).max().unwrap_or(0),
            Self::M(map) => 1 + map.values().map(Self::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// The value itself, or a message when it is nested deeper than DynamoDB allows.
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

/// The size of an item in bytes: the UTF-8 bytes of its attributes' names plus its values' sizes.
pub fn item_size(item: &SortedMap<String, Value>) -> usize {
    item.iter()
        .map(|(name, value)| name.len() + value.size())
        .sum()
}

/// Orders two key values as DynamoDB does: S by UTF-8 bytes, N by value, B by unsigned bytes.
/// Values of different types, which no one index mixes, are ordered by type.
pub fn compare_keys(left: &Value, right: &Value) -> Ordering {
    left.cmp(right)
}
