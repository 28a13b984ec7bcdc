//! Operations that DynamoDB rejects for all values of their parameters.

use crate::engine::languages::key_templates;
use crate::engine::operation_parts::parts;
use crate::engine::query::Rejection;
use crate::engine::query::expression::{
    Binder, ExpressionError, check_targets, parse_condition, parse_projection, parse_update,
    uses_of_condition,
};
use crate::model::{Design, IndexId, Operation, SortedMap};
use crate::template;

/// Returns why DynamoDB rejects an operation for all values of its parameters: an expression that it does not accept, or the
/// same key twice. `None` if some values may work. Key conditions are not examined.
pub fn always_rejected(design: &Design, operation: &Operation) -> Option<String> {
    rejected_expression(design, operation).or_else(|| same_key(design, operation))
}

/// Two keys with the same templates are the same item. An item that is put has its entity's templates, filled from the
/// parameters of the same names.
fn same_key(design: &Design, operation: &Operation) -> Option<String> {
    let parts = parts(operation);
    if parts.keys.len() + parts.puts.len() < 2 {
        return None;
    }
    let as_read = |text: &String| template::parse(text).template.to_string();
    let asked = (parts.keys.iter()).map(|key| {
        let texts = std::iter::once(&key.partition).chain(&key.sort);
        texts.map(as_read).collect()
    });
    let put = parts.puts.iter().filter_map(|id| {
        let entity = design.entities.get(id)?;
        let templates = key_templates(design, entity, IndexId::PRIMARY)?;
        Some(templates.iter().map(ToString::to_string).collect())
    });
    let keys: Vec<Vec<String>> = asked.chain(put).collect();
    let (_, key) = (keys.iter().enumerate()).find(|(at, key)| keys[..*at].contains(key))?;
    let texts: Vec<String> = key.iter().map(|text| format!("`{text}`")).collect();
    let key = texts.join(" / ");
    Some(match operation {
        Operation::TransactWriteItems { .. } => {
            format!("two actions on the item {key}: a transaction allows one action per item")
        }
        _ => format!("the key {key} occurs twice: give one of them other parameters"),
    })
}

fn rejected_expression(design: &Design, operation: &Operation) -> Option<String> {
    if let Operation::GetItem { read, .. } | Operation::BatchGetItem { read, .. } = operation
        && read.filter.is_some()
    {
        return Some(format!(
            "{} does not support a filter: check the returned item instead",
            operation.name()
        ));
    }
    if let Some(read) = operation.read() {
        if let Some(filter) = &read.filter {
            match parse_condition(filter) {
                Err(error) => return Some(located("filter", &error)),
                Ok(condition) => {
                    let tested = uses_of_condition(&condition).paths;
                    let key = match operation {
                        Operation::Query {
                            index, partition, ..
                        } if !partition.is_empty() => design.key(*index),
                        _ => None,
                    };
                    for attribute in key.into_iter().flat_map(|key| key.attributes()) {
                        let attribute = attribute.name.clone();
                        if tested.iter().any(|path| path.attribute.text == attribute) {
                            return Some(Rejection::KeyInFilter { attribute }.to_string());
                        }
                    }
                }
            }
        }
        if !read.projection.is_empty() {
            let paths = parse_projection(&read.projection.join(", "));
            let values = SortedMap::new();
            let bound = paths.and_then(|paths| Binder::new(&values).projection(&paths));
            if let Err(error) = bound {
                return Some(located("projection expression", &error));
            }
        }
    }
    operation.actions().iter().find_map(|action| {
        if let Some(rejected) = action
            .update()
            .and_then(|text| rejected_update(design, text))
        {
            return Some(rejected);
        }
        let error = parse_condition(action.condition()?).err()?;
        Some(located("condition", &error))
    })
}

fn rejected_update(design: &Design, text: &str) -> Option<String> {
    let update = match parse_update(text) {
        Ok(update) => update,
        Err(error) => return Some(located("update", &error)),
    };
    if let Err(error) = check_targets(&update) {
        return Some(located("update", &error));
    }
    let is_changed = |name: &str| {
        let mut targets = update.targets();
        targets.any(|path| path.attribute.text == name)
    };
    let mut key = design.table.key.attributes();
    let attribute = key.find(|key| is_changed(&key.name))?.name.clone();
    Some(Rejection::ChangesKey { attribute }.to_string())
}

/// An error with the expression that has it, such as `filter`.
pub fn located(place: &str, error: &ExpressionError) -> String {
    format!("the {place}: {error}")
}
