//! Texts that may take several lines: plain, quoted, and block scalars.

use super::super::tree::Node;
use super::scalars::{before_comment, double_quoted, ends_escaped, scalar, single_quoted};
use super::{Place, Read, Reader};

impl Reader<'_> {
    /// Reads a plain scalar, which may continue on lines that are indented more than its parent.
    pub(super) fn plain(&mut self, place: Place) -> Read<Node> {
        let parent = place.parent;
        if self.rest().starts_with(['%', '@', '`']) {
            return Err(
                self.error("a value cannot begin with this character. Put quotes around it")
            );
        }
        let mut text = String::new();
        let (mut lines, mut breaks) = (0, 0);
        loop {
            let rest = self.rest();
            let part = before_comment(rest);
            if lines > 0 && (part.contains(": ") || part.ends_with(':')) {
                return Err(self.error("unexpected `key: value`: the line before is a value"));
            }
            match breaks {
                _ if lines == 0 => {}
                0 => text.push(' '),
                breaks => text.extend(std::iter::repeat_n('\n', breaks)),
            }
            text.push_str(part.trim_end());
            lines += 1;
            let ended = part.len() < rest.len();
            self.col += rest.len();
            if ended {
                break;
            }
            let (row, col) = (self.row, self.col);
            let goes_on = self.next_line().is_some_and(|column| {
                parent.is_none_or(|parent| column > parent) && self.row > row
            });
            // A comment or a new document ends it.
            let between = self.lines.get(row + 1..self.row).unwrap_or_default();
            let comment = between
                .iter()
                .any(|line| !line.trim_matches([' ', '\t']).is_empty());
            if !goes_on || comment || self.col == 0 && self.rest().starts_with("---") {
                (self.row, self.col) = (row, col);
                break;
            }
            breaks = between.len();
        }
        match lines {
            1 if !place.raw => Ok(scalar(&text)),
            _ => Ok(Node::Text(text)),
        }
    }

    /// Reads a quoted scalar; spaces join its lines.
    pub(super) fn quoted(&mut self) -> Read<String> {
        let (row, col) = (self.row, self.col);
        let quote = self.rest().as_bytes()[0];
        self.col += 1;
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let end = match quote {
                b'"' => double_quoted(rest, &mut text).map_err(|message| self.error(message))?,
                _ => single_quoted(rest, &mut text),
            };
            if let Some(end) = end {
                self.col += end;
                return Ok(text);
            }
            // The text continues on the next line; an empty line between is a line break.
            let escaped = quote == b'"' && ends_escaped(rest);
            if !escaped {
                text.truncate(text.trim_end_matches([' ', '\t']).len());
            }
            let mut breaks = 0;
            loop {
                self.row += 1;
                self.col = 0;
                if self.row >= self.lines.len() {
                    (self.row, self.col) = (row, col);
                    return Err(self.error("missing closing quote"));
                }
                self.skip_spaces();
                if !self.rest().is_empty() {
                    break;
                }
                breaks += 1;
            }
            match breaks {
                0 if escaped => {}
                0 => text.push(' '),
                breaks => text.extend(std::iter::repeat_n('\n', breaks)),
            }
        }
    }

    /// Reads a block scalar: `|` keeps the lines, `>` joins them.
    pub(super) fn block_scalar(&mut self, parent: Option<usize>) -> Read<Node> {
        let header = before_comment(self.rest()).trim_end();
        let folded = header.starts_with('>');
        let (mut keep, mut strip, mut indent) = (false, false, None);
        for c in header.chars().skip(1) {
            match c {
                '+' => keep = true,
                '-' => strip = true,
                '1'..='9' => {
                    let base = parent.map_or(0, |parent| parent);
                    indent = Some(base + c as usize - '0' as usize);
                }
                _ => return Err(self.error("invalid start of a block scalar")),
            }
        }
        self.row += 1;
        self.col = 0;
        let least = parent.map_or(0, |parent| parent + 1);
        let mut lines: Vec<&str> = Vec::new();
        while let Some(line) = self.lines.get(self.row) {
            let column = line.len() - line.trim_start_matches(' ').len();
            if line.trim_matches(' ').is_empty() {
                lines.push(line.get(indent.unwrap_or(column)..).unwrap_or(""));
            } else {
                if column < least {
                    break;
                }
                let start = *indent.get_or_insert(column);
                if column < start {
                    break;
                }
                lines.push(&line[start..]);
            }
            self.row += 1;
        }
        let content = lines.iter().rposition(|line| !line.is_empty());
        let used = content.map_or(0, |last| last + 1);
        let mut text = String::new();
        for (at, line) in lines[..used].iter().enumerate() {
            text.push_str(line);
            let next = lines.get(at + 1).copied().unwrap_or("");
            let joins = folded && at + 1 < used && !line.is_empty();
            let more = |line: &str| line.starts_with([' ', '\t']);
            if joins && !more(line) && !next.is_empty() && !more(next) {
                text.push(' ');
            } else if !(joins && next.is_empty() && !more(line)) {
                text.push('\n');
            }
        }
        if keep {
            text.extend(std::iter::repeat_n('\n', lines.len() - used));
        } else if strip || used == 0 {
            text.truncate(text.trim_end_matches('\n').len());
        }
        Ok(Node::Text(text))
    }
}
