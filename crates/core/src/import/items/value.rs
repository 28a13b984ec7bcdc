//! Attribute values: DynamoDB JSON with the liberties that NoSQL Workbench and people take (numbers without quotes,
//! nested values without types), and plain JSON.

use super::ItemValues;
use crate::export::tree::{Map, Node};
use crate::import::shown::found;
use crate::model::{AttributeType, Number, SortedMap, SortedSet, Value, limits};

/// Reads an item of the names and values of its attributes.
///
/// # Errors
///
/// The first attribute that cannot be read, and why.
pub fn item<'a>(
    attributes: impl Iterator<Item = (&'a str, &'a Node)>,
) -> Result<ItemValues, String> {
    let mut values = SortedMap::new();
    let attributes = sorted(attributes.collect());
    let is_scalar = |(_, node): &&(&str, &Node)| {
        matches!(node, Node::Text(_) | Node::Number(_) | Node::Bool(_))
    };
    let scalars = attributes.iter().filter(is_scalar).count();
    let typed = attributes.iter().filter(|(_, node)| is_typed(node)).count();
    let outermost = Level {
        depth: 0,
        is_typed: false,
        is_plain: scalars > 0 && typed <= scalars,
    };
    for (name, node) in attributes {
        if name.is_empty() {
            return Err("an attribute has an empty name".to_owned());
        }
        let value = read(node, outermost).map_err(|error| within(&format!("`{name}`"), &error))?;
        values.insert(name.to_owned(), value);
    }
    Ok(values)
}

/// Where a value is.
#[derive(Clone, Copy)]
struct Level {
    /// The number of lists and maps around it.
    depth: usize,
    /// Whether one of them is in DynamoDB JSON.
    is_typed: bool,
    /// Whether the item is plain JSON: in DynamoDB JSON, each attribute has its type, and here most have none.
    is_plain: bool,
}

/// Whether a value has the form of DynamoDB JSON: an object whose only member is a type.
pub fn is_typed(node: &Node) -> bool {
    typed_parts(node).is_some()
}

fn typed_parts(node: &Node) -> Option<(AttributeType, &Node)> {
    let Node::Map(map) = node else { return None };
    let mut pairs = map.pairs();
    let (word, content) = pairs.next()?;
    let kind = AttributeType::from_word(word)?;
    pairs.next().is_none().then_some((kind, content))
}

/// Reads a value: DynamoDB JSON, otherwise plain JSON. In an item of plain JSON, only sets and binary values are DynamoDB
/// JSON: they have no other form.
fn read(node: &Node, level: Level) -> Result<Value, String> {
    let has_no_other_form = |kind| {
        matches!(
            kind,
            AttributeType::B | AttributeType::Ss | AttributeType::Ns | AttributeType::Bs
        )
    };
    let parts = typed_parts(node).filter(|(kind, _)| !level.is_plain || has_no_other_form(*kind));
    if let Some((kind, content)) = parts {
        return match typed(kind, content, level) {
            // A map of plain JSON may have a member that is called like a type.
            Err(_) if (level.is_plain || level.depth > 0) && !level.is_typed => plain(node, level),
            read => read,
        };
    }
    plain(node, level)
}

fn typed(kind: AttributeType, content: &Node, level: Level) -> Result<Value, String> {
    let level = Level {
        is_typed: true,
        ..level
    };
    let wrong = || found(&format!("a value of type {kind}"), content);
    let list = || match content {
        Node::List(items) => Ok(items.as_slice()),
        _ => Err(wrong()),
    };
    let text = |node: &Node| match node {
        Node::Text(text) => Ok(text.clone()),
        other => Err(found("a string", other)),
    };
    Ok(match (kind, content) {
        (AttributeType::S, node) => Value::S(text(node)?),
        (AttributeType::N, node) => Value::N(number(node)?),
        (AttributeType::B, node) => Value::from_text(kind, &text(node)?)?,
        (AttributeType::Bool, Node::Bool(flag)) => Value::Bool(*flag),
        (AttributeType::Bool, node) => Value::from_text(kind, &text(node)?)?,
        (AttributeType::Null, Node::Bool(true) | Node::Null) => Value::Null,
        (AttributeType::Null, Node::Text(text)) if text.eq_ignore_ascii_case("true") => Value::Null,
        (AttributeType::L, _) => elements(list()?, level)?,
        (AttributeType::M, Node::Map(map)) => fields(map, level)?,
        (AttributeType::Ss, _) => Value::Ss(set(list()?, text)?),
        (AttributeType::Ns, _) => Value::Ns(set(list()?, number)?),
        (AttributeType::Bs, _) => Value::Bs(set(list()?, |node| {
            match Value::from_text(AttributeType::B, &text(node)?)? {
                Value::B(bytes) => Ok(bytes),
                _ => Err(wrong()),
            }
        })?),
        _ => return Err(wrong()),
    })
}

/// Reads plain JSON, with DynamoDB JSON in it.
fn plain(node: &Node, level: Level) -> Result<Value, String> {
    Ok(match node {
        Node::Null => Value::Null,
        Node::Bool(flag) => Value::Bool(*flag),
        Node::Text(text) | Node::Type(text) => Value::S(text.clone()),
        Node::Number(text) => Value::N(parsed(text)?),
        Node::List(items) => elements(items, level)?,
        Node::Map(map) => fields(map, level)?,
        Node::Code(_) | Node::Call(..) => {
            return Err(found("a value", node));
        }
    })
}

fn number(node: &Node) -> Result<Number, String> {
    match node {
        Node::Text(text) | Node::Number(text) => parsed(text.trim()),
        other => Err(found("a number", other)),
    }
}

fn parsed(text: &str) -> Result<Number, String> {
    text.parse().map_err(|error| format!("`{text}`: {error}"))
}

fn elements(items: &[Node], level: Level) -> Result<Value, String> {
    let level = deeper(level)?;
    let mut list = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        list.push(read(item, level).map_err(|error| within(&format!("[{at}]"), &error))?);
    }
    Ok(Value::L(list))
}

fn fields(map: &Map, level: Level) -> Result<Value, String> {
    let level = deeper(level)?;
    let mut fields = SortedMap::new();
    for (name, node) in sorted(map.pairs().collect()) {
        let value = read(node, level).map_err(|error| within(&format!(".{name}"), &error))?;
        fields.insert(name.to_owned(), value);
    }
    Ok(Value::M(fields))
}

/// Puts a step of the path before a message.
fn within(step: &str, message: &str) -> String {
    match message.starts_with(['.', '[']) {
        true => format!("{step}{message}"),
        false => format!("{step}: {message}"),
    }
}

/// Reads the elements of a set.
fn set<T: Ord>(
    items: &[Node],
    read: impl Fn(&Node) -> Result<T, String>,
) -> Result<SortedSet<T>, String> {
    let mut values = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        values.push(read(item).map_err(|error| within(&format!("[{at}]"), &error))?);
    }
    // In this order, each is cheap to insert.
    values.sort_unstable();
    Ok(values.into_iter().collect())
}

/// The members by name: in this order, each is cheap to insert.
fn sorted<'a>(mut pairs: Vec<(&'a str, &'a Node)>) -> Vec<(&'a str, &'a Node)> {
    pairs.sort_by_key(|(name, _)| *name);
    pairs
}

fn deeper(level: Level) -> Result<Level, String> {
    let depth = level.depth + 1;
    match depth <= limits::NESTING_LEVELS {
        true => Ok(Level { depth, ..level }),
        false => Err(format!(
            "lists and maps are nested deeper than DynamoDB allows ({} levels)",
            limits::NESTING_LEVELS
        )),
    }
}
