//! Findings: the results of the linter.

use super::fix::Fix;
use crate::model::{
    AccessPatternId, AttributeId, CardId, Design, EntityId, IndexId, KeyPart, SampleId, id::IdError,
};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The severity of a finding. `keyfold lint` fails on warnings and errors that are not silenced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A remark; the design works.
    Info,
    /// Probably a mistake, or expensive at scale.
    Warning,
    /// DynamoDB rejects it, or data is lost.
    Error,
}

impl Severity {
    /// All severities, the most severe first.
    pub const ALL: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Info];

    /// Returns `error`, `warning` or `info`.
    pub fn label(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// One problem that a rule found in a design.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule's code, such as `K006`; see [`super::rule`].
    pub code: &'static str,
    /// The rule's name, such as `equal-keys`.
    pub rule: &'static str,
    /// The severity, usually the rule's.
    pub severity: Severity,
    /// The part of the design that the finding is about.
    pub place: Place,
    /// The affected bytes of the place's text, if the place is a template; `None` for the whole text.
    pub span: Option<Range<usize>>,
    /// The affected attributes of a sample's item; empty for the whole item and for other places.
    pub attributes: Vec<String>,
    /// One line: what is wrong, and what to do.
    pub message: String,
    /// Keys or values that demonstrate the finding; often a pair, may be empty.
    pub examples: Vec<String>,
    /// The change that resolves it, if there is one.
    pub fix: Option<Fix>,
    /// The reason why it is silenced; `None` if it is not.
    pub silenced: Option<String>,
}

/// The part of a design that a finding is about. Displays as ids from the outside in, `e3/i2/partition`; the design
/// file stores the places of silenced findings in this form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The table and its settings: `table`.
    Table,
    /// A secondary index: `i2`.
    Index(IndexId),
    /// An entity: `e3`.
    Entity(EntityId),
    /// An entity's entry in the table (`e3/primary`) or in an index (`e3/i2`).
    Entry(EntityId, IndexId),
    /// A key template of such an entry: `e3/i2/partition`, `e3/primary/sort`.
    Template(EntityId, IndexId, KeyPart),
    /// An attribute: `e3/a4`.
    Attribute(EntityId, AttributeId),
    /// A sample: `e3/s5`.
    Sample(EntityId, SampleId),
    /// An access pattern: `p6`.
    Pattern(AccessPatternId),
}

impl Place {
    /// Returns the entity that contains the place.
    pub fn entity(self) -> Option<EntityId> {
        match self {
            Place::Entity(entity)
            | Place::Entry(entity, _)
            | Place::Template(entity, ..)
            | Place::Attribute(entity, _)
            | Place::Sample(entity, _) => Some(entity),
            Place::Table | Place::Index(_) | Place::Pattern(_) => None,
        }
    }

    /// Returns the table or index that the place belongs to.
    pub fn index(self) -> Option<IndexId> {
        match self {
            Place::Table => Some(IndexId::PRIMARY),
            Place::Index(index) | Place::Entry(_, index) | Place::Template(_, index, _) => {
                Some(index)
            }
            _ => None,
        }
    }

    /// Returns the canvas card that shows the finding; `None` for an access pattern.
    pub fn card(self) -> Option<CardId> {
        match self {
            Place::Pattern(_) => None,
            _ => (self.entity().map(CardId::Entity)).or(self.index().map(CardId::Index)),
        }
    }

    /// Describes the place in words: `Order, GSI1 partition key`, `access pattern List orders`.
    pub fn describe(self, design: &Design) -> String {
        let entity = |id: EntityId| match design.entities.get(&id) {
            Some(entity) => entity.name.clone(),
            None => id.to_string(),
        };
        match self {
            Place::Table => "Table".to_owned(),
            Place::Index(index) => design.index_name(index).to_owned(),
            Place::Entity(id) => entity(id),
            Place::Entry(id, index) => entity(id) + ", " + design.index_name(index),
            Place::Template(id, index, part) => {
                let part = match part {
                    KeyPart::Partition => " partition key",
                    KeyPart::Sort => " sort key",
                };
                entity(id) + ", " + design.index_name(index) + part
            }
            Place::Attribute(id, attribute) => {
                let owner = design.entities.get(&id);
                let found = owner.and_then(|owner| owner.attribute_by_id(attribute));
                entity(id) + "." + found.map_or("", |attribute| attribute.name.as_str())
            }
            Place::Sample(id, sample) => {
                let mut samples = design.samples_of(id).iter();
                let row = samples.position(|other| other.id == sample);
                entity(id) + ", sample " + &row.map_or(0, |row| row + 1).to_string()
            }
            Place::Pattern(id) => {
                let pattern = design.access_patterns.get(&id);
                "access pattern ".to_owned() + pattern.map_or("", |pattern| pattern.name.as_str())
            }
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Table => f.write_str("table"),
            Place::Index(index) => index.fmt(f),
            Place::Entity(entity) => entity.fmt(f),
            Place::Entry(entity, index) => write!(f, "{entity}/{index}"),
            Place::Template(entity, index, part) => {
                let part = match part {
                    KeyPart::Partition => "partition",
                    KeyPart::Sort => "sort",
                };
                write!(f, "{entity}/{index}/{part}")
            }
            Place::Attribute(entity, attribute) => write!(f, "{entity}/{attribute}"),
            Place::Sample(entity, sample) => write!(f, "{entity}/{sample}"),
            Place::Pattern(pattern) => pattern.fmt(f),
        }
    }
}

impl FromStr for Place {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let mut parts = text.split('/');
        let (first, second, third) = (parts.next().unwrap_or(""), parts.next(), parts.next());
        let (None, Some(second)) = (parts.next(), second) else {
            return match first {
                "table" => Ok(Place::Table),
                _ => (first.parse().map(Place::Entity))
                    .or_else(|_: IdError| first.parse().map(Place::Pattern))
                    .or_else(|_: IdError| first.parse().map(Place::Index)),
            };
        };
        let entity: EntityId = first.parse()?;
        match third {
            None => (second.parse().map(|id| Place::Attribute(entity, id)))
                .or_else(|_: IdError| second.parse().map(|id| Place::Sample(entity, id)))
                .or_else(|_: IdError| second.parse().map(|id| Place::Entry(entity, id))),
            Some("partition") => Ok(Place::Template(entity, second.parse()?, KeyPart::Partition)),
            Some(third) => match third {
                "sort" => Ok(Place::Template(entity, second.parse()?, KeyPart::Sort)),
                // Not a valid place: parse it as an entity id so that the error says what was expected.
                _ => third.parse().map(Place::Entity),
            },
        }
    }
}
