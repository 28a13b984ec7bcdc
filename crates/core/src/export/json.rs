//! Writes JSON from the tree of [`super::yaml`]: functions in their long form, no comments.

use super::writer::{Code, CodeWriter, Tag};
use super::yaml::{Map, Node, long_form};
use crate::model::is_hidden;

/// The number of spaces of one indentation level.
const STEP: usize = 2;

/// Writes a document with this map as its root.
pub fn document(root: &Map) -> Code {
    let mut out = CodeWriter::new();
    write_map(&mut out, root);
    out.end_line();
    out.finish()
}

/// Returns a node as JSON on one line, for messages: `{"Ref":"TableName"}`.
pub fn line(node: &Node) -> String {
    let mut out = CodeWriter::new();
    write_node(&mut out, node);
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

fn write_map(out: &mut CodeWriter, map: &Map) {
    if map.is_empty() {
        out.put("{}");
        return;
    }
    out.put("{").end_line();
    out.indent(STEP);
    let last = map.pairs().count();
    for (number, (key, value)) in (1..).zip(map.pairs()) {
        out.tag(Tag::Key, &string(key)).put(": ");
        write_node(out, value);
        out.put(if number < last { "," } else { "" }).end_line();
    }
    out.dedent(STEP);
    out.put("}");
}

fn write_node(out: &mut CodeWriter, node: &Node) {
    match node {
        Node::Null => drop(out.tag(Tag::Keyword, "null")),
        Node::Bool(value) => drop(out.tag(Tag::Number, if *value { "true" } else { "false" })),
        Node::Int(value) => drop(out.tag(Tag::Number, &value.to_string())),
        Node::Text(text) => drop(out.tag(Tag::Text, &string(text))),
        Node::Type(text) => drop(out.tag(Tag::Type, &string(text))),
        Node::Map(map) => write_map(out, map),
        Node::Seq(items) if items.is_empty() => drop(out.put("[]")),
        Node::Seq(items) => {
            out.put("[").end_line();
            out.indent(STEP);
            for (number, item) in (1..).zip(items) {
                write_node(out, item);
                out.put(if number < items.len() { "," } else { "" })
                    .end_line();
            }
            out.dedent(STEP);
            out.put("]");
        }
        Node::Tagged(tag, content) => {
            let content = match (*tag, &**content) {
                // YAML has `Resource.Attribute`; JSON needs a list of both.
                ("GetAtt", Node::Text(text)) if text.contains('.') => {
                    let (resource, attribute) = text.split_once('.').unwrap_or((text, ""));
                    Node::Seq(vec![resource.into(), attribute.into()])
                }
                (_, content) => content.clone(),
            };
            write_map(out, &Map::new().with(long_form(tag), content));
        }
    }
}
