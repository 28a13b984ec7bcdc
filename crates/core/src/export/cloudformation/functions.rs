//! The functions of CloudFormation: calls of them, and their evaluation as far as the template alone allows: references
//! to parameters with a default, conditions on them, and composed texts. Other functions stay as written.
//! Source: "Intrinsic function reference", CloudFormation template reference.

use super::super::json;
use super::super::tree::{Map, Node};
use crate::model::SortedMap;
use std::cell::RefCell;

/// The maximum depth of nested functions and conditions: a condition may refer to itself.
const MAX_DEPTH: u32 = 40;

/// The functions of one template.
#[derive(Debug)]
pub struct Functions<'a> {
    root: &'a Map,
    assumed: RefCell<Assumed>,
}

/// What the template leaves open and its defaults decided, by the place in the template.
pub type Assumed = SortedMap<String, String>;

impl<'a> Functions<'a> {
    /// Creates the functions of the template with this root.
    pub fn new(root: &'a Map) -> Self {
        Functions {
            root,
            assumed: RefCell::default(),
        }
    }

    /// Returns the defaults and conditions that decided a value so far: of each its place, and a message.
    pub fn assumed(&self) -> Assumed {
        self.assumed.borrow().clone()
    }

    fn assume(&self, place: String, message: impl FnOnce() -> String) {
        let mut assumed = self.assumed.borrow_mut();
        if assumed.get(&place).is_none() {
            assumed.insert(place, message());
        }
    }

    /// Returns the value with its functions evaluated; `None` for `AWS::NoValue`.
    pub fn resolve(&self, node: &Node) -> Option<Node> {
        self.value(node, MAX_DEPTH)
    }

    /// Whether a condition of the template holds with the defaults of its parameters; `None` if they do not determine it.
    pub fn condition_holds(&self, name: &str) -> Option<bool> {
        self.condition(name, MAX_DEPTH)
    }

    fn value(&self, node: &Node, depth: u32) -> Option<Node> {
        if depth == 0 {
            return Some(node.clone());
        }
        if let Some((name, argument)) = call(node) {
            return match self.call(name, argument, depth - 1) {
                Evaluated::Value(node) => Some(node),
                Evaluated::Nothing => None,
                Evaluated::Unknown => Some(node.clone()),
            };
        }
        Some(match node {
            Node::List(items) => {
                let mut seq = Vec::new();
                for item in items {
                    seq.extend(self.value(item, depth - 1));
                }
                Node::List(seq)
            }
            Node::Map(map) => {
                let mut out = Map::new();
                for (key, value) in map.pairs() {
                    // The design can have any name: which one it got decides nothing.
                    let before = (key == "TableName").then(|| self.assumed());
                    out = out.with_some(key, self.value(value, depth - 1));
                    if let Some(before) = before {
                        self.assumed.replace(before);
                    }
                }
                Node::Map(out)
            }
            other => other.clone(),
        })
    }

    fn call(&self, name: &str, argument: &Node, depth: u32) -> Evaluated {
        let argument = match name {
            // Evaluate its branches only once the condition is known.
            "If" => argument.clone(),
            _ => match self.value(argument, depth) {
                Some(argument) => argument,
                None => return Evaluated::Unknown,
            },
        };
        let items = match &argument {
            Node::List(items) => items.as_slice(),
            _ => &[],
        };
        let found = match (name, items) {
            ("Ref", _) => {
                let text = text(&argument);
                if text.as_deref() == Some("AWS::NoValue") {
                    return Evaluated::Nothing;
                }
                text.and_then(|name| self.parameter(&name))
            }
            ("Sub", []) => text(&argument).and_then(|text| self.substitute(&text, &Map::new())),
            ("Sub", [template, Node::Map(own)]) => {
                text(template).and_then(|template| self.substitute(&template, own))
            }
            ("Join", [between, Node::List(parts)]) => join(between, parts),
            ("Select", [place, Node::List(list)]) => {
                let place = text(place).and_then(|place| place.parse::<usize>().ok());
                place.and_then(|place| list.get(place)).cloned()
            }
            ("Split", [between, whole]) => split(between, whole),
            ("Length", _) => match &argument {
                Node::List(items) => Some(Node::Number(items.len().to_string())),
                _ => None,
            },
            ("FindInMap", [map, top, second]) => self.mapping(map, top, second),
            ("FindInMap", [map, top, second, Node::Map(options)]) => {
                let found = self.mapping(map, top, second);
                found.or_else(|| options.get("DefaultValue").cloned())
            }
            ("If", [condition, yes, no]) => {
                let holds = text(condition).and_then(|name| self.condition(&name, depth));
                return match holds {
                    Some(holds) => match self.value(if holds { yes } else { no }, depth) {
                        Some(node) => Evaluated::Value(node),
                        None => Evaluated::Nothing,
                    },
                    None => Evaluated::Unknown,
                };
            }
            _ => None,
        };
        match found {
            Some(node) if call(&node).is_none() => Evaluated::Value(node),
            _ => Evaluated::Unknown,
        }
    }

    /// Returns the default of a parameter.
    fn parameter(&self, name: &str) -> Option<Node> {
        let parameter = child(child(self.root, "Parameters")?, name)?;
        let default = parameter.get("Default")?;
        self.assume(format!("Parameters.{name}"), || {
            let default = text(default).unwrap_or_else(|| json::line(default));
            match default.as_str() {
                "" => "its default, an empty text, is taken".to_owned(),
                default => format!("its default `{default}` is taken"),
            }
        });
        let kind = parameter.get("Type").and_then(text).unwrap_or_default();
        match kind == "CommaDelimitedList" || kind.starts_with("List<") {
            true => split(&",".into(), default),
            false => Some(default.clone()),
        }
    }

    fn mapping(&self, map: &Node, top: &Node, second: &Node) -> Option<Node> {
        let mut at = child(self.root, "Mappings")?;
        for key in [map, top] {
            at = child(at, &text(key)?)?;
        }
        at.get(&text(second)?).cloned()
    }

    fn condition(&self, name: &str, depth: u32) -> Option<bool> {
        let condition = child(self.root, "Conditions")?.get(name)?;
        let holds = self.holds(condition, depth.checked_sub(1)?)?;
        self.assume(format!("Conditions.{name}"), || {
            let what = if holds { "holds" } else { "does not hold" };
            format!("with the defaults of the parameters, it {what}")
        });
        Some(holds)
    }

    fn holds(&self, node: &Node, depth: u32) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        let (name, argument) = call(node)?;
        let items = match argument {
            Node::List(items) => items.as_slice(),
            _ => &[],
        };
        match (name, items) {
            ("Condition", _) => self.condition(&text(argument)?, depth),
            ("Equals", [left, right]) => {
                let left = text(&self.value(left, depth)?)?;
                Some(left == text(&self.value(right, depth)?)?)
            }
            ("Not", [one]) => self.holds(one, depth).map(|holds| !holds),
            ("And" | "Or", all) => {
                let decides = name == "Or";
                let mut known = true;
                for one in all {
                    match self.holds(one, depth) {
                        Some(holds) if holds == decides => return Some(decides),
                        Some(_) => {}
                        None => known = false,
                    }
                }
                known.then_some(!decides)
            }
            _ => None,
        }
    }

    /// Replaces `${Name}` from the function's own map or a parameter, and `${!Name}` with `${Name}`.
    fn substitute(&self, template: &str, own: &Map) -> Option<Node> {
        let mut out = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once("${") {
            out.push_str(before);
            let (name, tail) = after.split_once('}')?;
            match name.strip_prefix('!') {
                Some(literal) => {
                    out.push_str("${");
                    out.push_str(literal);
                    out.push('}');
                }
                None => {
                    let name = name.trim();
                    let value = own.get(name).cloned();
                    let value = value.or_else(|| self.parameter(name))?;
                    out.push_str(&text(&value)?);
                }
            }
            rest = tail;
        }
        out.push_str(rest);
        Some(Node::Text(out))
    }
}

/// `!Ref name`.
pub fn reference(name: impl Into<String>) -> Node {
    Node::call("Ref", name.into())
}

/// `!Sub text`.
pub fn sub(text: impl Into<String>) -> Node {
    Node::call("Sub", text.into())
}

/// `!GetAtt resource.attribute`.
pub fn get_att(resource: &str, attribute: &str) -> Node {
    Node::call("GetAtt", format!("{resource}.{attribute}"))
}

enum Evaluated {
    Value(Node),
    Nothing,
    Unknown,
}

/// Returns the short name of the function that a node calls, and its argument.
pub fn call(node: &Node) -> Option<(&str, &Node)> {
    match node {
        Node::Call(tag, content) => Some((tag, content)),
        Node::Map(map) => {
            let mut pairs = map.pairs();
            let (key, value) = pairs.next()?;
            let name = key.strip_prefix("Fn::").or_else(|| {
                (key == "Ref" || key == "Condition" && matches!(value, Node::Text(_)))
                    .then_some(key)
            })?;
            pairs.next().is_none().then_some((name, value))
        }
        _ => None,
    }
}

/// Returns a scalar as text.
pub fn text(node: &Node) -> Option<String> {
    match node {
        Node::Text(text) | Node::Type(text) | Node::Number(text) => Some(text.clone()),
        Node::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

/// Returns the map under a key.
pub fn child<'m>(map: &'m Map, key: &str) -> Option<&'m Map> {
    match map.get(key)? {
        Node::Map(map) => Some(map),
        _ => None,
    }
}

/// The parts of a text, without spaces around them.
fn split(between: &Node, whole: &Node) -> Option<Node> {
    let (between, whole) = (text(between)?, text(whole)?);
    if between.is_empty() {
        return None;
    }
    let parts = whole.split(between.as_str()).map(|part| part.trim().into());
    Some(Node::List(parts.collect()))
}

fn join(between: &Node, parts: &[Node]) -> Option<Node> {
    let between = text(between)?;
    let mut out = String::new();
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            out.push_str(&between);
        }
        out.push_str(&text(part)?);
    }
    Some(Node::Text(out))
}
