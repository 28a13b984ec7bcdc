//! A reader of YAML as templates have it: block and flow maps and lists, quoted and plain scalars, block scalars,
//! comments, CloudFormation's short tags. One document. Anchors, aliases and other tags are refused with their line.
//!
//! Our own and not a crate, because it goes into the page: it knows only what templates use. Plain scalars are read as
//! YAML 1.1 does, as far as CloudFormation cares: `yes` and `on` are booleans, a fraction or a date is its text.

mod flow;
mod scalars;
mod texts;

use super::yaml::{Map, Node};
use scalars::{is_blank, is_indicator};
use std::fmt;

/// Deepest nesting that is read.
const DEPTH: usize = 60;

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

/// Why a text cannot be read, and where.
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

/// The one document in a text.
///
/// # Errors
/// The first line that cannot be read, and why.
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
            return Err(reader.error("YAML directives are not read"));
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
            return Err(reader.error("a second document begins here"));
        }
        Some(_) => return Err(reader.error("this does not belong to what stands before it")),
    }
    Ok(node)
}

/// Where the reader is: the line and the byte in it. `depth` counts the nodes around it.
struct Reader<'a> {
    lines: Vec<&'a str>,
    row: usize,
    col: usize,
    depth: usize,
}

type Read<T> = Result<T, ReadError>;

/// What a value belongs to.
#[derive(Clone, Copy)]
struct Place {
    /// The column of the key or the dash; `None`: the document.
    parent: Option<usize>,
    /// Whether it is a key, right under which a list may stand.
    key: bool,
    /// Whether a map or a list may begin on the same line, as after a dash.
    inline: bool,
    /// Whether a plain scalar is its text, as under a tag.
    raw: bool,
}

impl Place {
    /// Whether a line below, which begins at this column, belongs to it.
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

    /// What is left of the current line.
    fn rest(&self) -> &'a str {
        let line = self.lines.get(self.row).copied().unwrap_or("");
        line.get(self.col..).unwrap_or("")
    }

    fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.col += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    }

    /// Whether nothing but spaces and a comment is left of the line.
    fn at_end(&mut self) -> bool {
        self.skip_spaces();
        let rest = self.rest();
        // What stands before it, not how the reader came here: it may be asked twice.
        let line = self.lines.get(self.row).copied().unwrap_or("");
        let before = line.get(..self.col).unwrap_or("");
        rest.is_empty()
            || rest.starts_with('#') && (before.is_empty() || before.ends_with([' ', '\t']))
    }

    /// Goes on to the next line with content, if nothing is left of this one; its column, or `None` at the end.
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

    /// The value after `key:` or `-` or at the beginning.
    fn node(&mut self, place: Place) -> Read<Node> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error("this is nested too deeply"));
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
            b'&' | b'*' => Err(self.error("anchors and aliases (& and *) are not read")),
            b'!' => self.tagged(place),
            b'|' | b'>' => self.block_scalar(place.parent),
            b'-' if is_indicator(rest, '-') => match block {
                true => self.block_list(column),
                false => Err(self.error("a list begins on a line of its own")),
            },
            b'?' if is_indicator(rest, '?') && block => self.block_map(column),
            first => {
                if self.key_length().is_some() {
                    return match block {
                        true => self.block_map(column),
                        false => {
                            Err(self
                                .error("this line has a second `: `: put quotes around the value"))
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
                    false => Err(self.error("there is more after the end of the value")),
                }
            }
        }
    }

    fn no_tabs(&self) -> Read<()> {
        let line = self.lines.get(self.row).copied().unwrap_or("");
        if line[..self.col.min(line.len())].contains('\t') {
            return Err(self.error("a tab stands where YAML wants spaces"));
        }
        Ok(())
    }

    fn tagged(&mut self, place: Place) -> Read<Node> {
        let rest = self.rest();
        let length = rest.find([' ', '\t']).unwrap_or(rest.len());
        let name = &rest[1..length];
        let tag = TAGS.iter().find(|tag| **tag == name);
        if tag.is_none() && name != "!str" {
            return Err(self.error(&format!("the tag `!{name}` is not known")));
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
            Some(tag) => Node::tagged(tag, content),
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
                Some(next) if next > column => return Err(self.error("this is indented too far")),
                _ => return Ok(Node::Seq(items)),
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
                    _ => return Err(self.error("a key must be a text")),
                };
                if self.next_line() != Some(column) || !is_indicator(self.rest(), ':') {
                    return Err(self.error("`:` is missing after the key"));
                }
                self.col += 1;
                of_value.inline = true;
                key
            } else {
                let Some(length) = self.key_length() else {
                    return Err(self.error("`key: value` should stand here"));
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
                return Err(self.error(&format!("`{key}` stands twice")));
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
                Some(next) if next > column => return Err(self.error("this is indented too far")),
                _ => return Ok(Node::Map(map)),
            }
        }
    }

    /// The bytes of a key that begins here, before its colon; `None` if none begins.
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
