//! References of Terraform's expressions: to variables, locals, and arguments of other resources.

use super::evaluate::{Scope, pairs_of_resource, set, size};
use super::file::{Block, Content};
use hcl::expr::{Expression, Traversal, TraversalOperator};
use keyfold_core::export::cloudformation::functions::text;
use keyfold_core::export::tree::{Map, Node};

impl Scope {
    /// The value of a reference, such as `var.name`, `local.tags["a"]` or `aws_dynamodb_table.orders.name`.
    pub fn traversal(&self, traversal: &Traversal, depth: usize) -> Option<Node> {
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
            [root, rest @ ..] if self.bound(root).is_some() => (self.bound(root)?, rest),
            ["terraform", "workspace"] => return Some("default".into()),
            ["var", name, rest @ ..] => (self.variable(name, depth)?, rest),
            ["local", name, rest @ ..] => (self.local(name, depth)?, rest),
            [kind, name, key, argument, rest @ ..] if self.is_repeated(kind, name) => {
                (self.of_instance(kind, name, key, argument, depth)?, rest)
            }
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

    /// Whether a resource has `count` or `for_each`.
    fn is_repeated(&self, kind: &str, name: &str) -> bool {
        let block = self.block("resource", &[kind, name]);
        block.is_some_and(|block| match &block.body {
            Content::Body(body) => {
                let mut attributes = body.attributes();
                attributes.any(|attribute| matches!(attribute.key(), "count" | "for_each"))
            }
            Content::Json(map) => map.get("count").or(map.get("for_each")).is_some(),
        })
    }

    /// An argument of one of the resources that a block makes.
    fn of_instance(
        &self,
        kind: &str,
        name: &str,
        key: &str,
        argument: &str,
        depth: usize,
    ) -> Option<Node> {
        let block = self.block("resource", &[kind, name])?;
        let evaluate = || self.argument(kind, name, argument, depth);
        if let Some(each) = self.argument_of(&block.body, "for_each", depth) {
            let mut pairs = pairs_of_resource(&each)?.into_iter();
            let (key, value) = pairs.find(|(other, _)| text(other).as_deref() == Some(key))?;
            let each = Map::new().with("key", key).with("value", value);
            return self.with("each", each.into(), evaluate);
        }
        let count = Map::new().with("index", Node::Number(key.to_owned()));
        self.with("count", count.into(), evaluate)
    }

    /// An argument of a block.
    pub fn argument_of(&self, content: &Content, name: &str, depth: usize) -> Option<Node> {
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
        let body = &self.block("variable", &[name])?.body;
        let default = self.argument_of(body, "default", depth)?;
        Some(match default {
            Node::List(items) if is_set(body) => set(items),
            other => other,
        })
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

/// Whether the type of a variable is a set.
fn is_set(body: &Content) -> bool {
    match body {
        Content::Body(body) => {
            let mut attributes = body.attributes();
            let kind = attributes.find(|attribute| attribute.key() == "type");
            matches!(
                kind.map(|kind| kind.expr()),
                Some(Expression::FuncCall(call)) if call.name.name.as_str() == "set"
            )
        }
        Content::Json(map) => {
            let kind = map.get("type").and_then(text);
            kind.is_some_and(|kind| kind.starts_with("set("))
        }
    }
}
