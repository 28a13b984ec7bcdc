//! Values in brackets and braces.

use super::super::tree::{Map, Node};
use super::scalars::{flow_length, scalar};
use super::{MAX_DEPTH, Read, Reader, TAGS};

impl Reader<'_> {
    /// Reads a value in brackets or braces, or within them.
    pub(super) fn flow(&mut self) -> Read<Node> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("nested too deeply"));
        }
        if self.next_line().is_none() {
            return Err(self.error("missing closing bracket"));
        }
        let rest = self.rest();
        let node = match rest.as_bytes()[0] {
            b'[' => self.flow_list()?,
            b'{' => self.flow_map()?,
            b'"' | b'\'' => Node::Text(self.quoted()?),
            b'&' | b'*' => {
                return Err(self.error("anchors and aliases (& and *) are not supported"));
            }
            b'!' => {
                let length = rest.find([' ', '\t', ',', ']', '}']).unwrap_or(rest.len());
                let name = &rest[1..length];
                let Some(tag) = TAGS.iter().find(|tag| **tag == name) else {
                    return Err(self.error(&format!("unknown tag `!{name}`")));
                };
                self.col += length;
                let content = match self.flow_next()? {
                    b',' | b']' | b'}' => "".into(),
                    b'[' | b'{' | b'"' | b'\'' | b'!' => self.flow()?,
                    // Under a tag, a plain scalar is a text.
                    _ => self.flow_plain()?.0.into(),
                };
                Node::call(tag, content)
            }
            _ => match self.flow_plain()? {
                (text, true) => scalar(&text),
                (text, false) => Node::Text(text),
            },
        };
        self.depth -= 1;
        Ok(node)
    }

    /// Reads a plain scalar, which may continue on the next lines, and returns whether it is on one line.
    fn flow_plain(&mut self) -> Read<(String, bool)> {
        let mut text = String::new();
        let mut lines = 0;
        loop {
            let rest = self.rest();
            let length = flow_length(rest);
            if length == 0 && lines == 0 {
                return Err(self.error("missing value"));
            }
            text.push_str(rest[..length].trim_end());
            self.col += length;
            lines += 1;
            // A comment ends the scalar.
            if length < rest.len() {
                return Ok((text, lines == 1));
            }
            let row = self.row;
            let next = self.flow_next()?;
            let between = self.lines.get(row + 1..self.row).unwrap_or_default();
            let comment = (between.iter()).any(|line| !line.trim_matches([' ', '\t']).is_empty());
            if comment || flow_length(self.rest()) == 0 {
                debug_assert!(comment || b",[]{}:#".contains(&next), "what ends a scalar");
                return Ok((text, lines == 1));
            }
            match between.len() {
                0 => text.push(' '),
                breaks => text.extend(std::iter::repeat_n('\n', breaks)),
            }
        }
    }

    fn flow_list(&mut self) -> Read<Node> {
        self.col += 1;
        let mut items = Vec::new();
        loop {
            if self.flow_next()? == b']' {
                self.col += 1;
                return Ok(Node::List(items));
            }
            let row = self.row;
            let item = self.flow()?;
            let same = self.row == row;
            // `[key: value]` is a list with a map of one pair.
            let item = match (self.flow_next()?, item) {
                (b':', Node::Text(key)) if same => {
                    self.col += 1;
                    Node::Map(Map::new().with(key, self.flow()?))
                }
                (_, item) => item,
            };
            items.push(item);
            self.flow_comma(b']')?;
        }
    }

    fn flow_map(&mut self) -> Read<Node> {
        self.col += 1;
        let mut map = Map::new();
        loop {
            if self.flow_next()? == b'}' {
                self.col += 1;
                return Ok(Node::Map(map));
            }
            let key = match self.flow()? {
                Node::Text(text) | Node::Number(text) => text,
                Node::Bool(value) => value.to_string(),
                _ => return Err(self.error("a key must be text")),
            };
            if map.get(&key).is_some() {
                return Err(self.error(&format!("`{key}` is repeated")));
            }
            let value = match self.flow_next()? {
                b':' => {
                    self.col += 1;
                    match self.flow_next()? {
                        b',' | b'}' => Node::Null,
                        _ => self.flow()?,
                    }
                }
                _ => Node::Null,
            };
            map = map.with(key, value);
            self.flow_comma(b'}')?;
        }
    }

    /// Returns the next byte that is not a space.
    fn flow_next(&mut self) -> Read<u8> {
        match self.next_line() {
            Some(_) => Ok(self.rest().as_bytes()[0]),
            None => Err(self.error("missing closing bracket")),
        }
    }

    fn flow_comma(&mut self, close: u8) -> Read<()> {
        match self.flow_next()? {
            b',' => self.col += 1,
            found if found == close => {}
            _ => return Err(self.error("missing comma or closing bracket")),
        }
        Ok(())
    }
}
