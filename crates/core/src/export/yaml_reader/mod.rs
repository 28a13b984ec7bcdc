//! Reads the YAML of templates: block and flow maps and lists, quoted and plain scalars, block scalars, comments,
//! CloudFormation's short tags. One document. Rejects anchors, aliases and other tags, with their line.
//!
//! Not a crate, because the page includes it: it supports only what templates use. Reads plain scalars like YAML 1.1,
//! as far as CloudFormation needs: `yes` and `on` are booleans, a fraction or a date is text.

mod flow;
mod scalars;
mod texts;

use super::tree::{Map, Node};
use scalars::{is_blank, is_indicator};
use std::fmt;

/// The maximum nesting depth.
const MAX_DEPTH: usize = 60;

/// The short tags of CloudFormation.
const TAGS: [&str; 20] = [
    "And",
    "Base64",
    "Cidr",
    "Condition",
    "Contains",
    "EachMemberEquals",
    "EachMemberIn",
    "Equals",
    "FindInMap",
    "GetAZs",
    "GetAtt",
    "If",
    "ImportValue",
    "Join",
    "Not",
    "Or",
    "Ref",
    "Select",
    "Split",
    "Sub",
];

/// An error in a text, with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ReadError {}

/// Reads the document in a text.
///
/// # Errors
/// The first line that cannot be read, and the reason.
pub fn read(text: &str) -> Result<Node, ReadError> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut reader = Reader {
        lines: text.lines().collect(),
        row: 0,
        col: 0,
        depth: 0,
    };
    while let Some(line) = reader.lines.get(reader.row) {
        if line.starts_with('%') {
            return Err(reader.error("YAML directives are not supported"));
        }
        if line.starts_with("---") {
            reader.col = 3;
            break;
        }
        if !is_blank(line) {
            break;
        }
        reader.row += 1;
    }
    let node = reader.node(Place {
        parent: None,
        key: false,
        inline: false,
        raw: false,
    })?;
    match reader.next_line() {
        None => {}
        Some(_) if reader.rest().starts_with("---") => {
            return Err(reader.error("only one document is supported"));
        }
        Some(_) => return Err(reader.error("this line does not belong to the lines before it")),
    }
    Ok(node)
}

/// The position of the reader: the line and the byte in it. `depth` counts the enclosing nodes.
struct Reader<'a> {
    lines: Vec<&'a str>,
    row: usize,
    col: usize,
    depth: usize,
}

type Read<T> = Result<T, ReadError>;

/// The parent of a value.
#[derive(Clone, Copy)]
struct Place {
    /// The column of the key or the dash; `None` at the top of the document.
    parent: Option<usize>,
    /// Whether the parent is a key, which may have a list at its own column.
    key: bool,
    /// Whether a map or a list may begin on the same line, as after a dash.
    inline: bool,
    /// Whether a plain scalar is a text, as under a tag.
    raw: bool,
}

impl Place {
    /// Whether a line that begins at this column belongs to the value.
    fn takes(self, column: usize, rest: &str) -> bool {
        self.parent.is_none_or(|parent| {
            column > parent || self.key && column == parent && is_indicator(rest, '-')
        })
    }
}

impl<'a> Reader<'a> {
    fn error(&self, message: &str) -> ReadError {
        ReadError {
            line: self.row + 1,
            message: message.to_owned(),
        }
    }

    /// Returns the rest of the current line.
    fn rest(&self) -> &'a str {
        let line = self.lines.get(self.row).copied().unwrap_or("");
        line.get(self.col..).unwrap_or("")
    }

    fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.col += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    }

    /// Whether only spaces and a comment are left on the line.
    fn at_end(&mut self) -> bool {
        self.skip_spaces();
        let rest = self.rest();
        // Look at the text before the position, not at how the reader got here: it may be called twice.
        let line = self.lines.get(self.row).copied().unwrap_or("");
        let before = line.get(..self.col).unwrap_or("");
        rest.is_empty()
            || rest.starts_with('#') && (before.is_empty() || before.ends_with([' ', '\t']))
    }

    /// Moves to the next line with content if this one has none left. Returns its column, or `None` at the end.
    fn next_line(&mut self) -> Option<usize> {
        while self.row < self.lines.len() {
            let start = self.col;
            if !self.at_end() {
                let rest = self.rest();
                if start == 0 && self.col == 0 && (rest == "..." || rest.starts_with("... ")) {
                    return None;
                }
                return Some(self.col);
            }
            self.row += 1;
            self.col = 0;
        }
        None
    }

    /// Reads the value after `key:` or `-`, or at the beginning.
    fn node(&mut self, place: Place) -> Read<Node> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("nested too deeply"));
        }
        let node = self.node_within(place);
        self.depth -= 1;
        node
    }

    fn node_within(&mut self, place: Place) -> Read<Node> {
        let row = self.row;
        let fresh = self.col == 0;
        let Some(column) = self.next_line() else {
            return Ok(Node::Null);
        };
        let below = self.row > row || fresh;
        if below && !place.takes(column, self.rest()) {
            return Ok(Node::Null);
        }
        if below {
            self.no_tabs()?;
        }
        let block = below || place.inline;
        let rest = self.rest();
        match rest.as_bytes()[0] {
            b'&' | b'*' => Err(self.error("anchors and aliases (& and *) are not supported")),
            b'!' => self.tagged(place),
            b'|' | b'>' => self.block_scalar(place.parent),
            b'-' if is_indicator(rest, '-') => match block {
                true => self.block_list(column),
                false => Err(self.error("a list must begin on a new line")),
            },
            b'?' if is_indicator(rest, '?') && block => self.block_map(column),
            first => {
                if self.key_length().is_some() {
                    return match block {
                        true => self.block_map(column),
                        false => {
                            Err(self
                                .error("this line has a second `: `. Put quotes around the value"))
                        }
                    };
                }
                let node = match first {
                    b'[' | b'{' => self.flow()?,
                    b'"' | b'\'' => Node::Text(self.quoted()?),
                    _ => return self.plain(place),
                };
                match self.at_end() {
                    true => Ok(node),
                    false => Err(self.error("unexpected text after the value")),
                }
            }
        }
    }

    fn no_tabs(&self) -> Read<()> {
        let line = self.lines.get(self.row).copied().unwrap_or("");
        if line[..self.col.min(line.len())].contains('\t') {
            return Err(self.error("YAML needs spaces here, not a tab"));
        }
        Ok(())
    }

    fn tagged(&mut self, place: Place) -> Read<Node> {
        let rest = self.rest();
        let length = rest.find([' ', '\t']).unwrap_or(rest.len());
        let name = &rest[1..length];
        let tag = TAGS.iter().find(|tag| **tag == name);
        if tag.is_none() && name != "!str" {
            return Err(self.error(&format!("unknown tag `!{name}`")));
        }
        self.col += length;
        let content = match self.node(Place {
            inline: false,
            raw: true,
            ..place
        })? {
            Node::Null => "".into(),
            content => content,
        };
        Ok(match tag {
            Some(tag) => Node::call(tag, content),
            None => content,
        })
    }

    fn block_list(&mut self, column: usize) -> Read<Node> {
        let mut items = Vec::new();
        loop {
            self.col += 1;
            items.push(self.node(Place {
                parent: Some(column),
                key: false,
                inline: true,
                raw: false,
            })?);
            match self.next_line() {
                Some(next) if next == column && is_indicator(self.rest(), '-') => self.no_tabs()?,
                Some(next) if next > column => return Err(self.error("too much indentation")),
                _ => return Ok(Node::List(items)),
            }
        }
    }

    fn block_map(&mut self, column: usize) -> Read<Node> {
        let mut map = Map::new();
        loop {
            let under_key = Place {
                parent: Some(column),
                key: true,
                inline: false,
                raw: false,
            };
            let mut of_value = under_key;
            let key = if is_indicator(self.rest(), '?') {
                self.col += 1;
                let key = match self.node(under_key)? {
                    Node::Text(text) => text,
                    _ => return Err(self.error("a key must be text")),
                };
                if self.next_line() != Some(column) || !is_indicator(self.rest(), ':') {
                    return Err(self.error("missing `:` after the key"));
                }
                self.col += 1;
                of_value.inline = true;
                key
            } else {
                let Some(length) = self.key_length() else {
                    return Err(self.error("expected `key: value`"));
                };
                let start = self.col;
                let key = match self.rest().as_bytes()[0] {
                    b'"' | b'\'' => self.quoted()?,
                    _ => self.rest()[..length].trim_end().to_owned(),
                };
                self.col = start + length + 1;
                key
            };
            if map.get(&key).is_some() {
                return Err(self.error(&format!("`{key}` is repeated")));
            }
            let value = self.node(of_value)?;
            map = map.with(key, value);
            match self.next_line() {
                Some(next) if next == column => {
                    if is_indicator(self.rest(), '-') {
                        return Ok(Node::Map(map));
                    }
                    self.no_tabs()?;
                }
                Some(next) if next > column => return Err(self.error("too much indentation")),
                _ => return Ok(Node::Map(map)),
            }
        }
    }

    /// Returns the bytes of a key that begins here, before its colon; `None` if none begins.
    fn key_length(&mut self) -> Option<usize> {
        let rest = self.rest();
        match rest.as_bytes().first() {
            Some(b'"' | b'\'') => {
                let (row, col) = (self.row, self.col);
                let read = self.quoted();
                let same = self.row == row;
                self.skip_spaces();
                let is_key = read.is_ok() && same && is_indicator(self.rest(), ':');
                let length = self.col - col.min(self.col);
                (self.row, self.col) = (row, col);
                return is_key.then_some(length);
            }
            Some(b'[' | b'{') => return None,
            _ => {}
        }
        let mut before = ' ';
        for (at, c) in rest.char_indices() {
            match c {
                ':' if is_indicator(&rest[at..], ':') => return Some(at),
                '#' if before.is_whitespace() => return None,
                _ => before = c,
            }
        }
        None
    }
}
