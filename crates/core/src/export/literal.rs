//! Writes a [tree](super::tree) as JSON or as TypeScript. A value is written on one line if it fits, otherwise on
//! several.

use super::tree::{Entry, Node};
use super::writer::{CodeWriter, Tag};
use super::{json, typescript};
use crate::slices::{finish, pause};
use std::pin::Pin;

/// The maximum width of a line that contains a whole value.
const MAX_WIDTH: usize = 100;

/// The notation of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// RFC 8259.
    Json,
    /// JSON with each part on its own line, see [`super::json`].
    Template,
    /// TypeScript: keys that are identifiers have no quotes, the last line has a comma.
    TypeScript,
}

/// Writes a value at the current position of a line, leaving room for `after` more characters on the same line. Does
/// not end the line.
pub fn write(out: &mut CodeWriter, value: &Node, style: Style, after: usize) {
    finish(write_in_slices(out, value, style, after));
}

/// Like [`write`], with a pause before each part that takes several lines.
pub fn write_in_slices<'a>(
    out: &'a mut CodeWriter,
    value: &'a Node,
    style: Style,
    after: usize,
) -> Pin<Box<dyn Future<Output = ()> + 'a>> {
    Box::pin(async move {
        let room = match style {
            Style::Template => 0,
            Style::Json | Style::TypeScript => MAX_WIDTH.saturating_sub(out.column() + after),
        };
        if width(value, style, room).is_some() {
            return write_inline(out, value, style);
        }
        pause().await;
        let comma = |is_last: bool| match is_last && style != Style::TypeScript {
            true => "",
            false => ",",
        };
        match value {
            Node::Call(name, value) => {
                typescript::code(out, &[name, "("].concat());
                write_in_slices(out, value, style, after + 1).await;
                out.put(")");
            }
            Node::List(items) if !items.is_empty() => {
                open(out, "[");
                for (at, item) in (1..).zip(items) {
                    write_in_slices(out, item, style, 1).await;
                    out.put(comma(at == items.len())).end_line();
                }
                close(out, "]");
            }
            Node::Map(map) if !map.entries().is_empty() => {
                open(out, "{");
                for (at, entry) in (1..).zip(map.entries()) {
                    match entry {
                        Entry::Pair(key, value) => {
                            if write_key(out, key, value, style) {
                                write_in_slices(out, value, style, 1).await;
                            }
                            out.put(comma(at == map.entries().len())).end_line();
                        }
                        Entry::Comment(text) => typescript::comment(out, text),
                        Entry::Blank => {
                            out.end_line();
                        }
                    }
                }
                close(out, "}");
            }
            _ => write_inline(out, value, style),
        }
    })
}

fn open(out: &mut CodeWriter, bracket: &str) {
    out.put(bracket).end_line();
    out.indent(2);
}

fn close(out: &mut CodeWriter, bracket: &str) {
    out.dedent(2);
    out.put(bracket);
}

fn write_inline(out: &mut CodeWriter, value: &Node, style: Style) {
    match value {
        Node::Text(text) => {
            out.tag(Tag::Text, &quoted(text, style));
        }
        Node::Type(text) => {
            out.tag(Tag::Type, &quoted(text, style));
        }
        Node::Number(text) => {
            out.tag(Tag::Number, text);
        }
        Node::Bool(value) => {
            out.tag(Tag::Number, if *value { "true" } else { "false" });
        }
        Node::Null => {
            out.tag(Tag::Keyword, "null");
        }
        Node::Code(text) => typescript::code(out, text),
        Node::Call(name, value) => {
            typescript::code(out, &[name, "("].concat());
            write_inline(out, value, style);
            out.put(")");
        }
        Node::List(items) => {
            out.put("[");
            for (at, item) in items.iter().enumerate() {
                out.put(if at > 0 { ", " } else { "" });
                write_inline(out, item, style);
            }
            out.put("]");
        }
        Node::Map(map) if map.is_empty() => {
            out.put("{}");
        }
        Node::Map(map) => {
            out.put("{ ");
            for (at, (key, value)) in map.pairs().enumerate() {
                out.put(if at > 0 { ", " } else { "" });
                if write_key(out, key, value, style) {
                    write_inline(out, value, style);
                }
            }
            out.put(" }");
        }
    }
}

/// Writes the key of a value. Returns whether to write the value too: not if it is a constant of the same name.
fn write_key(out: &mut CodeWriter, key: &str, value: &Node, style: Style) -> bool {
    if style == Style::TypeScript && matches!(value, Node::Code(name) if name == key) {
        typescript::code(out, key);
        return false;
    }
    out.tag(Tag::Key, &key_text(key, style)).put(": ");
    true
}

fn key_text(key: &str, style: Style) -> String {
    match style == Style::TypeScript && typescript::is_identifier(key) {
        true => key.to_owned(),
        // `{"__proto__": x}` sets the prototype; a computed key does not.
        false if style == Style::TypeScript && key == "__proto__" => "[\"__proto__\"]".to_owned(),
        false => quoted(key, style),
    }
}

fn quoted(text: &str, style: Style) -> String {
    match style {
        Style::Template => json::string(text),
        Style::Json | Style::TypeScript => typescript::quoted(text),
    }
}

/// Returns the characters that the value takes on one line; `None` if it exceeds `room` or needs several lines.
fn width(value: &Node, style: Style, room: usize) -> Option<usize> {
    let mut total = 0;
    match value {
        Node::Text(text) | Node::Type(text) if text.len() > room * 4 => return None,
        Node::Text(text) | Node::Type(text) => total = quoted(text, style).chars().count(),
        Node::Number(text) | Node::Code(text) => total = text.chars().count(),
        Node::Bool(_) | Node::Null => total = 5,
        Node::Call(name, value) => {
            total = name.len() + 2;
            total += width(value, style, room.checked_sub(total)?)?;
        }
        Node::List(items) => {
            for item in items {
                total += width(item, style, room.checked_sub(total)?)? + 2;
            }
            total = total.max(2);
        }
        Node::Map(map) => {
            for entry in map.entries() {
                let Entry::Pair(key, value) = entry else {
                    return None;
                };
                total += key_text(key, style).chars().count() + 4;
                total += width(value, style, room.checked_sub(total)?)?;
            }
            total += 2;
        }
    }
    (total <= room).then_some(total)
}
