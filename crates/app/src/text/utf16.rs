//! Bytes and UTF-16 units, as editors count them: a line end is one unit. Most texts are ASCII without carriage returns,
//! where both are the same.

use std::borrow::Cow;
use std::ops::Range;

const CRLF: &str = "\r\n";

/// The mapping of a text.
#[derive(Debug, Clone)]
pub struct Units {
    /// Where each line begins: byte, unit. Empty if bytes are units.
    lines: Vec<(usize, u32)>,
}

impl Units {
    /// The mapping of a text.
    pub fn of(text: &str) -> Units {
        let mut lines = Vec::new();
        if !text.is_ascii() || text.contains(CRLF) {
            let (mut byte, mut unit) = (0, 0);
            for line in text.split_inclusive('\n') {
                lines.push((byte, unit));
                byte += line.len();
                unit += units(line);
            }
        }
        Units { lines }
    }

    /// The unit of a byte.
    pub fn at(&self, text: &str, byte: usize) -> u32 {
        let byte = byte.min(text.len());
        let Some(line) = (self.lines.partition_point(|line| line.0 <= byte)).checked_sub(1) else {
            return byte as u32;
        };
        let (start, unit) = self.lines[line];
        // A byte inside a line end is at its start.
        let (before, after) = text.split_at(byte);
        let inside = before.ends_with('\r') && after.starts_with('\n');
        unit + units(&before[start..]) - u32::from(inside)
    }

    /// The byte of a unit.
    pub fn byte(&self, text: &str, unit: u32) -> usize {
        let Some(line) = (self.lines.partition_point(|line| line.1 <= unit)).checked_sub(1) else {
            return (unit as usize).min(text.len());
        };
        let (start, mut at) = self.lines[line];
        for (byte, c) in text[start..].char_indices() {
            if at >= unit {
                return start + byte;
            }
            if !text[start + byte..].starts_with(CRLF) {
                at += c.len_utf16() as u32;
            }
        }
        text.len()
    }

    /// The units of a range of bytes.
    pub fn range(&self, text: &str, bytes: Range<usize>) -> Range<u32> {
        self.at(text, bytes.start)..self.at(text, bytes.end)
    }
}

/// How many units a text has.
pub fn units(text: &str) -> u32 {
    let all: u32 = text.chars().map(|c| c.len_utf16() as u32).sum();
    all - text.matches(CRLF).count() as u32
}

/// A text as an editor has it: with one line feed for each line end.
pub fn in_editor(text: &str) -> Cow<'_, str> {
    match text.contains(CRLF) {
        true => text.replace(CRLF, "\n").into(),
        false => text.into(),
    }
}

/// The text of an editor with the line ends that the text had before.
pub fn with_line_ends_of(text: String, before: &str) -> String {
    match before.contains(CRLF) {
        true => in_editor(&text).replace('\n', CRLF),
        false => text,
    }
}
