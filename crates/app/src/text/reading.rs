//! What a text says: its design, its problems and findings, its blocks.

use super::super::{Command, DesignText};
use super::utf16::Units;
use keyfold_core::lint::{Finding, Fix, Report, Severity};
use keyfold_core::model::{CardId, Design, IndexId};
use keyfold_core::text::{self, Lowered, Parse, Part, Position};
use std::ops::Range;
use std::sync::Arc;

/// A text as it was read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The text.
    pub text: Arc<str>,
    pub(super) parse: Parse,
    pub(super) lowered: Lowered,
    pub(super) units: Units,
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
pub(super) fn text_line(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    start..end
}
