//! Numbers of JSON as they are written. The JSON parser rounds fractions and long numbers to 64-bit floats; DynamoDB's
//! numbers have up to 38 digits.

use crate::export::tree::Node;

/// Gives the numbers of a tree the digits that they have in the text of which it was parsed. Numbers come in the same
/// order in both.
pub fn exact(node: &mut Node, text: &str) {
    if is_rounded(node) {
        restore(node, &mut Tokens(text));
    }
}

/// Whether the parser made a float of some number.
fn is_rounded(node: &Node) -> bool {
    match node {
        Node::Number(number) => number.contains(['.', 'e']),
        Node::List(items) => items.iter().any(is_rounded),
        Node::Map(map) => map.pairs().any(|(_, node)| is_rounded(node)),
        _ => false,
    }
}

fn restore(node: &mut Node, tokens: &mut Tokens) {
    match node {
        Node::Number(number) => {
            if let Some(token) = tokens.next() {
                token.clone_into(number);
            }
        }
        Node::List(items) => items.iter_mut().for_each(|item| restore(item, tokens)),
        Node::Map(map) => map.values_mut().for_each(|node| restore(node, tokens)),
        _ => {}
    }
}

/// The numbers in valid JSON, outside of strings.
struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let is_start = |c: char| c == '-' || c.is_ascii_digit();
        loop {
            let start = self.0.find(|c| c == '"' || is_start(c))?;
            let rest = &self.0[start..];
            if let Some(inside) = rest.strip_prefix('"') {
                self.0 = after_string(inside);
                continue;
            }
            let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            self.0 = &rest[end..];
            return Some(&rest[..end]);
        }
    }
}

/// The text behind a string whose opening quote was read.
fn after_string(mut text: &str) -> &str {
    while let Some(at) = text.find(['"', '\\']) {
        let is_end = text[at..].starts_with('"');
        text = &text[at + 1..];
        if is_end {
            return text;
        }
        let mut escaped = text.chars();
        escaped.next();
        text = escaped.as_str();
    }
    ""
}
