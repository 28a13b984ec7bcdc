//! The design as text in an editor: what a text says, its problems and colors, and the text after an edit of the design.
//! Positions are in UTF-16 units, as editors count them.

mod assist;
mod hover;
mod rename;
mod spans;
mod symbol;
mod units;

pub use assist::{Completions, Offer, PlaceholderOffers, placeholder_offers};
pub use hover::{Hover, Paragraph, hover};
pub use rename::{name_of, rename_command};
pub use spans::Spans;
pub use symbol::{Symbol, entities_at, symbol_at};

use super::{Command, DesignText, diff};
use keyfold_core::lint::{Finding, Fix, Report, Severity};
use keyfold_core::model::{CardId, Design, IndexId};
use keyfold_core::text::{self, Lowered, Parse, Part, Position};
use std::ops::Range;
use std::sync::Arc;
use units::Units;

/// A design with a line of each common kind. The documentation of the language begins with it.
pub const EXAMPLE: &str = include_str!("example.keyfold");

/// A text as it was read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The text.
    pub text: Arc<str>,
    parse: Parse,
    lowered: Lowered,
    units: Units,
}

/// A problem of the text, or a finding of the linter.
#[derive(Debug, Clone, PartialEq)]
pub struct TextIssue {
    /// The affected units.
    pub range: Range<u32>,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, and what to do.
    pub message: String,
    /// The change that resolves it.
    pub fix: Option<Fix>,
}

/// A replacement of a part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitEdit {
    /// The replaced units; empty for an insertion.
    pub range: Range<u32>,
    /// The new content.
    pub text: String,
}

impl Reading {
    /// Reads a text. Parts of the design keep the ids that they have in `current`.
    pub fn new(text: Arc<str>, current: &Design) -> Reading {
        let parse = text::parse(&text);
        let lowered = text::lower(&parse, Some(current));
        let units = Units::of(&text);
        Reading {
            text,
            parse,
            lowered,
            units,
        }
    }

    /// The design that the text says, and the text; `current` if the text has errors.
    pub fn document_text(&self, current: &Design) -> DesignText {
        let design = match self.lowered.has_errors() {
            true => current,
            false => &self.lowered.design,
        };
        DesignText {
            text: self.text.clone(),
            design: design.clone(),
            errors: self.lowered.errors(),
        }
    }

    /// The design that the text says, without the lines that have errors.
    pub fn design(&self) -> &Design {
        &self.lowered.design
    }

    /// The command that makes the design what the text says, and keeps the text.
    pub fn command(&self, current: &Design) -> Command {
        Command::EditText(Box::new(self.document_text(current)))
    }

    /// The position of the first error, and what is wrong; `None` if the text has no error.
    pub fn first_error(&self) -> Option<(Position, &str)> {
        let first = self
            .lowered
            .problems
            .iter()
            .find(|problem| problem.is_error)?;
        let message = first.message.trim_end_matches('.');
        Some((Position::of(&self.text, first.range.start), message))
    }

    /// The problems of the text. A text without errors also has the findings of the linter about the same design, where it
    /// says their places.
    pub fn issues(&self, report: &Report) -> Vec<TextIssue> {
        let problems = self.lowered.problems.iter().map(|problem| TextIssue {
            range: self.units.range(&self.text, problem.range.clone()),
            severity: match problem.is_error {
                true => Severity::Error,
                false => Severity::Warning,
            },
            message: problem.message.clone(),
            fix: None,
        });
        let mut issues: Vec<TextIssue> = problems.collect();
        if !self.lowered.has_errors() {
            issues.extend(report.open().filter_map(|finding| self.found(finding)));
        }
        issues.sort_by_key(|issue| (issue.range.start, issue.range.end));
        issues
    }

    fn found(&self, finding: &Finding) -> Option<TextIssue> {
        let mut range = self.lowered.range_of(finding.place)?;
        if let Some(span) = &finding.span
            && self.text[range.clone()].get(span.clone()).is_some()
            && !self.text[range.clone()].starts_with('"')
        {
            range = range.start + span.start..range.start + span.end;
        }
        Some(TextIssue {
            range: self.units.range(&self.text, range),
            severity: finding.severity,
            message: format!("{}: {}", finding.code, finding.message),
            fix: finding.fix.clone(),
        })
    }

    /// The blocks, each with its start, the end of its first line and its end, in a row of numbers.
    pub fn blocks(&self) -> Vec<u32> {
        let mut blocks = Vec::new();
        for block in self.parse.root().children() {
            let whole: Range<usize> =
                block.text_range().start().into()..block.text_range().end().into();
            let lines = self.text[whole.clone()].split_inclusive('\n');
            // Descriptions above it are part of the block.
            let lead = lines.take_while(|line| line.trim_start().starts_with("//"));
            let start = whole.start + lead.map(str::len).sum::<usize>();
            let line = self.text[start..whole.end]
                .lines()
                .next()
                .unwrap_or_default();
            let end = whole.start + self.text[whole].trim_end().len();
            for at in [start, start + line.len(), end] {
                blocks.push(self.units.at(&self.text, at));
            }
        }
        blocks
    }

    /// The card of the block at a position.
    pub fn card_at(&self, at: u32) -> Option<CardId> {
        let at = self.units.byte(&self.text, at);
        let block = self.block(at)?;
        // Another line of the canvas is about another card.
        let is_canvas = self.text[block.clone()].trim_start().starts_with("canvas");
        let around = |range: &Range<usize>| match is_canvas {
            true => text_line(&self.text, at).contains(&range.start),
            false => block.contains(&range.start),
        };
        let marks = self.lowered.marks.iter();
        let mut cards =
            marks.filter(|mark| (mark.is_definition || is_canvas) && around(&mark.range));
        cards.find_map(|mark| match mark.part {
            Part::Table => Some(CardId::Index(IndexId::PRIMARY)),
            Part::Index(id) => Some(CardId::Index(id)),
            Part::Entity(id) => Some(CardId::Entity(id)),
            Part::Note(id) => Some(CardId::Note(id)),
            _ => None,
        })
    }

    /// The first line of the block of a card.
    pub fn place_of(&self, card: CardId) -> Option<u32> {
        let part = match card {
            CardId::Index(id) if id.is_primary() => Part::Table,
            CardId::Index(id) => Part::Index(id),
            CardId::Entity(id) => Part::Entity(id),
            CardId::Note(id) => Part::Note(id),
        };
        let mark = self.lowered.definition(&part)?;
        let start = text_line(&self.text, mark.start).start;
        Some(self.units.at(&self.text, start))
    }

    /// The bytes of the block around a byte.
    fn block(&self, at: usize) -> Option<Range<usize>> {
        let blocks = self.parse.root().children();
        let ranges = blocks.map(|block| {
            usize::from(block.text_range().start())..usize::from(block.text_range().end())
        });
        ranges.filter(|range| range.start <= at).last()
    }

    /// The edits that give the text its usual layout.
    pub fn formatted(&self) -> String {
        text::format(&self.parse)
    }
}

/// The bytes of the line around a byte, without its line end.
fn text_line(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    start..end
}

/// Returns the text of a design, printed.
pub fn printed(design: &Design) -> DesignText {
    DesignText {
        text: text::print(design).into(),
        design: design.clone(),
        errors: 0,
    }
}

/// Returns the text brought up to date with its design; `None` if it is up to date. Only the lines that say something else
/// are changed.
pub fn follow(text: &DesignText, now: &Design) -> Option<DesignText> {
    if diff(&text.design, now).is_empty() {
        return None;
    }
    Some(DesignText {
        text: text::update(&text.text, &text.design, now).text.into(),
        design: now.clone(),
        errors: text.errors,
    })
}

/// Returns the edit that turns a text into another one: what is between their common start and end.
pub fn difference(from: &str, to: &str) -> UnitEdit {
    let same = |(a, b): &((usize, char), char)| a.1 == *b;
    let pairs = from.char_indices().zip(to.chars());
    let start: usize = (pairs.take_while(same))
        .map(|((_, c), _)| c.len_utf8())
        .sum();
    let (left, right) = (&from[start..], &to[start..]);
    let pairs = left.chars().rev().zip(right.chars().rev());
    let end: usize = (pairs.take_while(|(a, b)| a == b))
        .map(|(c, _)| c.len_utf8())
        .sum();
    let (start, replaced) = (units::units(&from[..start]), &left[..left.len() - end]);
    UnitEdit {
        range: start..start + units::units(replaced),
        text: right[..right.len() - end].to_owned(),
    }
}

/// Returns a text as stored beside its design: with the hash of the design's file, which tells whether it still belongs to
/// the stored design. A text that does not say the design as it is now has a hash of no file.
pub fn stored(text: &DesignText, design: &Design, file: &str) -> String {
    let file = match diff(&text.design, design).is_empty() {
        true => file,
        false => "",
    };
    format!("{:016x}\n{}", super::workspace::hash(file), text.text)
}

/// Reads a stored text for a design with this file text. If the design was changed without it, the text is that of another
/// version, and follows when it is shown.
pub fn restored(stored: &str, design: &Design, file: &str) -> Option<DesignText> {
    let (hash, text) = stored.split_once('\n')?;
    let is_same = hash == format!("{:016x}", super::workspace::hash(file));
    let lowered = text::lower(&text::parse(text), Some(design));
    let errors = lowered.errors();
    Some(DesignText {
        text: text.into(),
        design: match is_same {
            true => design.clone(),
            false => lowered.design,
        },
        errors,
    })
}

/// Reads a text file as a design.
///
/// # Errors
/// The first error of the text with its position, and how many more there are.
pub fn opened(text: &str) -> Result<DesignText, String> {
    let lowered = text::lower(&text::parse(text), None);
    let mut errors = lowered.problems.iter().filter(|problem| problem.is_error);
    let Some(first) = errors.next() else {
        return Ok(DesignText {
            text: text.into(),
            design: lowered.design,
            errors: 0,
        });
    };
    let more = match errors.count() {
        0 => String::new(),
        1 => "; 1 more line has an error".to_owned(),
        count => format!("; {count} more lines have errors"),
    };
    let at = Position::of(text, first.range.start);
    let message = first.message.trim_end_matches('.');
    Err(format!("{at}: {message}{more}"))
}
