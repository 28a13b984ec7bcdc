//! What a text means: its design, and where each part of it is in the text.

use super::super::problem::TextProblem;
use crate::lint::Place;
use crate::model::{
    AccessPatternId, AttributeId, Design, EntityId, IndexId, KeyPart, NoteId, SampleId,
};
use std::ops::Range;

/// What a text means.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The design: valid, without the lines that have errors.
    pub design: Design,
    /// What is wrong, in the order of the text.
    pub problems: Vec<TextProblem>,
    /// Where the parts of the design are.
    pub marks: Vec<Mark>,
    /// The part of the design that each statement says, by the number of the statement; see `print`.
    pub(in crate::text) keys: Vec<Option<String>>,
}

impl Lowered {
    /// Where the text says the place of a finding, or what is around it; `None` if it says neither.
    pub fn range_of(&self, place: Place) -> Option<Range<usize>> {
        let parts = match place {
            Place::Table => vec![Part::Table],
            Place::Index(id) => vec![Part::Index(id)],
            Place::Entity(id) => vec![Part::Entity(id)],
            Place::Entry(id, index) => vec![Part::Entry(id, index), Part::Entity(id)],
            Place::Template(id, index, part) => vec![
                Part::Template(id, index, part),
                Part::Entry(id, index),
                Part::Entity(id),
            ],
            Place::Attribute(id, attribute) => {
                vec![Part::Attribute(id, attribute), Part::Entity(id)]
            }
            Place::Sample(id, sample) => vec![Part::Sample(id, sample), Part::Entity(id)],
            Place::Pattern(id) => vec![Part::Pattern(id)],
        };
        parts.into_iter().find_map(|part| self.definition(&part))
    }

    /// Where a part is declared; `None` if the text does not declare it.
    pub fn definition(&self, part: &Part) -> Option<Range<usize>> {
        let mut marks = self.marks.iter();
        let mark = marks.find(|mark| mark.is_definition && mark.part == *part);
        mark.map(|mark| mark.range.clone())
    }

    /// The smallest part whose name, template, key or row contains a position.
    pub fn part_at(&self, offset: usize) -> Option<&Mark> {
        let around = |mark: &&Mark| mark.range.start <= offset && offset <= mark.range.end;
        let marks = self.marks.iter().filter(around);
        marks.min_by_key(|mark| mark.range.len())
    }

    /// Whether the text has an error.
    pub fn has_errors(&self) -> bool {
        self.errors() > 0
    }

    /// How many errors the text has.
    pub fn errors(&self) -> usize {
        let errors = self.problems.iter().filter(|problem| problem.is_error);
        errors.count()
    }
}

/// A place of a part in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The bytes of the name or the template.
    pub range: Range<usize>,
    /// The part.
    pub part: Part,
    /// Whether the part is declared here; otherwise it is mentioned.
    pub is_definition: bool,
}

/// A part of a design that has a place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The table.
    Table,
    /// A secondary index.
    Index(IndexId),
    /// An entity.
    Entity(EntityId),
    /// An attribute of an entity.
    Attribute(EntityId, AttributeId),
    /// An entity's entry in the table or an index.
    Entry(EntityId, IndexId),
    /// A key template of an entity.
    Template(EntityId, IndexId, KeyPart),
    /// A sample.
    Sample(EntityId, SampleId),
    /// An access pattern.
    Pattern(AccessPatternId),
    /// A note.
    Note(NoteId),
}
