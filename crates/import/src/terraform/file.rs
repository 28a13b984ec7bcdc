//! The blocks of a `.tf` file, with expressions that are not evaluated yet.

use hcl::Body;
use hcl::edit::Span;
use hcl::edit::structure::{Body as Parsed, Structure};
use hcl::expr::Expression;
use keyfold_core::export::cloudformation::functions::child;
use keyfold_core::export::tree::{Map, Node};

/// A top-level block: `resource "aws_dynamodb_table" "orders" { ... }`.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// The name of the file, if there are several.
    pub file: Option<String>,
    pub kind: String,
    pub labels: Vec<String>,
    /// The line, in HCL.
    pub line: Option<usize>,
    pub body: Content,
}

/// The content of a block.
#[derive(Debug, Clone, PartialEq)]
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
    let parsed: Parsed = source.parse().map_err(|error: hcl::edit::parser::Error| {
        let at = error.location();
        let (line, column) = (at.line(), at.column());
        format!(
            "line {line}, column {column}: this is not HCL: {}",
            error.message()
        )
    })?;
    let mut blocks = Vec::new();
    let (mut line, mut counted) = (1, 0);
    for structure in parsed {
        if let Structure::Block(block) = structure {
            let start = block.span().map(|span| span.start);
            if let Some(start) = start {
                line += source[counted..start].matches('\n').count();
                counted = start;
            }
            let labels = block.labels.iter().map(|label| label.as_str().to_owned());
            blocks.push(Block {
                file: None,
                kind: block.ident.to_string(),
                labels: labels.collect(),
                line: start.map(|_| line),
                body: Content::Body(Body::from(block.body)),
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
                file: None,
                kind: kind.to_owned(),
                labels: labels.iter().map(|label| (*label).to_owned()).collect(),
                line: None,
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
