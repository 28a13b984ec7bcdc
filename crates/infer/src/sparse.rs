//! Finds the condition under which items are in a sparse index.

use super::schema::Item;
use super::words::is_word;
use keyfold_core::model::{AttributeType, Condition, SortedSet, Test, Value, name};

/// Maximum number of values of a condition with several.
const VALUES: usize = 5;

/// The simplest condition that holds for all items `inside` and for none `outside`. `preferred` are the attributes of
/// the index's templates.
pub(crate) fn condition(
    inside: &[&Item],
    outside: &[&Item],
    is_data: &dyn Fn(&str) -> bool,
    preferred: &dyn Fn(&str) -> bool,
) -> Option<Condition> {
    let mut names = SortedSet::new();
    for item in inside.iter().chain(outside) {
        names.extend(item.keys().filter(|name| is_data(name)).cloned());
    }
    let mut best: Option<(u32, Condition)> = None;
    for attribute in &names {
        if name::check_attribute(attribute).is_err() {
            continue;
        }
        let Some((rank, test)) = test(inside, outside, attribute) else {
            continue;
        };
        let rank = 2 * rank + u32::from(preferred(attribute));
        let condition = Condition {
            attribute: attribute.clone(),
            test,
        };
        if best.as_ref().is_none_or(|(other, _)| rank > *other) {
            best = Some((rank, condition));
        }
    }
    best.map(|(_, condition)| condition)
}

/// The test of one attribute that tells the items apart, and how likely an author chose it.
fn test(inside: &[&Item], outside: &[&Item], attribute: &str) -> Option<(u32, Test)> {
    let values = |items: &[&Item]| -> SortedSet<Value> {
        let mut values = SortedSet::new();
        for value in items.iter().filter_map(|item| item.get(attribute)) {
            if values.len() <= VALUES {
                values.insert(value.clone());
            }
        }
        values
    };
    let has = |item: &&&Item| item.contains_key(attribute);
    let (all_have, none_outside) = (
        inside.iter().all(|item| has(&item)),
        !outside.iter().any(|item| has(&item)),
    );
    let (ins, outs) = (values(inside), values(outside));
    let only = (ins.len() == 1).then(|| ins.iter().next()).flatten();
    if let Some(value) = only.filter(|_| all_have)
        && (outside.iter()).all(|item| item.get(attribute) != Some(value))
    {
        let rank = match value {
            Value::Bool(_) => Some(9),
            // One value of two items may be a coincidence.
            Value::S(text) if is_word(text) && (!none_outside || inside.len() > 2) => Some(8),
            _ if none_outside => None,
            _ => (inside.len() > 2).then_some(4),
        };
        if let Some(rank) = rank {
            return Some((rank, Test::Equals(value.clone())));
        }
    }
    if all_have && none_outside {
        return Some((7, Test::Exists));
    }
    if inside.iter().all(|item| !has(&item)) && outside.iter().all(|item| has(&item)) {
        return Some((6, Test::Missing));
    }
    let can_be_listed = |value: &Value| match value {
        Value::S(text) => is_word(text),
        other => other.kind() == AttributeType::Bool,
    };
    let listed = all_have && ins.iter().chain(&outs).all(can_be_listed);
    if listed && outs.len() == 1 && (outside.iter()).all(|item| has(&item)) {
        let unwanted = outs.iter().next()?.clone();
        let differs = |item: &&Item| item.get(attribute) != Some(&unwanted);
        return inside
            .iter()
            .all(differs)
            .then_some((5, Test::NotEquals(unwanted)));
    }
    let wanted = listed
        && ins.len() <= VALUES
        && outside
            .iter()
            .all(|item| item.get(attribute).is_none_or(|value| !ins.contains(value)));
    (wanted && inside.len() > ins.len()).then(|| (3, Test::OneOf(ins.into_iter().collect())))
}
