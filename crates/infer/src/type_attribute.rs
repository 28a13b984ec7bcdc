//! Finds the attribute that holds the name of each item's entity.

use super::schema::{Item, KeySlot};
use super::words::shown;
use keyfold_core::model::{SortedMap, SortedSet, Value, name};

/// Names that say that the values are names of entities, in lowercase and without `_`.
const CERTAIN: [&str; 14] = [
    "entitytype",
    "typename",
    "itemtype",
    "recordtype",
    "objecttype",
    "documenttype",
    "doctype",
    "edbe",
    "et",
    "entityname",
    "entity",
    "modelname",
    "modeltype",
    "rowtype",
];
/// Names that may say so.
const POSSIBLE: [&str; 8] = [
    "type",
    "kind",
    "model",
    "object",
    "class",
    "discriminator",
    "collection",
    "category",
];

/// Maximum length of such names in bytes.
const NAME_BYTES: usize = 32;

/// Whether a name is one of these words, in any case and with any separators. Each attribute of each item is asked, so an
/// ASCII name costs no memory.
fn is_among(name: &str, words: &[&str]) -> bool {
    if name.len() > NAME_BYTES {
        return false;
    }
    if !name.is_ascii() {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        let plain: String = letters.flat_map(char::to_lowercase).collect();
        return words.contains(&plain.as_str());
    }
    let mut plain = [0; NAME_BYTES];
    let mut length = 0;
    for byte in name.bytes().filter(u8::is_ascii_alphanumeric) {
        plain[length] = byte.to_ascii_lowercase();
        length += 1;
    }
    let plain = &plain[..length];
    (words.iter()).any(|word| word.len() == length && word.as_bytes() == plain)
}

/// Whether an attribute's name says that its values are names of entities.
pub(crate) fn is_certain(name: &str) -> bool {
    is_among(name, &CERTAIN)
}

/// Whether an attribute's name suggests that its values are names of entities.
pub(crate) fn may_hold_types(name: &str) -> bool {
    is_certain(name) || is_among(name, &POSSIBLE)
}

/// Maximum number of entities that a type attribute may name.
const TYPES: usize = 200;

/// The attribute that holds the names of the entities: all items have it, and items of different types have different
/// keys. `shapes` has the shape of each item's primary key; see `clusters`.
pub(crate) fn find(items: &[&Item], slots: &[KeySlot], shapes: &[String]) -> Option<String> {
    let first = items.first()?;
    let mut best: Option<(u32, &String)> = None;
    for name in first.keys() {
        let is_key = slots.iter().any(|slot| slot.name == *name);
        if is_key || name::check_attribute(name).is_err() {
            continue;
        }
        let Some(types) = types_of(items, name) else {
            continue;
        };
        // The shapes of each type's keys, and the types of each shape.
        let mut of_shape: SortedMap<&str, SortedSet<&str>> = SortedMap::new();
        for (item, shape) in items.iter().zip(shapes) {
            if let Some(Value::S(text)) = item.get(name) {
                of_shape.entry(shape).or_default().insert(text.as_str());
            }
        }
        let alone = (of_shape.values()).filter(|types| types.len() == 1).count();
        let is_function = alone == of_shape.len();
        let rank = match (is_certain(name), may_hold_types(name)) {
            (true, _) => 30,
            // A kind of one entity's items, such as a kind of event, differs between items with the same keys.
            (_, true) if types.len() <= of_shape.len() && 2 * alone >= of_shape.len() => 20,
            // Another name needs evidence: each type has several items.
            (_, false)
                if is_function
                    && types.len() == of_shape.len()
                    && types.len() > 1
                    && items.len() >= 4 * types.len() =>
            {
                10
            }
            _ => continue,
        };
        let rank = rank + u32::from(is_function);
        if best.is_none_or(|(other, _)| rank > other) {
            best = Some((rank, name));
        }
    }
    best.map(|(_, name)| name.clone())
}

/// The distinct values of an attribute, if every item has one that can name an entity and there are few.
fn types_of<'a>(items: &[&'a Item], name: &str) -> Option<SortedSet<&'a str>> {
    let mut types = SortedSet::new();
    for item in items {
        match item.get(name)? {
            Value::S(text) if name::check_label(text).is_ok() => {
                types.insert(text.as_str());
            }
            _ => return None,
        }
        if types.len() > TYPES {
            return None;
        }
    }
    Some(types)
}

/// The text of an attribute that may hold types, in one item.
pub(crate) fn type_of<'a>(item: &'a Item, attribute: Option<&str>) -> Option<&'a str> {
    match item.get(attribute?)? {
        Value::S(text) => Some(text),
        _ => None,
    }
}

/// Whether an attribute's value may be a type and not a part of a key.
pub(crate) fn is_type_value(name: &str, value: &Value) -> bool {
    may_hold_types(name) && shown(value).is_some()
}
