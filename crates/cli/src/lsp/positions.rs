//! Positions of the protocol, in lines and UTF-16 code units, and byte offsets.

use lsp_types::{Position, Range};
use std::ops;

/// Where the lines of a text begin. A line ends with `\n`, `\r\n` or `\r`, as in the protocol.
#[derive(Debug)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// The lines of a text.
    pub fn of(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let ends = (0..bytes.len()).filter(|at| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        Lines {
            starts: std::iter::once(0).chain(ends.map(|at| at + 1)).collect(),
        }
    }

    /// The byte offset of a position. A position beyond the line is its end, one beyond the text the end of the text.
    pub fn offset(&self, text: &str, position: Position) -> usize {
        let line = position.line as usize;
        let Some(start) = self.starts.get(line) else {
            return text.len();
        };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let content = text[*start..end].trim_end_matches(['\n', '\r']);
        let mut units = 0;
        let found = content.char_indices().find(|(_, c)| {
            units += c.len_utf16();
            units > position.character as usize
        });
        start + found.map_or(content.len(), |(at, _)| at)
    }

    /// The position of a byte offset, which is between two characters.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let offset = offset.min(text.len());
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let before = text.get(self.starts[line]..offset).unwrap_or_default();
        Position {
            line: line as u32,
            character: before.encode_utf16().count() as u32,
        }
    }

    /// The range of these bytes.
    pub fn range(&self, text: &str, bytes: ops::Range<usize>) -> Range {
        Range {
            start: self.position(text, bytes.start),
            end: self.position(text, bytes.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_utf16_units() {
        let text = "a😀b\r\nc\rd\n";
        let lines = Lines::of(text);
        let at = |line, character| lines.offset(text, Position { line, character });
        assert_eq!([at(0, 1), at(0, 3), at(0, 4), at(0, 9)], [1, 5, 6, 6]);
        // Inside of the emoji: before it.
        assert_eq!(at(0, 2), 1);
        assert_eq!([at(1, 0), at(2, 1), at(3, 0), at(9, 9)], [8, 11, 12, 12]);
        for (offset, _) in text.char_indices() {
            let position = lines.position(text, offset);
            let is_line_feed = text[offset..].starts_with('\n') && text[..offset].ends_with('\r');
            assert_eq!(
                lines.offset(text, position),
                offset - usize::from(is_line_feed)
            );
        }
    }
}
