//! The problems of an item, and whether DynamoDB refuses the item because of them.

use crate::model::{IndexId, KeyPart, short};
use std::fmt;

/// A problem of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The kind of problem.
    pub kind: ProblemKind,
    /// The index of the key; [`IndexId::PRIMARY`] for the table's key and for the item as a whole.
    pub index: IndexId,
    /// The part of the key; `None` for the item as a whole, or an attribute outside all keys.
    pub part: Option<KeyPart>,
    /// The affected attribute; empty for the item as a whole.
    pub attribute: String,
    /// The template that should have rendered it.
    pub template: Option<String>,
    /// The reason in one clause, without the place.
    pub message: String,
}

/// The kinds of [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemKind {
    /// The template does not parse.
    Template,
    /// A primary key attribute has neither a template nor a value in the sample, or its template lacks a value.
    Missing,
    /// The template cannot render the sample's values.
    Render,
    /// A key attribute's value is of another type than the key.
    WrongType,
    /// A key attribute is an empty string or binary.
    Empty,
    /// A key attribute exceeds the size limit of its key part.
    TooLong,
    /// The templates of two indexes give one attribute different values; the first one is used.
    Conflict,
    /// A template or the type attribute replaces a different value of the sample.
    Replaced,
    /// A value is of another type than its entity's attribute. DynamoDB accepts it; a reader of the item may not.
    OtherType,
    /// The item exceeds the item size limit.
    ItemTooLarge,
    /// A set has no elements, or an attribute no name.
    NotAllowed,
}

impl Problem {
    /// Whether DynamoDB would refuse to store the item. On a put, DynamoDB also checks type, length and emptiness of
    /// secondary index keys. Source: "Working with items and attributes" and "Constraints in Amazon DynamoDB",
    /// Developer Guide.
    pub fn stops(&self) -> bool {
        match self.kind {
            ProblemKind::Template | ProblemKind::Missing | ProblemKind::Render => {
                self.index.is_primary()
            }
            ProblemKind::WrongType
            | ProblemKind::Empty
            | ProblemKind::TooLong
            | ProblemKind::ItemTooLarge
            | ProblemKind::NotAllowed => true,
            ProblemKind::Conflict | ProblemKind::Replaced | ProblemKind::OtherType => false,
        }
    }

    /// The problem with its place in one line. `index_name` is the index's name in the design; a long template is
    /// truncated.
    pub fn describe(&self, index_name: &str) -> String {
        let mut line = String::new();
        if let Some(part) = self.part {
            line.push_str(index_name);
            line.push(' ');
            line.push_str(part.label());
            line.push(' ');
        }
        if !self.attribute.is_empty() {
            line.push_str(&format!("`{}`: ", self.attribute));
        }
        if let Some(template) = &self.template {
            line.push_str(&format!("template `{}`: ", short(template)));
        }
        line + &self.message
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
