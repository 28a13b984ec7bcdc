//! Evaluates Terraform's expressions as far as a file alone allows: defaults of variables, locals, arguments of other
//! resources, texts, conditions. Bounded: locals that repeat locals cannot grow without end.

use super::Resource;
use super::file::{Block, Content, code};
use crate::form::Notes;
use hcl::expr::{
    BinaryOperator, Expression, ObjectKey, Operation, TemplateExpr, Traversal, TraversalOperator,
    UnaryOperator,
};
use hcl::template::{Element, Template};
use hcl::{Body, Structure};
use keyfold_core::export::cloudformation::functions::text;
use keyfold_core::export::json;
use keyfold_core::export::tree::{Map, Node};
use std::cell::Cell;

/// How deeply values may refer to values.
const MAX_DEPTH: usize = 40;
/// The maximum of parts and bytes of text that all evaluations of a file together make.
const BUDGET: usize = 8 << 20;

/// The blocks of a file, which expressions refer to.
pub struct Scope {
    blocks: Vec<Block>,
    left: Cell<usize>,
}

impl Scope {
    /// The scope of a file. Blocks that make others are noted.
    pub fn new(blocks: Vec<Block>, notes: &mut Notes) -> Self {
        for block in &blocks {
            let Content::Body(body) = &block.body else {
                continue;
            };
            if block
                .labels
                .first()
                .is_some_and(|kind| kind == "aws_dynamodb_table")
            {
                for attribute in body.attributes() {
                    if matches!(attribute.key(), "count" | "for_each") {
                        let place = format!("{}.{}", block.labels.join("."), attribute.key());
                        notes.add(place, "not understood: the resource is read once");
                    }
                }
            }
        }
        Scope {
            blocks,
            left: Cell::new(BUDGET),
        }
    }

    /// The resources with evaluated values. A module of the registry that makes a table counts as one.
    pub fn resources(&self) -> Vec<Resource> {
        let mut resources = Vec::new();
        for block in &self.blocks {
            match (block.kind.as_str(), block.labels.as_slice()) {
                ("resource", [kind, _]) => resources.push(Resource {
                    kind: kind.clone(),
                    address: block.labels.join("."),
                    values: self.content(&block.body, MAX_DEPTH),
                }),
                ("module", [name]) => {
                    let values = self.content(&block.body, MAX_DEPTH);
                    let source = values.get("source").and_then(text);
                    if source.is_some_and(|source| source.contains("dynamodb-table")) {
                        resources.push(Resource {
                            kind: "aws_dynamodb_table".to_owned(),
                            address: format!("module.{name}"),
                            values: super::table::of_module(&values),
                        });
                    }
                }
                _ => {}
            }
        }
        resources
    }

    fn content(&self, content: &Content, depth: usize) -> Map {
        match content {
            Content::Body(body) => self.body(body, depth),
            Content::Json(map) => {
                let mut out = Map::new();
                for (name, node) in map.pairs() {
                    out.add(name, self.json(node, depth));
                }
                out
            }
        }
    }

    /// The arguments and blocks of a body: blocks of one name become a list.
    fn body(&self, body: &Body, depth: usize) -> Map {
        let mut out = Map::new();
        let mut lists: Vec<(String, Vec<Node>)> = Vec::new();
        for structure in body.iter() {
            match structure {
                Structure::Attribute(attribute) => {
                    if out.get(attribute.key()).is_none() {
                        out.add(attribute.key(), self.or_code(attribute.expr(), depth));
                    }
                }
                Structure::Block(block) => {
                    let mut name = block.identifier().to_owned();
                    for label in block.labels() {
                        name = format!("{name} {}", label.as_str());
                    }
                    let node = match depth.checked_sub(1) {
                        Some(depth) => Node::Map(self.body(block.body(), depth)),
                        None => continue,
                    };
                    match lists.iter_mut().find(|(other, _)| *other == name) {
                        Some((_, list)) => list.push(node),
                        None => lists.push((name, vec![node])),
                    }
                }
            }
        }
        for (name, list) in lists {
            if out.get(&name).is_none() {
                out.add(name, list);
            }
        }
        out
    }

    /// A value of JSON syntax.
    fn json(&self, node: &Node, depth: usize) -> Node {
        let Some(depth) = depth.checked_sub(1) else {
            return node.clone();
        };
        match node {
            Node::Text(content) if content.contains("${") => {
                let value = self.template(content, depth);
                value.unwrap_or_else(|| Node::code(content.as_str()))
            }
            Node::List(items) => {
                Node::List(items.iter().map(|item| self.json(item, depth)).collect())
            }
            Node::Map(map) => {
                let mut out = Map::new();
                for (name, node) in map.pairs() {
                    out.add(name, self.json(node, depth));
                }
                Node::Map(out)
            }
            other => other.clone(),
        }
    }

    fn or_code(&self, expression: &Expression, depth: usize) -> Node {
        let value = self.value(expression, depth);
        value.unwrap_or_else(|| code(expression))
    }

    /// Takes from the budget; none if it is used up.
    fn spend(&self, amount: usize) -> Option<()> {
        self.left.set(self.left.get().checked_sub(amount)?);
        Some(())
    }

    fn value(&self, expression: &Expression, depth: usize) -> Option<Node> {
        let depth = depth.checked_sub(1)?;
        self.spend(1)?;
        Some(match expression {
            Expression::Null => Node::Null,
            Expression::Bool(flag) => Node::Bool(*flag),
            Expression::Number(number) => Node::Number(number.to_string()),
            Expression::String(text) => {
                self.spend(text.len())?;
                Node::Text(text.clone())
            }
            Expression::Array(items) => {
                Node::List(items.iter().map(|item| self.or_code(item, depth)).collect())
            }
            Expression::Object(members) => {
                let mut map = Map::new();
                for (key, value) in members.iter() {
                    let name = match key {
                        ObjectKey::Identifier(name) => name.to_string(),
                        ObjectKey::Expression(key) => text(&self.value(key, depth)?)?,
                        _ => return None,
                    };
                    if map.get(&name).is_none() {
                        map.add(name, self.or_code(value, depth));
                    }
                }
                Node::Map(map)
            }
            Expression::TemplateExpr(template) => match &**template {
                TemplateExpr::QuotedString(content) => self.template(content, depth)?,
                TemplateExpr::Heredoc(heredoc) => self.template(&heredoc.template, depth)?,
            },
            Expression::Parenthesis(inner) => self.value(inner, depth)?,
            Expression::Traversal(traversal) => self.traversal(traversal, depth)?,
            Expression::Conditional(conditional) => {
                match self.value(&conditional.cond_expr, depth)? {
                    Node::Bool(true) => self.value(&conditional.true_expr, depth)?,
                    Node::Bool(false) => self.value(&conditional.false_expr, depth)?,
                    _ => return None,
                }
            }
            Expression::Operation(operation) => self.operation(operation, depth)?,
            Expression::FuncCall(call) => {
                let name = call.name.name.to_string();
                let mut arguments = Vec::new();
                for argument in &call.args {
                    arguments.push(self.value(argument, depth)?);
                }
                self.call(&name, &arguments)?
            }
            _ => return None,
        })
    }

    fn operation(&self, operation: &Operation, depth: usize) -> Option<Node> {
        match operation {
            Operation::Unary(unary) => match (unary.operator, self.value(&unary.expr, depth)?) {
                (UnaryOperator::Not, Node::Bool(flag)) => Some(Node::Bool(!flag)),
                (UnaryOperator::Neg, Node::Number(text)) => Some(Node::Number(format!("-{text}"))),
                _ => None,
            },
            Operation::Binary(binary) => {
                let left = self.value(&binary.lhs_expr, depth)?;
                let right = self.value(&binary.rhs_expr, depth)?;
                match binary.operator {
                    BinaryOperator::Eq => Some(Node::Bool(left == right)),
                    BinaryOperator::NotEq => Some(Node::Bool(left != right)),
                    BinaryOperator::And => match (left, right) {
                        (Node::Bool(a), Node::Bool(b)) => Some(Node::Bool(a && b)),
                        _ => None,
                    },
                    BinaryOperator::Or => match (left, right) {
                        (Node::Bool(a), Node::Bool(b)) => Some(Node::Bool(a || b)),
                        _ => None,
                    },
                    _ => None,
                }
            }
        }
    }

    /// The few functions that name tables and write policies.
    fn call(&self, name: &str, arguments: &[Node]) -> Option<Node> {
        match (name, arguments) {
            ("jsonencode", [value]) => {
                let line = json::line(value);
                self.spend(line.len())?;
                Some(Node::Text(line))
            }
            ("lower", [value]) => Some(Node::Text(text(value)?.to_lowercase())),
            ("upper", [value]) => Some(Node::Text(text(value)?.to_uppercase())),
            ("tostring", [value]) => Some(Node::Text(text(value)?)),
            ("join", [between, Node::List(items)]) => {
                let parts: Option<Vec<String>> = items.iter().map(text).collect();
                let joined = parts?.join(&text(between)?);
                self.spend(joined.len())?;
                Some(Node::Text(joined))
            }
            ("toset" | "tolist", [Node::List(items)]) => Some(Node::List(items.clone())),
            ("merge", maps) => {
                let mut merged: Vec<(String, Node)> = Vec::new();
                for node in maps {
                    let Node::Map(map) = node else { return None };
                    for (name, value) in map.pairs() {
                        self.spend(1)?;
                        merged.retain(|(other, _)| other != name);
                        merged.push((name.to_owned(), value.clone()));
                    }
                }
                let mut map = Map::new();
                for (name, value) in merged {
                    map.add(name, value);
                }
                Some(Node::Map(map))
            }
            _ => None,
        }
    }

    fn template(&self, source: &str, depth: usize) -> Option<Node> {
        let template: Template = source.parse().ok()?;
        if let [Element::Interpolation(only)] = template.elements() {
            return self.value(&only.expr, depth);
        }
        let mut out = String::new();
        for element in template.elements() {
            match element {
                Element::Literal(literal) => out.push_str(literal),
                Element::Interpolation(part) => {
                    out.push_str(&text(&self.value(&part.expr, depth)?)?);
                }
                Element::Directive(_) => return None,
            }
        }
        self.spend(out.len())?;
        Some(Node::Text(out))
    }

    /// The value of a reference, such as `var.name`, `local.tags["a"]` or `aws_dynamodb_table.orders.name`.
    fn traversal(&self, traversal: &Traversal, depth: usize) -> Option<Node> {
        let Expression::Variable(root) = &traversal.expr else {
            return None;
        };
        let mut path = vec![root.as_str().to_owned()];
        for operator in &traversal.operators {
            path.push(match operator {
                TraversalOperator::GetAttr(name) => name.to_string(),
                TraversalOperator::Index(index) => text(&self.value(index, depth)?)?,
                TraversalOperator::LegacyIndex(at) => at.to_string(),
                _ => return None,
            });
        }
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let (node, rest) = match path.as_slice() {
            ["terraform", "workspace"] => return Some("default".into()),
            ["var", name, rest @ ..] => (self.variable(name, depth)?, rest),
            ["local", name, rest @ ..] => (self.local(name, depth)?, rest),
            [kind, name, argument, rest @ ..] => {
                (self.argument(kind, name, argument, depth)?, rest)
            }
            _ => return None,
        };
        let mut node = node;
        for step in rest {
            node = match node {
                Node::Map(map) => map.get(step)?.clone(),
                Node::List(items) => items.into_iter().nth(step.parse().ok()?)?,
                _ => return None,
            };
        }
        match node {
            Node::Code(_) => None,
            node => {
                self.spend(size(&node))?;
                Some(node)
            }
        }
    }

    fn block(&self, kind: &str, labels: &[&str]) -> Option<&Block> {
        let mut blocks = self.blocks.iter();
        blocks.find(|block| block.kind == kind && block.labels == labels)
    }

    fn argument_of(&self, content: &Content, name: &str, depth: usize) -> Option<Node> {
        match content {
            Content::Body(body) => {
                let mut attributes = body.attributes();
                let attribute = attributes.find(|attribute| attribute.key() == name)?;
                self.value(attribute.expr(), depth)
            }
            Content::Json(map) => Some(self.json(map.get(name)?, depth)),
        }
    }

    fn variable(&self, name: &str, depth: usize) -> Option<Node> {
        self.argument_of(&self.block("variable", &[name])?.body, "default", depth)
    }

    fn local(&self, name: &str, depth: usize) -> Option<Node> {
        let mut locals = self.blocks.iter().filter(|block| block.kind == "locals");
        locals.find_map(|block| self.argument_of(&block.body, name, depth))
    }

    /// An argument of another resource. The ARN of a table has a form of its own, which names the table.
    fn argument(&self, kind: &str, name: &str, argument: &str, depth: usize) -> Option<Node> {
        let block = self.block("resource", &[kind, name])?;
        match (kind, argument) {
            ("aws_dynamodb_table", "id") => self.argument_of(&block.body, "name", depth),
            ("aws_dynamodb_table", "arn") => {
                let name = text(&self.argument_of(&block.body, "name", depth)?)?;
                Some(Node::Text(format!("arn:aws:dynamodb:::table/{name}")))
            }
            _ => self.argument_of(&block.body, argument, depth),
        }
    }
}

/// The number of parts and bytes of text.
fn size(node: &Node) -> usize {
    1 + match node {
        Node::Text(text) | Node::Code(text) => text.len(),
        Node::List(items) => items.iter().map(size).sum(),
        Node::Map(map) => map
            .pairs()
            .map(|(name, node)| name.len() + size(node))
            .sum(),
        _ => 0,
    }
}
