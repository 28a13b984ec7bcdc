//! JSON and TypeScript values as one tree. A value is written on one line if it fits, otherwise on several.

pub use super::script::quoted;

use super::script;
use super::writer::{CodeWriter, Tag};
use crate::slices::{finish, pause};
use std::pin::Pin;

/// The maximum width of a line that contains a whole value.
const MAX_WIDTH: usize = 100;

/// A value; its parts keep their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// A string.
    Text(String),
    /// A number, as written.
    Number(String),
    /// `true` or `false`.
    Bool(bool),
    /// `null`.
    Null,
    /// A TypeScript expression; not for JSON.
    Code(String),
    /// A function call with one argument; TypeScript only.
    Call(&'static str, Box<Literal>),
    /// An array.
    List(Vec<Literal>),
    /// An object.
    Object(Vec<Member>),
}

/// One line of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Member {
    /// A key and its value.
    Pair(String, Literal),
    /// A comment; not for JSON.
    Comment(String),
}

/// The notation of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// RFC 8259.
    Json,
    /// TypeScript: keys that are identifiers have no quotes, the last line has a comma.
    TypeScript,
}

impl From<&str> for Literal {
    fn from(text: &str) -> Self {
        Literal::Text(text.to_owned())
    }
}

impl From<u64> for Literal {
    fn from(number: u64) -> Self {
        Literal::Number(number.to_string())
    }
}

impl From<bool> for Literal {
    fn from(value: bool) -> Self {
        Literal::Bool(value)
    }
}

impl From<Object> for Literal {
    fn from(object: Object) -> Self {
        Literal::Object(object.0)
    }
}

impl From<Vec<Literal>> for Literal {
    fn from(items: Vec<Literal>) -> Self {
        Literal::List(items)
    }
}

impl From<&serde_json::Value> for Literal {
    fn from(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Literal::Null,
            serde_json::Value::Bool(value) => Literal::Bool(*value),
            serde_json::Value::Number(number) => Literal::Number(number.to_string()),
            serde_json::Value::String(text) => Literal::Text(text.clone()),
            serde_json::Value::Array(items) => {
                Literal::List(items.iter().map(Literal::from).collect())
            }
            serde_json::Value::Object(members) => {
                let mut object = Object::new();
                for (key, value) in members {
                    object.add(key, Literal::from(value));
                }
                object.into()
            }
        }
    }
}

impl Literal {
    /// Creates an array of strings.
    pub fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Literal {
        let mut list = Vec::new();
        for text in texts {
            list.push(Literal::from(text));
        }
        Literal::List(list)
    }

    /// Creates an expression.
    pub fn code(text: impl Into<String>) -> Literal {
        Literal::Code(text.into())
    }
}

/// An object under construction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Object(pub Vec<Member>);

impl Object {
    /// Creates an empty object.
    pub fn new() -> Object {
        Object::default()
    }

    /// Adds a key, which must be unique, and its value.
    pub fn add(&mut self, key: &str, value: impl Into<Literal>) {
        self.0.push(Member::Pair(key.to_owned(), value.into()));
    }

    /// Adds a key and its value if there is a value.
    pub fn add_some(&mut self, key: &str, value: Option<impl Into<Literal>>) {
        if let Some(value) = value {
            self.add(key, value);
        }
    }

    /// Like [`Object::add`], but returns the object.
    pub fn with(mut self, key: &str, value: impl Into<Literal>) -> Object {
        self.add(key, value);
        self
    }

    /// Adds a comment line for each line of the text.
    pub fn comment(&mut self, text: impl Into<String>) {
        self.0.push(Member::Comment(text.into()));
    }

    /// Whether the object has no members.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Writes a value at the current position of a line, leaving room for `after` more characters on the same line. Does
/// not end the line.
pub fn write(out: &mut CodeWriter, value: &Literal, style: Style, after: usize) {
    finish(write_in_slices(out, value, style, after));
}

/// Like [`write`], with a pause before each part that takes several lines.
pub fn write_in_slices<'a>(
    out: &'a mut CodeWriter,
    value: &'a Literal,
    style: Style,
    after: usize,
) -> Pin<Box<dyn Future<Output = ()> + 'a>> {
    Box::pin(async move {
        let room = MAX_WIDTH.saturating_sub(out.column() + after);
        if width(value, style, room).is_some() {
            return write_inline(out, value, style);
        }
        pause().await;
        let comma = |is_last: bool| match is_last && style == Style::Json {
            true => "",
            false => ",",
        };
        match value {
            Literal::Call(name, value) => {
                script::code(out, &[name, "("].concat());
                write_in_slices(out, value, style, after + 1).await;
                out.put(")");
            }
            Literal::List(items) if !items.is_empty() => {
                open(out, "[");
                for (at, item) in (1..).zip(items) {
                    write_in_slices(out, item, style, 1).await;
                    out.put(comma(at == items.len())).end_line();
                }
                close(out, "]");
            }
            Literal::Object(members) if !members.is_empty() => {
                open(out, "{");
                for (at, member) in (1..).zip(members) {
                    match member {
                        Member::Pair(key, value) => {
                            if write_key(out, key, value, style) {
                                write_in_slices(out, value, style, 1).await;
                            }
                            out.put(comma(at == members.len())).end_line();
                        }
                        Member::Comment(text) => script::comment(out, text),
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

fn write_inline(out: &mut CodeWriter, value: &Literal, style: Style) {
    match value {
        Literal::Text(text) => {
            out.tag(Tag::Text, &quoted(text));
        }
        Literal::Number(text) => {
            out.tag(Tag::Number, text);
        }
        Literal::Bool(value) => {
            out.tag(Tag::Number, if *value { "true" } else { "false" });
        }
        Literal::Null => {
            out.tag(Tag::Keyword, "null");
        }
        Literal::Code(text) => script::code(out, text),
        Literal::Call(name, value) => {
            script::code(out, &[name, "("].concat());
            write_inline(out, value, style);
            out.put(")");
        }
        Literal::List(items) => {
            out.put("[");
            for (at, item) in items.iter().enumerate() {
                out.put(if at > 0 { ", " } else { "" });
                write_inline(out, item, style);
            }
            out.put("]");
        }
        Literal::Object(members) if members.is_empty() => {
            out.put("{}");
        }
        Literal::Object(members) => {
            out.put("{ ");
            for (at, member) in members.iter().enumerate() {
                if let Member::Pair(key, value) = member {
                    out.put(if at > 0 { ", " } else { "" });
                    if write_key(out, key, value, style) {
                        write_inline(out, value, style);
                    }
                }
            }
            out.put(" }");
        }
    }
}

/// Writes the key of a value. Returns whether to write the value too: not if it is a constant of the same name.
fn write_key(out: &mut CodeWriter, key: &str, value: &Literal, style: Style) -> bool {
    if style == Style::TypeScript && matches!(value, Literal::Code(name) if name == key) {
        script::code(out, key);
        return false;
    }
    out.tag(Tag::Key, &key_text(key, style)).put(": ");
    true
}

fn key_text(key: &str, style: Style) -> String {
    match style == Style::TypeScript && script::is_identifier(key) {
        true => key.to_owned(),
        // `{"__proto__": x}` sets the prototype; a computed key does not.
        false if style == Style::TypeScript && key == "__proto__" => "[\"__proto__\"]".to_owned(),
        false => quoted(key),
    }
}

/// Returns the characters that the value takes on one line; `None` if it exceeds `room` or needs several lines.
fn width(value: &Literal, style: Style, room: usize) -> Option<usize> {
    let mut total = 0;
    match value {
        Literal::Text(text) if text.len() > room * 4 => return None,
        Literal::Text(text) => total = quoted(text).chars().count(),
        Literal::Number(text) | Literal::Code(text) => total = text.chars().count(),
        Literal::Bool(_) | Literal::Null => total = 5,
        Literal::Call(name, value) => {
            total = name.len() + 2;
            total += width(value, style, room.checked_sub(total)?)?;
        }
        Literal::List(items) => {
            for item in items {
                total += width(item, style, room.checked_sub(total)?)? + 2;
            }
            total = total.max(2);
        }
        Literal::Object(members) => {
            for member in members {
                let Member::Pair(key, value) = member else {
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
