//! What is known of an attribute's values without any sample.

use crate::model::SortedMap;
use crate::model::value::AttributeType;
use std::ops::RangeInclusive;

/// What is known of attributes' values, by attribute name. One that is not listed is any text that is not empty.
pub type Shapes = SortedMap<String, ValueShape>;

/// What is known of one attribute's values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueShape {
    /// The attribute's type. Only S, N, BOOL and, alone in a template, B can stand in a key.
    pub kind: AttributeType,
    /// What its values look like.
    pub form: Form,
}

/// What values look like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Any value of the type; for S any text that is not empty.
    #[default]
    Any,
    /// One of these texts, as an enum has them; for N they are numbers.
    OneOf(Vec<String>),
    /// Text of certain characters and lengths. Not for N.
    Chars {
        /// The allowed characters.
        allowed: Vec<RangeInclusive<char>>,
        /// The least number of characters; 0 counts as 1.
        min: usize,
        /// The greatest number of characters, if there is one.
        max: Option<usize>,
    },
    /// A ULID: 26 characters of Crockford's base 32, upper case, the first one 0 to 7. Source: the ULID specification.
    Ulid,
    /// A UUID in its 36 characters, upper or lower case. Source: RFC 9562.
    Uuid,
    /// An ISO 8601 date, `2026-03-01`.
    Date,
    /// An ISO 8601 timestamp with seconds, perhaps a fraction of up to 9 digits, and `Z` or an offset.
    Timestamp,
    /// A whole number from `min` to `max`, as a number or as text without needless zeros.
    Integer {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
}

impl ValueShape {
    /// Any text of type S that has the form.
    pub fn text(form: Form) -> Self {
        Self {
            kind: AttributeType::S,
            form,
        }
    }

    /// Any number of type N that has the form.
    pub fn number(form: Form) -> Self {
        Self {
            kind: AttributeType::N,
            form,
        }
    }
}
