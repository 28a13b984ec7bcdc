//! The types of attribute values, and their names.

use serde::{Deserialize, Serialize};
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
