//! Writes a [tree](super::tree) as the JSON of templates and policies: each part on its own line, functions in their long
//! form, no comments. `super::literal` writes JSON that uses the width of a line.

use super::literal::{self, Style};
use super::tree::{Map, Node};
use super::writer::{Code, CodeWriter};
use super::yaml::long_form;
use crate::model::is_hidden;

/// Writes a document with this map as its root.
pub fn document(root: &Map) -> Code {
    let mut out = CodeWriter::new();
    literal::write(&mut out, &plain_map(root), Style::Template, 0);
    out.end_line();
    out.finish()
}

/// Returns a value as JSON on one line, for messages: `{"Ref": "TableName"}`.
pub fn line(node: &Node) -> String {
    let mut out = CodeWriter::new();
    literal::write(&mut out, &plain(node), Style::Template, 0);
    let text = out.finish().text;
    let mut line = String::with_capacity(text.len());
    for part in text.lines() {
        let part = part.trim_start();
        if line.ends_with(',') {
            line.push(' ');
        }
        line.push_str(part);
    }
    line
}

/// Returns a string literal.
pub fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_hidden(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Returns the value with its functions as maps and without comments.
fn plain(node: &Node) -> Node {
    match node {
        Node::List(items) => Node::List(items.iter().map(plain).collect()),
        Node::Map(map) => plain_map(map),
        Node::Call(name, argument) => {
            let argument = match (*name, &**argument) {
                // YAML has `Resource.Attribute`; JSON needs a list of both.
                ("GetAtt", Node::Text(text)) if text.contains('.') => {
                    let (resource, attribute) = text.split_once('.').unwrap_or((text, ""));
                    Node::texts([resource, attribute])
                }
                (_, argument) => plain(argument),
            };
            Map::new().with(long_form(name), argument).into()
        }
        flat => flat.clone(),
    }
}

fn plain_map(map: &Map) -> Node {
    let mut plain_map = Map::new();
    for (key, value) in map.pairs() {
        plain_map.add(key, plain(value));
    }
    plain_map.into()
}
