//! Reads all blocks of a text, and reports lines that belong to none.

use super::super::cursor::{Cursor, Spot};
use super::super::parse::Parse;
use super::super::problem::{Problems, TextProblem};
use super::super::statement::{Statement, Statements, statements};
use super::super::syntax::SyntaxKind;
use super::likely_mistakes;
use super::lowered::{Lowered, Mark, Part};
use crate::model::{
    Design, EntityId, IndexId, SampleId, SortedMap, Table, name, validate_invariants,
};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

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

pub(super) struct Lower<'p> {
    pub(super) design: Design,
    pub(super) previous: &'p Design,
    pub(super) problems: Problems,
    marks: Vec<Mark>,
    pub(super) keys: Vec<Option<String>>,
    blocks: &'p [Statement<'p>],
    /// The names in lines that were probably meant to begin a block. They are looked for when a name is unknown.
    misread_blocks: OnceCell<FxHashSet<&'p str>>,
    /// The names of the indexes whose lines have errors. Their uses are not reported too.
    pub(super) broken_indexes: Vec<String>,
    /// The samples of each entity, in the order of their rows.
    pub(super) sample_rows: SortedMap<EntityId, Vec<SampleId>>,
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
                "the text has no line for the table: Keyfold assumes `table {name} ({})`",
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
        self.costs(&of(&[SyntaxKind::Costs]));
        self.drop_followers(statements);
    }

    /// Drops the problems of lines below one that was meant to begin a block, such as `entty Order`: they belong to that block.
    fn drop_followers(&mut self, statements: &Statements) {
        let named = self.problems.errors(likely_mistakes::names_block);
        if named.is_empty() {
            return;
        }
        let mut heads: Vec<Range<usize>> = Vec::new();
        let mut below: Vec<Range<usize>> = Vec::new();
        for block in &statements.blocks {
            for line in block.descendants() {
                let code = line.code();
                if named.iter().any(|start| code.contains(start)) {
                    below.push(code.end..block.range.end);
                    heads.push(code);
                }
            }
        }
        let is_in = |ranges: &[Range<usize>], start| ranges.iter().any(|it| it.contains(&start));
        self.problems.retain(|problem| {
            let start = problem.range.start;
            is_in(&heads, start) || !is_in(&below, start)
        });
    }

    /// Lines that belong to no block, or to none that takes them.
    fn stray(&mut self, block: &Statement) {
        let blocks = "`design`, `table`, `gsi`, `lsi`, `entity`, `pattern`, `silence`, `exports`, `costs` or `canvas`";
        if block.kind == SyntaxKind::Unknown {
            let message = format!("expected {blocks}, found `{}`", block.word());
            self.error(block.code(), message);
        }
        self.undescribed(block);
        for child in block.descendants() {
            self.undescribed(child);
            let is_quote = child.kind == SyntaxKind::Quote;
            let holds = |parent: &Statement| match parent.kind {
                SyntaxKind::Setting => parent.word() == "resource-policy",
                SyntaxKind::Card => parent.tokens.iter().any(|token| token.is("note")),
                _ => false,
            };
            if child.kind == SyntaxKind::Unknown {
                let reason = match block.kind {
                    SyntaxKind::Silence => " (its reason is a `///` line above it)",
                    _ => "",
                };
                let message = format!(
                    "`{}` takes no further lines{reason}: expected {blocks} at the left margin",
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

    /// Reports a description of a line that has none in the design.
    fn undescribed(&mut self, line: &Statement) {
        let message = match line.kind {
            SyntaxKind::Design
            | SyntaxKind::Gsi
            | SyntaxKind::Lsi
            | SyntaxKind::Entity
            | SyntaxKind::Attribute
            | SyntaxKind::Pattern
            | SyntaxKind::Silence
            | SyntaxKind::Unknown => return,
            SyntaxKind::Table => "a table has no description: describe the `design`",
            _ => {
                "this line has no description, and the design is without this text: for a comment, write `//`"
            }
        };
        if !line.description.is_empty()
            && let Some(place) = line.trailing.as_ref().or(line.lead.first())
        {
            self.warn(place.clone(), message);
        }
    }

    pub(super) fn error(&mut self, range: Range<usize>, message: String) {
        self.problems.push(TextProblem {
            range,
            is_error: true,
            message,
        });
    }

    pub(super) fn warn(&mut self, range: Range<usize>, message: &str) {
        self.problems.push(TextProblem {
            range,
            is_error: false,
            message: message.to_owned(),
        });
    }

    pub(super) fn key(&mut self, statement: &Statement, key: impl Into<String>) {
        self.keys[statement.number] = Some(key.into());
    }

    pub(super) fn mark(&mut self, range: Range<usize>, part: Part, is_definition: bool) {
        self.marks.push(Mark {
            range,
            part,
            is_definition,
        });
    }

    /// The name after the first word of a block. Reports a name that `check` refuses.
    pub(super) fn block_name(
        &mut self,
        block: &Statement,
        what: &str,
        check: fn(&str) -> Result<(), name::NameError>,
    ) -> Option<Spot> {
        let mut cursor = Cursor::after(block, 1, &self.problems);
        let mut name = cursor.name(what)?;
        let is_quoted = name.range.len() > name.text.len();
        for (end, message) in [
            ('{', likely_mistakes::BRACES),
            (':', likely_mistakes::COLON),
        ] {
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
    pub(super) fn only<'a, 't>(
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
    pub(super) fn index_named(&mut self, spot: &Spot) -> Option<IndexId> {
        self.index_or(spot, None)
    }

    /// As [`Lower::index_named`], where `word` could stand too: the error offers it.
    pub(super) fn index_or(&mut self, spot: &Spot, word: Option<&str>) -> Option<IndexId> {
        let found = self.design.index_named(&spot.text);
        match found {
            Some(index) => self.mark(spot.range.clone(), Part::Index(index), false),
            None if self.is_broken(&spot.text) => {}
            None => {
                let names = self.design.indexes.values().map(|index| &*index.name);
                let names = word.into_iter().chain(names);
                let message = likely_mistakes::unknown("index", &spot.text, names);
                self.error(spot.range.clone(), message);
            }
        }
        found
    }

    /// The entity with this name; an error at `spot` if there is none.
    pub(super) fn entity_named(&mut self, spot: &Spot) -> Option<EntityId> {
        let found = self.design.entity_named(&spot.text);
        match found {
            Some(entity) => self.mark(spot.range.clone(), Part::Entity(entity), false),
            None if self.is_broken(&spot.text) => {}
            None => {
                let names = self.design.entities.values().map(|entity| &*entity.name);
                let message = likely_mistakes::unknown("entity", &spot.text, names);
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
            let meant = lines.filter(|line| likely_mistakes::is_block(line));
            meant
                .filter_map(|line| Some(line.tokens.get(1)?.text))
                .collect()
        });
        self.broken_indexes.iter().any(|it| it == name) || meant.contains(name)
    }

    /// Whether the text declares an index with this name.
    pub(super) fn is_index(&self, name: &str) -> bool {
        self.design.index_named(name).is_some() || self.broken_indexes.iter().any(|it| it == name)
    }

    pub(super) fn edit_entity(&mut self, id: EntityId) -> Option<&mut crate::model::Entity> {
        self.design.entities.get_mut(&id).map(Arc::make_mut)
    }
}

/// The message for a name that is declared twice.
pub(super) fn twice(what: &str, name: &str) -> String {
    format!("{what} `{name}` is declared twice: rename one of them")
}
