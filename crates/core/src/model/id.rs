//! Ids of the parts of a design. One counter per design hands them all out, so no number is used twice in a design's
//! lifetime, not even by parts of different kinds.

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// Why a text is not an id: the text and the expected form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdError {
    text: String,
    expected: &'static str,
}

impl fmt::Display for IdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not an ID: expected {}",
            self.text, self.expected
        )
    }
}

impl std::error::Error for IdError {}

/// The number after `prefix`: decimal, without sign or leading zeros.
fn number(text: &str, prefix: char) -> Option<u32> {
    let digits = text.strip_prefix(prefix)?;
    if digits.starts_with(['0', '+']) {
        return None;
    }
    digits.parse().ok()
}

/// Reads the text form. A visitor, so that the file reader can report the position of an invalid id.
struct Text<T>(PhantomData<T>);

impl<T: FromStr<Err = IdError>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! text_form {
    ($name:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text(PhantomData))
            }
        }
    };
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal, $expected:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", $prefix, self.0)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                number(text, $prefix).map(Self).ok_or_else(|| IdError {
                    text: text.to_owned(),
                    expected: $expected,
                })
            }
        }

        text_form!($name);
    };
}

id!(
    /// Id of an entity; written `e7`.
    EntityId, 'e', "`e` and a number"
);
id!(
    /// Id of an attribute of an entity; written `a7`. It survives a rename.
    AttributeId, 'a', "`a` and a number"
);
id!(
    /// Id of a sample; written `s7`.
    SampleId, 's', "`s` and a number"
);
id!(
    /// Id of an access pattern; written `p7`.
    AccessPatternId, 'p', "`p` and a number"
);
id!(
    /// Id of a note on the canvas; written `n7`.
    NoteId, 'n', "`n` and a number"
);

/// Id of an index: `primary` for the primary key, `i7` for a secondary index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IndexId(pub u32);

impl IndexId {
    /// The table's primary key. Every design has it; it sorts before all secondary indexes.
    pub const PRIMARY: IndexId = IndexId(0);

    /// Whether this is the table's primary key.
    pub fn is_primary(self) -> bool {
        self == Self::PRIMARY
    }
}

impl fmt::Display for IndexId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_primary() {
            f.write_str("primary")
        } else {
            write!(f, "i{}", self.0)
        }
    }
}

impl FromStr for IndexId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        if text == "primary" {
            return Ok(Self::PRIMARY);
        }
        number(text, 'i').map(Self).ok_or_else(|| IdError {
            text: text.to_owned(),
            expected: "`primary`, or `i` and a number",
        })
    }
}

text_form!(IndexId);

/// Id of a card on the canvas, written as the id of the part it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CardId {
    /// The card of the primary key or a secondary index.
    Index(IndexId),
    /// The card of an entity.
    Entity(EntityId),
    /// A note.
    Note(NoteId),
}

impl fmt::Display for CardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CardId::Index(id) => id.fmt(f),
            CardId::Entity(id) => id.fmt(f),
            CardId::Note(id) => id.fmt(f),
        }
    }
}

impl FromStr for CardId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        (text.parse().map(CardId::Entity))
            .or_else(|_| text.parse().map(CardId::Index))
            .or_else(|_: IdError| text.parse().map(CardId::Note))
            .map_err(|_: IdError| IdError {
                text: text.to_owned(),
                expected: "the ID of an entity (`e7`), an index (`primary`, `i7`) or a note (`n7`)",
            })
    }
}

text_form!(CardId);
