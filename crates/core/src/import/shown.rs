//! Parts of a tree in messages.

use crate::export::json;
use crate::export::tree::Node;

/// The elements of a list, each with its path.
pub fn elements<'a>(items: &'a [Node], path: &str) -> Vec<(&'a Node, String)> {
    let with_path = |(at, item): (usize, &'a Node)| (item, format!("{path}[{at}]"));
    items.iter().enumerate().map(with_path).collect()
}

/// The message for a value of another type, without its place.
pub fn found(what: &str, node: &Node) -> String {
    format!("expected {what}, found {}", shorten(node))
}

/// The start of a value, for messages.
pub fn shorten(node: &Node) -> String {
    const CHARS: usize = 60;
    let mut text = String::new();
    write(node, &mut text, CHARS);
    match text.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Writes a value on one line, and stops soon after `most` bytes.
fn write(node: &Node, out: &mut String, most: usize) {
    match node {
        Node::Null => out.push_str("null"),
        Node::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Node::Number(text) => out.push_str(text),
        Node::Code(code) => {
            let words = code.split_whitespace().take(most);
            out.push_str(&words.collect::<Vec<_>>().join(" "));
        }
        Node::Text(text) | Node::Type(text) => {
            let start: String = text.chars().take(most * 2).collect();
            out.push_str(&json::string(&start));
        }
        Node::Call(name, argument) => {
            out.push_str(name);
            out.push('(');
            write(argument, out, most);
            out.push(')');
        }
        Node::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if out.len() > most {
                    break;
                }
                out.push_str(if at > 0 { ", " } else { "" });
                write(item, out, most);
            }
            out.push(']');
        }
        Node::Map(map) => {
            out.push('{');
            for (at, (name, value)) in map.pairs().enumerate() {
                if out.len() > most {
                    break;
                }
                out.push_str(if at > 0 { ", " } else { "" });
                out.push_str(&json::string(name));
                out.push_str(": ");
                write(value, out, most);
            }
            out.push('}');
        }
    }
}
