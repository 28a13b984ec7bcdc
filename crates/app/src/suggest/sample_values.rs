//! Values of new samples.

use super::key_placeholders;
use keyfold_core::model::{
    Attribute, AttributeType, Design, Entity, EntityId, SortedMap, Value, Values, id_name, is_time,
};
use keyfold_core::template::next_day;
use rustc_hash::FxHashSet;

/// Returns the values of an entity's first sample: one for each required attribute. Attributes that another entity
/// has too get a value from there, so that the keys match.
pub fn first_sample(design: &Design, entity: &Entity) -> SortedMap<String, Value> {
    let required = entity.attributes.iter().filter(|a| a.required);
    SortedMap::from_iter(required.map(|attribute| {
        let value =
            known_value(design, &attribute.name).unwrap_or_else(|| placeholder_value(attribute));
        (attribute.name.clone(), value)
    }))
}

fn known_value(design: &Design, attribute: &str) -> Option<Value> {
    (design.samples.values())
        .flat_map(|samples| samples.first())
        .find_map(|sample| sample.values.get(attribute).cloned())
}

/// The time in an entity's first sample.
const FIRST_TIME: &str = "2026-01-01T00:00:00Z";

fn placeholder_value(attribute: &Attribute) -> Value {
    let stem = attribute.name.trim_end_matches("Id");
    match attribute.kind {
        AttributeType::N => Value::N(1.into()),
        AttributeType::Bool => Value::Bool(false),
        AttributeType::S if is_time(&attribute.name) => Value::S(FIRST_TIME.into()),
        kind => Value::from_text(kind, &format!("{stem}-1")).unwrap_or(Value::Null),
    }
}

/// Whether a value may be one that [`first_sample`] made, and not one that somebody entered.
pub fn is_placeholder(value: &Value) -> bool {
    match value {
        Value::N(number) => *number == 1.into(),
        Value::Bool(is_true) => !is_true,
        Value::S(text) => text == FIRST_TIME || text.ends_with("-1"),
        Value::Null => true,
        _ => false,
    }
}

/// Returns the values of another sample: like the first one, with a new identity.
pub fn next_sample(design: &Design, id: EntityId) -> SortedMap<String, Value> {
    let Some(entity) = design.entities.get(&id) else {
        return SortedMap::new();
    };
    let mut values = first_sample(design, entity);
    for name in key_placeholders(entity) {
        if let Some(attribute) = entity.attribute(&name) {
            values.entry(name).or_insert_with(|| {
                known_value(design, &attribute.name).unwrap_or_else(|| placeholder_value(attribute))
            });
        }
    }
    let mut rows = [Values::from(values)];
    renew(design, id, &mut rows);
    rows[0].to_map()
}

/// Returns the values for copies of samples: unchanged, except for new identities.
pub fn copied_samples(design: &Design, id: EntityId, mut values: Vec<Values>) -> Vec<Values> {
    renew(design, id, &mut values);
    values
}

/// Gives the identifying attribute values that no other sample of the entity has.
fn renew(design: &Design, id: EntityId, all: &mut [Values]) {
    let rows = design.samples_of(id);
    let identity = (design.entities.get(&id)).and_then(|entity| identity(entity));
    let Some(name) = identity.filter(|_| !rows.is_empty()) else {
        return;
    };
    let taken = FxHashSet::from_iter((rows.iter()).filter_map(|sample| sample.values.get(&name)));
    let latest = (rows.last()).and_then(|sample| sample.values.get(&name));
    let mut latest = latest.cloned();
    for values in all {
        let after = latest.as_ref().or_else(|| values.get(&name));
        let mut next = after.and_then(successor);
        while next.as_ref().is_some_and(|value| taken.contains(value)) {
            next = next.as_ref().and_then(successor);
        }
        if let Some(value) = next {
            values.insert(name.clone(), value.clone());
            latest = Some(value);
        }
    }
}

/// Returns the attribute that identifies an entity's items: its own id if the primary key has it, otherwise the last
/// attribute of the key that is not a time.
fn identity(entity: &Entity) -> Option<String> {
    let own = id_name(&entity.name);
    let names = key_placeholders(entity);
    (names.iter().find(|name| **name == own))
        .or_else(|| names.iter().rfind(|name| !is_time(name)))
        .or_else(|| names.last())
        .cloned()
}

/// Returns the next value: `u_10` after `u_09`, 8 after 7, 2.5 after 1.5, the next day after a date. `None` for other
/// types, and if the next number has too many digits.
pub fn successor(value: &Value) -> Option<Value> {
    match value {
        Value::N(number) => number.plus(&1.into()).ok().map(Value::N),
        Value::S(text) => Some(Value::S(next_text(text))),
        _ => None,
    }
}

fn next_text(text: &str) -> String {
    if let Some(next) = next_day(text) {
        return next;
    }
    let Some(last) = text.rfind(|c: char| c.is_ascii_digit()) else {
        return format!("{text}-2");
    };
    let start = text[..last]
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| {
            at + text[at..].chars().next().map_or(1, char::len_utf8)
        });
    let digits = &text[start..=last];
    match digits.parse::<u64>().ok().and_then(|n| n.checked_add(1)) {
        Some(next) => format!(
            "{}{next:0width$}{}",
            &text[..start],
            &text[last + 1..],
            width = digits.len()
        ),
        None => format!("{text}-2"),
    }
}
