//! The meaning of a text: a design, where each of its parts is in the text, and what is wrong. A line with an error is
//! left out, and the rest counts: the design is valid whatever the text says.
//!
//! Ids are not in the text. Parts of the previous design keep theirs: by name, then by position and content
//! ([`identity`]).

mod attributes;
mod canvas;
mod entity;
mod exports;
mod formats;
mod identity;
mod index;
mod misread;
mod pattern;
mod silence;
mod table;
mod throughput;

pub(super) use entity::cells;
pub(super) use formats::{DATES, DAY, first_of_sequence, implied, is_day, is_weighted};
pub(super) use pattern::RESERVED;

use super::cursor::{Cursor, Spot};
use super::parse::Parse;
use super::problem::{Problems, TextProblem};
use super::statement::{Statement, Statements, statements};
use super::syntax::SyntaxKind;
use crate::lint::Place;
use crate::model::{
    AccessPatternId, AttributeId, Design, EntityId, IndexId, KeyPart, NoteId, SampleId, SortedMap,
    Table, name, validate_invariants,
};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

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
    pub(super) keys: Vec<Option<String>>,
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

/// Returns the design that a text means. Parts keep the ids that they have in the previous design.
pub fn lower(parse: &Parse, previous: Option<&Design>) -> Lowered {
    let text = parse.text();
    let statements = statements(&parse.root(), &text);
    let fresh = Design::new("Design");
    let previous = previous.unwrap_or(&fresh);
    let mut lower = Lower {
        design: Design::new("Design"),
        previous,
        problems: Problems::default(),
        marks: Vec::new(),
        keys: vec![None; statements.count],
        blocks: &statements.blocks,
        misread_blocks: OnceCell::new(),
        broken_indexes: Vec::new(),
        sample_rows: SortedMap::new(),
    };
    lower.design.next_id = previous.next_id;
    lower.all(&statements);
    let Lower {
        mut design,
        problems,
        marks,
        keys,
        ..
    } = lower;
    // A safeguard: no text gives an invalid design.
    if let Some(violation) = validate_invariants(&design).first() {
        problems.push(TextProblem {
            range: 0..0,
            is_error: true,
            message: violation.to_string(),
        });
        design = previous.clone();
    }
    Lowered {
        design,
        problems: problems.take(),
        marks,
        keys,
    }
}

struct Lower<'p> {
    design: Design,
    previous: &'p Design,
    problems: Problems,
    marks: Vec<Mark>,
    keys: Vec<Option<String>>,
    blocks: &'p [Statement<'p>],
    /// The names in lines that were probably meant to begin a block. They are looked for when a name is unknown.
    misread_blocks: OnceCell<FxHashSet<&'p str>>,
    /// The names of the indexes whose lines have errors. Their uses are not reported too.
    broken_indexes: Vec<String>,
    /// The samples of each entity, in the order of their rows.
    sample_rows: SortedMap<EntityId, Vec<SampleId>>,
}

impl Lower<'_> {
    fn all(&mut self, statements: &Statements) {
        for range in &statements.loose {
            let message =
                "this description has no line below that it describes: for a comment, write `//`";
            self.warn(range.clone(), message);
        }
        for block in &statements.blocks {
            self.stray(block);
        }
        let of = |kinds: &[SyntaxKind]| -> Vec<&Statement> {
            let all = statements.blocks.iter();
            all.filter(|block| kinds.contains(&block.kind)).collect()
        };
        let table = of(&[SyntaxKind::Table]);
        if table.is_empty()
            && let Some(first) = statements.blocks.first()
        {
            let Table { name, key, .. } = &*self.design.table;
            let names: Vec<&str> = key.attributes().map(|key| key.name.as_str()).collect();
            let message = format!(
                "the text has no line for the table: it is taken for `table {name} ({})`",
                names.join(", ")
            );
            self.warn(first.code(), &message);
        }
        let table = self.table(&table);
        self.head(&of(&[SyntaxKind::Design]), table);
        self.indexes(&of(&[SyntaxKind::Gsi, SyntaxKind::Lsi]));
        let entities = self.entities(&of(&[SyntaxKind::Entity]));
        self.patterns(&of(&[SyntaxKind::Pattern]));
        self.canvas(&of(&[SyntaxKind::Canvas]), &entities);
        self.silenced(&of(&[SyntaxKind::Silence]));
        self.exports(&of(&[SyntaxKind::Exports]));
    }

    /// Lines that belong to no block, or to none that takes them.
    fn stray(&mut self, block: &Statement) {
        let blocks = "`design`, `table`, `gsi`, `lsi`, `entity`, `pattern`, `silence`, `exports` or `canvas`";
        if block.kind == SyntaxKind::Unknown {
            let message = format!("expected {blocks}, found `{}`", block.word());
            self.error(block.code(), message);
        }
        for child in block.descendants() {
            let is_quote = child.kind == SyntaxKind::Quote;
            let holds = |parent: &Statement| match parent.kind {
                SyntaxKind::Setting => parent.word() == "resource-policy",
                SyntaxKind::Card => parent.tokens.iter().any(|token| token.is("note")),
                _ => false,
            };
            if child.kind == SyntaxKind::Unknown {
                let message = format!(
                    "`{}` takes no further lines: expected {blocks} at the left margin",
                    block.word()
                );
                self.error(child.code(), message);
            } else if is_quote
                && !block.children.iter().any(|other| {
                    holds(other)
                        && other.range.start <= child.range.start
                        && child.range.end <= other.range.end
                })
            {
                let message = "`>` begins a line of text of a note or a resource policy";
                self.error(child.code(), message.to_owned());
            }
        }
    }

    fn error(&mut self, range: Range<usize>, message: String) {
        self.problems.push(TextProblem {
            range,
            is_error: true,
            message,
        });
    }

    fn warn(&mut self, range: Range<usize>, message: &str) {
        self.problems.push(TextProblem {
            range,
            is_error: false,
            message: message.to_owned(),
        });
    }

    fn key(&mut self, statement: &Statement, key: impl Into<String>) {
        self.keys[statement.number] = Some(key.into());
    }

    fn mark(&mut self, range: Range<usize>, part: Part, is_definition: bool) {
        self.marks.push(Mark {
            range,
            part,
            is_definition,
        });
    }

    /// The name after the first word of a block. Reports a name that `check` refuses.
    fn block_name(
        &mut self,
        block: &Statement,
        what: &str,
        check: fn(&str) -> Result<(), name::NameError>,
    ) -> Option<Spot> {
        let mut cursor = Cursor::after(block, 1, &self.problems);
        let mut name = cursor.name(what)?;
        let is_quoted = name.range.len() > name.text.len();
        for (end, message) in [('{', misread::BRACES), (':', misread::COLON)] {
            if let Some(before) = name.text.strip_suffix(end).filter(|_| !is_quoted) {
                let before = before.trim_end().len();
                let range = name.range.start + before..name.range.end;
                self.error(range, message.to_owned());
                name.text.truncate(before);
            }
        }
        match check(&name.text) {
            Ok(()) => Some(name),
            Err(error) => {
                cursor.error(name.range, error.to_string());
                None
            }
        }
    }

    /// The name and the description of the design. Without a line, it is called like its table.
    fn head(&mut self, blocks: &[&Statement], table: Option<String>) {
        if let Some(name) = table {
            self.design.name = name;
        }
        let Some(block) = self.only(blocks, "design") else {
            return;
        };
        self.key(block, "design");
        self.design.description = block.description.clone();
        if let Some(name) = self.block_name(block, "the name of the design", name::check_label) {
            Cursor::after(block, 2, &self.problems).finish();
            self.design.name = name.text;
        }
    }

    /// The first of the blocks; the others are errors.
    fn only<'a, 't>(
        &mut self,
        blocks: &[&'a Statement<'t>],
        what: &str,
    ) -> Option<&'a Statement<'t>> {
        for other in blocks.iter().skip(1) {
            let message = format!("a design has one `{what}`: this is the second");
            self.error(other.code(), message);
        }
        blocks.first().copied()
    }

    /// The index with this name; an error at `spot` if the text declares none.
    fn index_named(&mut self, spot: &Spot) -> Option<IndexId> {
        let found = self.design.index_named(&spot.text);
        match found {
            Some(index) => self.mark(spot.range.clone(), Part::Index(index), false),
            None if self.is_broken(&spot.text) => {}
            None => {
                let names = self.design.indexes.values().map(|index| &*index.name);
                let message = unknown("index", &spot.text, names);
                self.error(spot.range.clone(), message);
            }
        }
        found
    }

    /// The entity with this name; an error at `spot` if there is none.
    fn entity_named(&mut self, spot: &Spot) -> Option<EntityId> {
        let found = self.design.entity_named(&spot.text);
        match found {
            Some(entity) => self.mark(spot.range.clone(), Part::Entity(entity), false),
            None if self.is_broken(&spot.text) => {}
            None => {
                let names = self.design.entities.values().map(|entity| &*entity.name);
                let message = unknown("entity", &spot.text, names);
                self.error(spot.range.clone(), message);
            }
        }
        found
    }

    /// Whether the line that declares this name has an error.
    fn is_broken(&self, name: &str) -> bool {
        let meant = self.misread_blocks.get_or_init(|| {
            let below = self.blocks.iter().flat_map(Statement::descendants);
            let lines = self.blocks.iter().chain(below);
            let meant = lines.filter(|line| misread::is_block(line));
            meant
                .filter_map(|line| Some(line.tokens.get(1)?.text))
                .collect()
        });
        self.broken_indexes.iter().any(|it| it == name) || meant.contains(name)
    }

    /// Whether the text declares an index with this name.
    fn is_index(&self, name: &str) -> bool {
        self.design.index_named(name).is_some() || self.broken_indexes.iter().any(|it| it == name)
    }

    fn edit_entity(&mut self, id: EntityId) -> Option<&mut crate::model::Entity> {
        self.design.entities.get_mut(&id).map(Arc::make_mut)
    }
}

/// The message for an unknown name, with the names that there are.
fn unknown<'a>(what: &str, unknown: &str, names: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 8;
    let names: Vec<&str> = names.collect();
    match (name::closest(unknown, names.iter().copied()), names.len()) {
        (Some(meant), _) => format!("unknown {what} `{unknown}`: did you mean `{meant}`?"),
        (None, 0) => format!("unknown {what} `{unknown}`: the text has none"),
        (None, count) if count <= MOST => format!(
            "unknown {what} `{unknown}`: expected {}",
            names
                .iter()
                .map(|name| format!("`{name}`"))
                .collect::<Vec<_>>()
                .join(", ")
        ),
        _ => format!("unknown {what} `{unknown}`"),
    }
}

/// The message for a name that is declared twice.
fn twice(what: &str, name: &str) -> String {
    format!("{what} `{name}` is declared twice: rename one of them")
}
