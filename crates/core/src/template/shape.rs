//! The possible values of attributes, without samples.

use crate::model::SortedMap;
use crate::model::value::AttributeType;
use std::ops::RangeInclusive;

/// The possible values of attributes, by attribute name. An attribute that is not listed can be any non-empty string.
pub type Shapes = SortedMap<String, ValueShape>;

/// The possible values of one attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueShape {
    /// The attribute's type. Only S, N, BOOL and, alone in a template, B can be part of a key.
    pub kind: AttributeType,
    /// The form of its values.
    pub form: Form,
}

/// The form of values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Any value of the type; for S any non-empty string.
    #[default]
    Any,
    /// One of these texts, as in an enumeration; for N they are numbers.
    OneOf(Vec<String>),
    /// Text with certain characters and lengths. Not for N.
    Chars {
        /// The allowed characters.
        allowed: Vec<RangeInclusive<char>>,
        /// Minimum number of characters; 0 counts as 1.
        min: usize,
        /// Maximum number of characters, if any.
        max: Option<usize>,
    },
    /// A ULID: 26 characters of Crockford's base 32, uppercase, the first one 0 to 7. Source: the ULID specification.
    Ulid,
    /// A UUID of 36 characters, uppercase or lowercase. Source: RFC 9562.
    Uuid,
    /// An ISO 8601 date, `2026-03-01`.
    Date,
    /// An ISO 8601 timestamp with seconds, an optional fraction of up to 9 digits, and `Z` or an offset.
    Timestamp,
    /// A whole number from `min` to `max`, as a number or as text without needless zeros.
    Integer {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
}

impl ValueShape {
    /// Values of type S with this form.
    pub fn text(form: Form) -> Self {
        Self {
            kind: AttributeType::S,
            form,
        }
    }

    /// Values of type N with this form.
    pub fn number(form: Form) -> Self {
        Self {
            kind: AttributeType::N,
            form,
        }
    }
}
