//! Writes Terraform's language in the layout of `terraform fmt`, which aligns the `=` of adjacent lines. Values are
//! [trees](super::tree).

use super::tree::{Entry, Node};
use super::typescript::{is_identifier, quoted};
use super::writer::{Code, CodeWriter, Tag};
use crate::model::{is_hidden, shown};

/// The content of a file or block, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Body(Vec<Line>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Line {
    Argument(String, Node),
    Block(&'static str, Vec<String>, Body),
    Comment(String),
    Blank,
}

impl Body {
    /// Creates an empty body.
    pub fn new() -> Body {
        Body::default()
    }

    /// Adds an argument.
    pub fn set(&mut self, name: &str, value: impl Into<Node>) {
        self.0.push(Line::Argument(name.to_owned(), value.into()));
    }

    /// Adds an argument if there is a value.
    pub fn set_some(&mut self, name: &str, value: Option<impl Into<Node>>) {
        if let Some(value) = value {
            self.set(name, value);
        }
    }

    /// Like [`Body::set`], but returns the body.
    pub fn with(mut self, name: &str, value: impl Into<Node>) -> Body {
        self.set(name, value);
        self
    }

    /// Adds a block, after a blank line unless it is the first.
    pub fn block(&mut self, kind: &'static str, labels: &[&str], body: Body) {
        if !matches!(self.0.last(), None | Some(Line::Comment(_) | Line::Blank)) {
            self.0.push(Line::Blank);
        }
        let labels = labels.iter().map(|label| (*label).to_owned()).collect();
        self.0.push(Line::Block(kind, labels, body));
    }

    /// Adds a comment line for each line of the text, after a blank line unless it is the first.
    pub fn comment(&mut self, text: &str) {
        if !matches!(self.0.last(), None | Some(Line::Comment(_) | Line::Blank)) {
            self.0.push(Line::Blank);
        }
        for line in text.lines() {
            self.0.push(Line::Comment(shown(line)));
        }
    }

    /// Adds a blank line.
    pub fn blank(&mut self) {
        self.0.push(Line::Blank);
    }
}

/// Writes the file with this body.
pub fn file(body: &Body) -> Code {
    let mut out = CodeWriter::new();
    write_body(&mut out, body);
    out.finish()
}

fn write_body(out: &mut CodeWriter, body: &Body) {
    for (at, line) in body.0.iter().enumerate() {
        match line {
            Line::Blank => {
                out.end_line();
            }
            Line::Comment(text) => {
                let start = if text.is_empty() { "#" } else { "# " };
                out.tag(Tag::Comment, &[start, text.trim_end()].concat())
                    .end_line();
            }
            Line::Block(kind, labels, body) => {
                out.tag(Tag::Keyword, kind);
                for label in labels {
                    out.put(" ").tag(Tag::Type, &text(label));
                }
                out.put(" {");
                if body.0.is_empty() {
                    out.put("}").end_line();
                    continue;
                }
                out.end_line();
                out.indent(2);
                write_body(out, body);
                out.dedent(2);
                out.put("}").end_line();
            }
            Line::Argument(name, value) => {
                let is_aligned = |line: &Line| match line {
                    Line::Argument(name, value) if is_flat(value) => Some(name.chars().count()),
                    _ => None,
                };
                let width = width_of_group(&body.0, at, &is_aligned);
                out.tag(Tag::Key, name);
                write_equals(out, name.chars().count(), width);
                write_value(out, value);
                out.end_line();
            }
        }
    }
}

/// Returns the width of the longest name in the adjacent lines that are aligned with this one.
fn width_of_group<T>(lines: &[T], at: usize, width: &dyn Fn(&T) -> Option<usize>) -> usize {
    let mut widest = 0;
    let (before, after) = lines.split_at(at);
    if width(&lines[at]).is_none() {
        return 0;
    }
    for line in before.iter().rev() {
        match width(line) {
            Some(width) => widest = widest.max(width),
            None => break,
        }
    }
    for line in after {
        match width(line) {
            Some(width) => widest = widest.max(width),
            None => break,
        }
    }
    widest
}

fn write_equals(out: &mut CodeWriter, width: usize, widest: usize) {
    for _ in width..widest {
        out.put(" ");
    }
    out.put(" = ");
}

/// Whether the value fits on one line.
fn is_flat(value: &Node) -> bool {
    match value {
        Node::Map(map) => map.is_empty(),
        Node::Call(_, value) => is_flat(value),
        Node::List(items) => items.iter().all(is_flat),
        _ => true,
    }
}

fn write_value(out: &mut CodeWriter, value: &Node) {
    match value {
        Node::Text(content) | Node::Type(content) => {
            out.tag(Tag::Text, &text(content));
        }
        Node::Number(number) => {
            out.tag(Tag::Number, number);
        }
        Node::Bool(value) => {
            out.tag(Tag::Number, if *value { "true" } else { "false" });
        }
        Node::Null => {
            out.tag(Tag::Keyword, "null");
        }
        Node::Code(code) => {
            out.put(code);
        }
        Node::Call(name, value) => {
            out.tag(Tag::Function, name).put("(");
            write_value(out, value);
            out.put(")");
        }
        Node::List(items) if is_flat(value) => {
            out.put("[");
            for (at, item) in items.iter().enumerate() {
                out.put(if at > 0 { ", " } else { "" });
                write_value(out, item);
            }
            out.put("]");
        }
        Node::List(items) => {
            out.put("[").end_line();
            out.indent(2);
            for item in items {
                write_value(out, item);
                out.put(",").end_line();
            }
            out.dedent(2);
            out.put("]");
        }
        Node::Map(map) if map.is_empty() => {
            out.put("{}");
        }
        Node::Map(map) => {
            out.put("{").end_line();
            out.indent(2);
            let entries = map.entries();
            for (at, entry) in entries.iter().enumerate() {
                let Entry::Pair(name, value) = entry else {
                    continue;
                };
                let key = key(name);
                let is_aligned = |entry: &Entry| match entry {
                    Entry::Pair(name, value) if is_flat(value) && has_known_width(name) => {
                        Some(self::key(name).chars().count())
                    }
                    _ => None,
                };
                // A line between blank lines is aligned with nothing.
                let is_apart = |at: usize| matches!(&entries[at], Entry::Pair(name, _) if !has_known_width(name));
                if at > 0 && (is_apart(at) || is_apart(at - 1)) {
                    out.end_line();
                }
                out.tag(Tag::Key, &key);
                let width = width_of_group(entries, at, &is_aligned);
                write_equals(out, key.chars().count(), width);
                write_value(out, value);
                out.end_line();
            }
            out.dedent(2);
            out.put("}");
        }
    }
}

/// Whether `terraform fmt` counts the name's characters as we do: it counts combining sequences as one.
fn has_known_width(name: &str) -> bool {
    name.chars().all(|c| {
        matches!(c, ' '..='\u{2ff}' | '\u{370}'..='\u{482}' | '\u{48a}'..='\u{58f}' | '\u{1e00}'..='\u{1fff}')
            || matches!(c, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}')
            || matches!(c, '\u{ac00}'..='\u{d7a3}')
    })
}

/// Returns the key of an object, quoted unless it is a plain name. A keyword, such as `for`, would start an expression.
fn key(name: &str) -> String {
    let is_keyword = matches!(name, "for" | "true" | "false" | "null" | "if" | "in");
    match is_identifier(name) && !name.contains('$') && !is_keyword {
        true => name.to_owned(),
        false => text(name),
    }
}

/// Returns the text as a string literal without template sequences.
pub fn text(content: &str) -> String {
    let mut escaped = String::new();
    // JSON escapes a character above U+FFFF with two escapes, HCL with one of another form.
    let is_far = |c: char| c > '\u{ffff}' && is_hidden(c);
    let mut rest = String::from("\"");
    for part in content.split_inclusive(is_far) {
        let far = part.chars().next_back().filter(|c| is_far(*c));
        let near = quoted(part.trim_end_matches(is_far));
        rest.push_str(&near[1..near.len() - 1]);
        rest.extend(far.map(|c| format!("\\U{:08x}", u32::from(c))));
    }
    rest.push('"');
    let mut chars = rest.chars().peekable();
    while let Some(c) = chars.next() {
        escaped.push(c);
        if c == '\\' {
            // HCL has the escapes of JSON, except for two.
            match chars.next() {
                Some('b') => escaped.push_str("u0008"),
                Some('f') => escaped.push_str("u000c"),
                other => escaped.extend(other),
            }
        }
        if matches!(c, '$' | '%') && chars.peek() == Some(&'{') {
            escaped.push(c);
        }
    }
    escaped
}
