//! Bytes and UTF-16 units. Most texts are ASCII, where both are the same.

use std::ops::Range;

/// The mapping of a text.
#[derive(Debug, Clone)]
pub struct Units {
    /// Where each line begins: byte, unit. Empty for an ASCII text.
    lines: Vec<(usize, u32)>,
}

impl Units {
    /// The mapping of a text.
    pub fn of(text: &str) -> Units {
        let mut lines = Vec::new();
        if !text.is_ascii() {
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
        unit + units(&text[start..byte])
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
            at += c.len_utf16() as u32;
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
    text.chars().map(|c| c.len_utf16() as u32).sum()
}
