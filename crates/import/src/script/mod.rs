//! Object literals in JavaScript and TypeScript. Values that are literals are read; constants of the same file are
//! followed; functions and other expressions are stepped over and kept as [`Node::Code`](keyfold_core::export::tree::Node).
//!
//! Bounded: brackets nest to a limit, and constants that repeat constants cannot grow without end.

mod constants;
pub mod function;
mod lex;
pub mod literal;
mod parameters;
mod text;
mod values;

pub use literal::{Call, Script, returned_object};

use keyfold_core::export::tree::{Map, Node};

/// The members of a [`Map`] that stands for a call in a tree: what is called, its arguments, and the calls on its result.
const CALLEE: &str = "()";
/// See [`CALLEE`].
const ARGUMENTS: &str = "(arguments)";
/// See [`CALLEE`].
const CHAIN: &str = "(chain)";

/// A call in a tree.
pub struct CallNode<'n> {
    /// What is called, without namespaces.
    pub name: &'n str,
    /// The arguments.
    pub arguments: &'n [Node],
    /// The calls on its result, one after the other.
    pub chain: &'n [Node],
}

/// The call that a value of a tree is; `None` if it is something else.
pub fn call_of(node: &Node) -> Option<CallNode<'_>> {
    let Node::Map(map) = node else { return None };
    let list = |name: &str| match map.get(name) {
        Some(Node::List(nodes)) => nodes.as_slice(),
        _ => &[],
    };
    match map.get(CALLEE)? {
        Node::Text(name) => Some(CallNode {
            name,
            arguments: list(ARGUMENTS),
            chain: list(CHAIN),
        }),
        _ => None,
    }
}

/// Whether a map stands for a call.
fn is_call(map: &Map) -> bool {
    map.get(CALLEE).is_some()
}

/// Whether a member stands for others that the script does not show: a spread of an expression, or a computed name.
pub fn is_unknown_member(name: &str) -> bool {
    name.starts_with("...") || name.starts_with('[')
}

/// A call as a tree.
fn call_node(name: &str, arguments: Vec<Node>, chain: Vec<Node>) -> Node {
    let mut map = Map::new().with(CALLEE, name).with(ARGUMENTS, arguments);
    if !chain.is_empty() {
        map.add(CHAIN, chain);
    }
    Node::Map(map)
}
