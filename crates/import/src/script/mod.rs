//! Object literals in JavaScript and TypeScript. Values that are literals are read; constants of the same file are
//! followed; functions and other expressions are stepped over and kept as [`Node::Code`](keyfold_core::export::tree::Node).
//!
//! Bounded: brackets nest to a limit, and constants that repeat constants cannot grow without end.

pub mod function;
mod lex;
pub mod literal;
mod text;

pub use literal::{Call, Script};

use keyfold_core::export::tree::{Map, Node};

/// The members of a [`Map`] that stands for a call in a tree: what is called, its arguments, and the calls on its result.
const CALLEE: &str = "()";
/// See [`CALLEE`].
const ARGUMENTS: &str = "(arguments)";
/// See [`CALLEE`].
const CHAIN: &str = "(chain)";

/// A call as a tree.
fn call_node(name: &str, arguments: Vec<Node>, chain: Vec<Node>) -> Node {
    let mut map = Map::new().with(CALLEE, name).with(ARGUMENTS, arguments);
    if !chain.is_empty() {
        map.add(CHAIN, chain);
    }
    Node::Map(map)
}
