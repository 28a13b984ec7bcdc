//! Numbers of imported JSON as they are written. The JSON parser rounds fractions and long numbers to 64-bit floats;
//! DynamoDB's numbers have up to 38 digits.

use crate::export::tree::Node;
use crate::model::value::number_tokens;

/// Gives the numbers of a tree the digits that they have in the text of which it was parsed. Numbers come in the same
/// order in both.
pub fn exact(node: &mut Node, text: &str) {
    if is_rounded(node) {
        restore(node, &mut number_tokens(text).map(|token| &text[token]));
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

fn restore(node: &mut Node, tokens: &mut dyn Iterator<Item = &str>) {
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
