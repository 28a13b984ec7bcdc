//! The blocks of a `.tf` file, with expressions that are not evaluated yet.

use hcl::expr::Expression;
use hcl::{Body, Structure};
use keyfold_core::export::cloudformation::functions::child;
use keyfold_core::export::tree::{Map, Node};

/// A top-level block: `resource "aws_dynamodb_table" "orders" { ... }`.
pub struct Block {
    pub kind: String,
    pub labels: Vec<String>,
    pub body: Content,
}

/// The content of a block.
pub enum Content {
    /// Of HCL.
    Body(Body),
    /// Of JSON syntax, whose strings are templates.
    Json(Map),
}

/// Parses HCL.
///
/// # Errors
///
/// The position of the first error, and what was expected.
pub fn parse(source: &str) -> Result<Vec<Block>, String> {
    let body = hcl::parse(source).map_err(|error| match &error {
        hcl::Error::Parse(parse) => {
            let at = parse.location();
            let (line, column) = (at.line(), at.column());
            format!(
                "line {line}, column {column}: this is not HCL: {}",
                parse.message()
            )
        }
        other => format!("this is not HCL: {other}"),
    })?;
    let mut blocks = Vec::new();
    for structure in body.into_inner() {
        if let Structure::Block(block) = structure {
            let labels = block.labels.iter().map(|label| label.as_str().to_owned());
            blocks.push(Block {
                kind: block.identifier.to_string(),
                labels: labels.collect(),
                body: Content::Body(block.body),
            });
        }
    }
    Ok(blocks)
}

/// The blocks of JSON syntax: `{"resource": {"aws_dynamodb_table": {"orders": {...}}}}`.
pub fn of_json(root: &Map) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut add = |kind: &str, labels: &[&str], node: &Node| {
        let maps: Vec<&Map> = match node {
            Node::Map(map) => vec![map],
            Node::List(items) => items
                .iter()
                .filter_map(|item| match item {
                    Node::Map(map) => Some(map),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        for map in maps {
            blocks.push(Block {
                kind: kind.to_owned(),
                labels: labels.iter().map(|label| (*label).to_owned()).collect(),
                body: Content::Json(map.clone()),
            });
        }
    };
    for kind in ["variable", "module"] {
        for (name, node) in child(root, kind).into_iter().flat_map(Map::pairs) {
            add(kind, &[name], node);
        }
    }
    if let Some(locals) = root.get("locals") {
        add("locals", &[], locals);
    }
    for (kind, of_kind) in child(root, "resource").into_iter().flat_map(Map::pairs) {
        if let Node::Map(named) = of_kind {
            for (name, node) in named.pairs() {
                add("resource", &[kind, name], node);
            }
        }
    }
    blocks
}

/// An expression as its text, for messages.
pub fn code(expression: &Expression) -> Node {
    let text = hcl::format::to_string(expression).unwrap_or_default();
    Node::Code(text)
}
