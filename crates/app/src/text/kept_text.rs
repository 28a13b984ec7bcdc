//! The text that is kept with a design: printed, changed after an edit, stored and restored.

use super::super::{DesignText, diff};
use super::utf16;
use keyfold_core::model::Design;
use keyfold_core::text::{self, Position};
use std::ops::Range;

/// A replacement of a part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitEdit {
    /// The replaced units; empty for an insertion.
    pub range: Range<u32>,
    /// The new content.
    pub text: String,
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
    followed(text, now).map(|(text, _)| text)
}

/// As [`follow`]; returns also whether the text was printed anew, without its comments.
pub fn followed(text: &DesignText, now: &Design) -> Option<(DesignText, bool)> {
    if diff(&text.design, now).is_empty() {
        return None;
    }
    let update = text::update(&text.text, &text.design, now);
    let next = DesignText {
        text: update.text.into(),
        design: now.clone(),
        errors: text.errors,
    };
    Some((next, update.is_whole))
}

/// Returns the edit that turns the text of an editor into another one: what is between their common start and end.
pub fn difference(from: &str, to: &str) -> UnitEdit {
    let (from, to) = (utf16::in_editor(from), utf16::in_editor(to));
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
    let (start, replaced) = (utf16::units(&from[..start]), &left[..left.len() - end]);
    UnitEdit {
        range: start..start + utf16::units(replaced),
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
    format!(
        "{:016x}\n{}",
        super::super::workspace::hash(file),
        text.text
    )
}

/// Reads a stored text for a design with this file text. If the design was changed without it, the text is that of another
/// version, and follows when it is shown.
pub fn restored(stored: &str, design: &Design, file: &str) -> Option<DesignText> {
    let (hash, text) = stored.split_once('\n')?;
    let is_same = hash == format!("{:016x}", super::super::workspace::hash(file));
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
