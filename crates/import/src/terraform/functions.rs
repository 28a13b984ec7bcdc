//! Terraform's functions, as far as definitions of tables use them.

use super::evaluate::{items_of_set, set, without_set};
use keyfold_core::export::cloudformation::functions::text;
use keyfold_core::export::json;
use keyfold_core::export::tree::{Map, Node};
use rustc_hash::FxHashMap;

/// The result of a function; none if it is unknown or its arguments are.
pub fn call(name: &str, arguments: Vec<Node>) -> Option<Node> {
    if arguments.iter().any(has_code) {
        return None;
    }
    let list = |node: Node| match items_of_set(&node) {
        Some(items) => Node::List(items.to_vec()),
        None => node,
    };
    let arguments: Vec<Node> = arguments.into_iter().map(list).collect();
    let lower = |node: &Node| Some(text(node)?.to_lowercase());
    Some(match (name, arguments.as_slice()) {
        ("jsonencode", [value]) => json::line(&without_set(value)).into(),
        ("jsondecode", [value]) => Node::from_json(&text(value)?).ok()?,
        ("lower", [value]) => lower(value)?.into(),
        ("upper", [value]) => text(value)?.to_uppercase().into(),
        ("trimspace", [value]) => text(value)?.trim().into(),
        ("tostring", [value]) => text(value)?.into(),
        ("tonumber", [value]) => Node::Number(text(value)?),
        ("tobool", [value]) => Node::Bool(text(value)?.parse().ok()?),
        ("join", [between, Node::List(items)]) => {
            let parts: Option<Vec<String>> = items.iter().map(text).collect();
            parts?.join(&text(between)?).into()
        }
        ("split", [between, value]) => {
            let (between, value) = (text(between)?, text(value)?);
            Node::texts(value.split(between.as_str()))
        }
        // A pattern in slashes is a regular expression.
        ("replace", [value, from, to]) => {
            let from = text(from).filter(|from| !from.is_empty() && !from.starts_with('/'))?;
            text(value)?.replace(&from, &text(to)?).into()
        }
        ("format", [form, values @ ..]) => format(&text(form)?, values)?.into(),
        ("concat", lists) => {
            let mut all = Vec::new();
            for list in lists {
                let Node::List(items) = list else { return None };
                all.extend(items.iter().cloned());
            }
            all.into()
        }
        ("coalesce", values) => {
            let is_set = |node: &&Node| **node != Node::Null && **node != Node::from("");
            values.iter().find(is_set)?.clone()
        }
        ("lookup", [Node::Map(map), name]) => map.get(&text(name)?)?.clone(),
        ("lookup", [Node::Map(map), name, other]) => map.get(&text(name)?).unwrap_or(other).clone(),
        ("length", [Node::List(items)]) => Node::Number(items.len().to_string()),
        ("length", [Node::Map(map)]) => Node::Number(map.pairs().count().to_string()),
        ("keys", [Node::Map(map)]) => Node::texts(map.pairs().map(|(name, _)| name)),
        ("values", [Node::Map(map)]) => {
            Node::List(map.pairs().map(|(_, value)| value.clone()).collect())
        }
        ("tomap", [map @ Node::Map(_)]) | ("tolist", [map @ Node::List(_)]) => map.clone(),
        ("toset", [Node::List(items)]) => {
            let mut elements: Vec<Node> = Vec::new();
            let mut seen = FxHashMap::default();
            for item in items {
                if seen.insert(text(item)?, ()).is_none() {
                    elements.push(item.clone());
                }
            }
            set(elements)
        }
        ("merge", maps) => merge(maps)?,
        _ => return None,
    })
}

/// Of members with the same name, the last one counts.
fn merge(maps: &[Node]) -> Option<Node> {
    let mut members: Vec<(&str, &Node)> = Vec::new();
    let mut places = FxHashMap::default();
    for node in maps {
        let Node::Map(map) = node else { return None };
        for (name, value) in map.pairs() {
            match places.insert(name, members.len()) {
                Some(at) => {
                    members[at] = (name, value);
                    places.insert(name, at);
                }
                None => members.push((name, value)),
            }
        }
    }
    let mut merged = Map::new();
    for (name, value) in members {
        merged.add(name, value.clone());
    }
    Some(merged.into())
}

/// `%s`, `%d`, `%v` and `%%`; none for other verbs.
fn format(form: &str, values: &[Node]) -> Option<String> {
    let (mut out, mut values, mut rest) = (String::new(), values.iter(), form);
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        match after.chars().next()? {
            '%' => out.push('%'),
            's' | 'd' | 'v' => out.push_str(&text(values.next()?)?),
            _ => return None,
        }
        rest = &after[1..];
    }
    out.push_str(rest);
    Some(out)
}

/// Whether a value is not known whole.
fn has_code(node: &Node) -> bool {
    match node {
        Node::Code(_) => true,
        Node::List(items) => items.iter().any(has_code),
        Node::Call(_, items) => has_code(items),
        Node::Map(map) => map.pairs().any(|(_, node)| has_code(node)),
        _ => false,
    }
}
