//! Attribute values: DynamoDB JSON with the liberties that NoSQL Workbench and people take (numbers without quotes,
//! nested values without types), and plain JSON.

use crate::cursor::shorten;
use crate::form::ItemValues;
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::model::{AttributeType, Number, SortedMap, SortedSet, Value, limits};

/// Integers up to this magnitude (2^53) are exact in every JSON reader.
const SAFE_INTEGER: f64 = 9_007_199_254_740_992.0;

/// Reads an attribute's value: DynamoDB JSON, otherwise plain JSON.
///
/// # Errors
///
/// What is wrong, after the place within the value.
pub fn value(node: &Node) -> Result<Value, String> {
    read(node, 0)
}

/// Reads an item. `None` stands for an attribute without a value (`{}`), which Workbench writes for an empty cell.
///
/// # Errors
///
/// The first attribute that cannot be read, and why.
pub fn item(map: &Map) -> Result<ItemValues, String> {
    let mut values = SortedMap::new();
    for (name, node) in sorted(map) {
        if name.is_empty() {
            return Err("an attribute has an empty name".to_owned());
        }
        if matches!(node, Node::Map(map) if map.is_empty()) {
            continue;
        }
        let value = value(node).map_err(|error| format!("`{name}`: {error}"))?;
        values.insert(name.to_owned(), value);
    }
    Ok(values)
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

fn read(node: &Node, depth: usize) -> Result<Value, String> {
    if let Some((kind, content)) = typed_parts(node) {
        return match typed(kind, content, depth) {
            // A nested map may have a member that is called like a type.
            Err(_) if depth > 0 => plain(node, depth),
            read => read,
        };
    }
    plain(node, depth)
}

fn typed(kind: AttributeType, content: &Node, depth: usize) -> Result<Value, String> {
    let wrong = || format!("{} does not fit type {kind}", shorten(content));
    let list = || match content {
        Node::List(items) => Ok(items.as_slice()),
        _ => Err(wrong()),
    };
    let text = |node: &Node| match node {
        Node::Text(text) => Ok(text.clone()),
        _ => Err(wrong()),
    };
    Ok(match (kind, content) {
        (AttributeType::S, node) => Value::S(text(node)?),
        (AttributeType::N, node) => Value::N(number(node).ok_or_else(wrong)??),
        (AttributeType::B, node) => Value::from_text(kind, &text(node)?)?,
        (AttributeType::Bool, Node::Bool(flag)) => Value::Bool(*flag),
        (AttributeType::Bool, node) => Value::from_text(kind, &text(node)?)?,
        (AttributeType::Null, Node::Bool(_) | Node::Null) => Value::Null,
        (AttributeType::Null, Node::Text(text)) if text.eq_ignore_ascii_case("true") => Value::Null,
        (AttributeType::L, _) => elements(list()?, depth)?,
        (AttributeType::M, Node::Map(map)) => fields(map, depth)?,
        (AttributeType::Ss, _) => Value::Ss(list()?.iter().map(text).collect::<Result<_, _>>()?),
        (AttributeType::Ns, _) => {
            let mut numbers = SortedSet::new();
            for node in list()? {
                numbers.insert(number(node).ok_or_else(wrong)??);
            }
            Value::Ns(numbers)
        }
        (AttributeType::Bs, _) => {
            let mut set = SortedSet::new();
            for node in list()? {
                if let Value::B(bytes) = Value::from_text(AttributeType::B, &text(node)?)? {
                    set.insert(bytes);
                }
            }
            Value::Bs(set)
        }
        _ => return Err(wrong()),
    })
}

/// Reads plain JSON, with DynamoDB JSON in it.
fn plain(node: &Node, depth: usize) -> Result<Value, String> {
    Ok(match node {
        Node::Null => Value::Null,
        Node::Bool(flag) => Value::Bool(*flag),
        Node::Text(text) | Node::Type(text) => Value::S(text.clone()),
        Node::Number(_) => match number(node) {
            Some(number) => Value::N(number?),
            None => return Err(format!("{} is not a number", shorten(node))),
        },
        Node::List(items) => elements(items, depth)?,
        Node::Map(map) => fields(map, depth)?,
        Node::Code(_) | Node::Call(..) => {
            return Err(format!("expected a value, found {}", shorten(node)));
        }
    })
}

fn number(node: &Node) -> Option<Result<Number, String>> {
    let text = match node {
        Node::Text(text) => text.trim(),
        Node::Number(text) => {
            // A JSON reader has rounded it.
            let is_fraction = text.contains(['.', 'e']);
            if is_fraction
                && text
                    .parse()
                    .is_ok_and(|float: f64| float.abs() >= SAFE_INTEGER)
            {
                return Some(Err(format!(
                    "JSON numbers cannot represent {text} exactly: write it as {{\"N\": \"...\"}}"
                )));
            }
            text
        }
        _ => return None,
    };
    let number = text.parse::<Number>();
    Some(number.map_err(|error| format!("`{text}`: {error}")))
}

fn elements(items: &[Node], depth: usize) -> Result<Value, String> {
    let depth = deeper(depth)?;
    let mut list = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        list.push(read(item, depth).map_err(|error| format!("[{at}]: {error}"))?);
    }
    Ok(Value::L(list))
}

fn fields(map: &Map, depth: usize) -> Result<Value, String> {
    let depth = deeper(depth)?;
    let mut fields = SortedMap::new();
    for (name, node) in sorted(map) {
        let value = read(node, depth).map_err(|error| format!("{name}: {error}"))?;
        fields.insert(name.to_owned(), value);
    }
    Ok(Value::M(fields))
}

/// The members by name: in this order, each is cheap to insert.
fn sorted(map: &Map) -> Vec<(&str, &Node)> {
    let mut pairs: Vec<(&str, &Node)> = map.pairs().collect();
    pairs.sort_by_key(|(name, _)| *name);
    pairs
}

fn deeper(depth: usize) -> Result<usize, String> {
    match depth < limits::NESTING_LEVELS {
        true => Ok(depth + 1),
        false => Err(format!(
            "lists and maps are nested deeper than DynamoDB allows ({} levels)",
            limits::NESTING_LEVELS
        )),
    }
}
