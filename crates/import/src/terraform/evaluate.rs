//! Evaluates Terraform's expressions as far as a file alone allows: defaults of variables, locals, arguments of other
//! resources, texts, conditions. Bounded: locals that repeat locals cannot grow without end.

use super::file::{Block, Content, code};
use super::functions;
use hcl::expr::{
    BinaryOperator, Expression, ForExpr, ObjectKey, Operation, TemplateExpr, UnaryOperator,
};
use hcl::template::{Element, Template};
use hcl::{Body, Structure};
use keyfold_core::export::cloudformation::functions::text;
use keyfold_core::export::tree::{Map, Node};
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;

/// How deeply values may refer to values.
pub const MAX_DEPTH: usize = 40;
/// The maximum of parts and bytes of text that all evaluations of a file together make.
const BUDGET: usize = 8 << 20;

/// The function that makes a set.
const SET: &str = "toset";

/// The blocks of a file, which expressions refer to.
pub struct Scope {
    pub blocks: Vec<Block>,
    left: Cell<usize>,
    /// The names that repetitions bind, such as `each`; the innermost is the last.
    bindings: RefCell<Vec<(String, Node)>>,
}

impl Scope {
    /// The scope of a file.
    pub fn new(blocks: Vec<Block>) -> Self {
        Scope {
            blocks,
            left: Cell::new(BUDGET),
            bindings: RefCell::default(),
        }
    }

    /// Evaluates something with a name bound to a value.
    pub fn with<T>(&self, name: &str, value: Node, evaluate: impl FnOnce() -> T) -> T {
        self.bindings.borrow_mut().push((name.to_owned(), value));
        let result = evaluate();
        self.bindings.borrow_mut().pop();
        result
    }

    pub fn bound(&self, name: &str) -> Option<Node> {
        let bindings = self.bindings.borrow();
        let found = bindings.iter().rev().find(|(other, _)| other == name);
        found.map(|(_, value)| value.clone())
    }

    /// The arguments and blocks of a block, evaluated.
    pub fn content(&self, content: &Content, depth: usize) -> Map {
        without_sets(&self.members(content, depth))
    }

    fn members(&self, content: &Content, depth: usize) -> Map {
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
                    let Some(depth) = depth.checked_sub(1) else {
                        continue;
                    };
                    let labels: Vec<&str> =
                        block.labels().iter().map(|label| label.as_str()).collect();
                    let (name, nodes) = match (block.identifier(), labels.as_slice()) {
                        ("dynamic", [name]) => match self.dynamic(name, block.body(), depth) {
                            Some(nodes) => ((*name).to_owned(), nodes),
                            None => {
                                let each = block.body().attributes();
                                let each = each.filter(|each| each.key() == "for_each");
                                let nodes = each.map(|each| code(each.expr())).collect();
                                (format!("dynamic {name}"), nodes)
                            }
                        },
                        (kind, labels) => {
                            let mut name = kind.to_owned();
                            for label in labels {
                                name = format!("{name} {label}");
                            }
                            (name, vec![Node::Map(self.body(block.body(), depth))])
                        }
                    };
                    match lists.iter_mut().find(|(other, _)| *other == name) {
                        Some((_, list)) => list.extend(nodes),
                        None => lists.push((name, nodes)),
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

    /// The blocks that a dynamic block makes; none if what it repeats is unknown.
    fn dynamic(&self, name: &str, body: &Body, depth: usize) -> Option<Vec<Node>> {
        let attribute = |name: &str| {
            let mut attributes = body.attributes();
            attributes.find(|attribute| attribute.key() == name)
        };
        let pairs = pairs(&self.value(attribute("for_each")?.expr(), depth)?)?;
        let iterator = match attribute("iterator").map(|attribute| attribute.expr()) {
            Some(Expression::Variable(name)) => name.as_str().to_owned(),
            Some(_) => return None,
            None => name.to_owned(),
        };
        let content = body
            .blocks()
            .find(|block| block.identifier() == "content")?;
        let mut nodes = Vec::new();
        for (key, value) in pairs {
            self.spend(1)?;
            let element = Map::new().with("key", key).with("value", value);
            let evaluate = || self.body(content.body(), depth);
            nodes.push(Node::Map(self.with(&iterator, element.into(), evaluate)));
        }
        Some(nodes)
    }

    /// A value of JSON syntax.
    pub fn json(&self, node: &Node, depth: usize) -> Node {
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
    pub fn spend(&self, amount: usize) -> Option<()> {
        self.left.set(self.left.get().checked_sub(amount)?);
        Some(())
    }

    pub fn value(&self, expression: &Expression, depth: usize) -> Option<Node> {
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
            Expression::Variable(name) => self.bound(name.as_str())?,
            Expression::ForExpr(each) => self.for_each(each, depth)?,
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
                let result = functions::call(&name, arguments)?;
                self.spend(size(&result))?;
                result
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
                    BinaryOperator::Greater => Some(Node::Bool(compare(&left, &right)?.is_gt())),
                    BinaryOperator::GreaterEq => Some(Node::Bool(compare(&left, &right)?.is_ge())),
                    BinaryOperator::Less => Some(Node::Bool(compare(&left, &right)?.is_lt())),
                    BinaryOperator::LessEq => Some(Node::Bool(compare(&left, &right)?.is_le())),
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

    /// `[for name in names : "x-${name}"]` and `{for ...}`.
    fn for_each(&self, each: &ForExpr, depth: usize) -> Option<Node> {
        let is_map = each.key_expr.is_some();
        let (mut list, mut map) = (Vec::new(), Map::new());
        for (key, value) in pairs(&self.value(&each.collection_expr, depth)?)? {
            self.spend(1)?;
            let one = || {
                if let Some(condition) = &each.cond_expr
                    && self.value(condition, depth)? == Node::Bool(false)
                {
                    return Some(None);
                }
                let name = match &each.key_expr {
                    Some(key) => text(&self.value(key, depth)?)?,
                    None => String::new(),
                };
                Some(Some((name, self.value(&each.value_expr, depth)?)))
            };
            let inner = || self.with(each.value_var.as_str(), value, one);
            let made = match &each.key_var {
                Some(name) => self.with(name.as_str(), key, inner)?,
                None => inner()?,
            };
            match made {
                Some((name, value)) if is_map => match map.get(&name).is_none() && !each.grouping {
                    true => map.add(name, value),
                    false => return None,
                },
                Some((_, value)) => list.push(value),
                None => {}
            }
        }
        Some(if is_map { map.into() } else { list.into() })
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
}

/// What a repetition runs over: keys and values. The keys of a list are positions, those of a set its values.
pub fn pairs(node: &Node) -> Option<Vec<(Node, Node)>> {
    let pairs = match node {
        Node::Map(map) => {
            let pairs = map.pairs();
            pairs
                .map(|(key, value)| (key.into(), value.clone()))
                .collect()
        }
        Node::List(items) => {
            let items = items.iter().enumerate();
            items
                .map(|(at, item)| (Node::Number(at.to_string()), item.clone()))
                .collect()
        }
        set => {
            let items = items_of_set(set)?.iter();
            items.map(|item| (item.clone(), item.clone())).collect()
        }
    };
    Some(pairs)
}

/// What the `for_each` of a resource runs over. It takes no list: texts are a set.
pub fn pairs_of_resource(node: &Node) -> Option<Vec<(Node, Node)>> {
    match node {
        Node::List(items) if items.iter().all(|item| matches!(item, Node::Text(_))) => {
            pairs(&set(items.clone()))
        }
        node => pairs(node),
    }
}

/// A set, which is a list whose elements are the keys in repetitions.
pub fn set(items: Vec<Node>) -> Node {
    Node::call(SET, items)
}

/// The elements of a set.
pub fn items_of_set(node: &Node) -> Option<&[Node]> {
    match node {
        Node::Call(SET, items) => match &**items {
            Node::List(items) => Some(items),
            _ => None,
        },
        _ => None,
    }
}

/// Members in which sets are lists.
fn without_sets(map: &Map) -> Map {
    let mut out = Map::new();
    for (name, node) in map.pairs() {
        out.add(name, without_set(node));
    }
    out
}

/// A value in which sets are lists.
pub fn without_set(node: &Node) -> Node {
    let lists = |items: &[Node]| Node::List(items.iter().map(without_set).collect());
    match node {
        Node::List(items) => lists(items),
        Node::Map(map) => Node::Map(without_sets(map)),
        other => items_of_set(other).map_or_else(|| other.clone(), lists),
    }
}

fn compare(left: &Node, right: &Node) -> Option<Ordering> {
    let number = |node: &Node| text(node)?.parse::<f64>().ok();
    number(left)?.partial_cmp(&number(right)?)
}

/// The number of parts and bytes of text.
pub fn size(node: &Node) -> usize {
    1 + match node {
        Node::Text(text) | Node::Code(text) => text.len(),
        Node::List(items) => items.iter().map(size).sum(),
        Node::Call(_, items) => size(items),
        Node::Map(map) => map
            .pairs()
            .map(|(name, node)| name.len() + size(node))
            .sum(),
        _ => 0,
    }
}
