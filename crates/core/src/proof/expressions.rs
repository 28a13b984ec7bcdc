//! Expressions that DynamoDB rejects for all values of their parameters.

use crate::engine::query::Rejection;
use crate::engine::query::expression::{
    Binder, ExpressionError, parse_condition, parse_projection, parse_update, uses_of_condition,
};
use crate::model::{Design, Operation, SortedMap, WriteAction};

/// Returns which expression of an operation DynamoDB rejects first, and why.
pub(super) fn expression_error(design: &Design, operation: &Operation) -> Option<String> {
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
        let condition = match action {
            WriteAction::PutItem { condition, .. } | WriteAction::DeleteItem { condition, .. } => {
                condition.as_ref()
            }
            WriteAction::UpdateItem {
                update, condition, ..
            } => {
                if let Err(error) = parse_update(update) {
                    return Some(located("update", &error));
                }
                condition.as_ref()
            }
            WriteAction::ConditionCheck { condition, .. } => Some(condition),
        };
        let error = parse_condition(condition?).err()?;
        Some(located("condition", &error))
    })
}

fn located(place: &str, error: &ExpressionError) -> String {
    format!("the {place}: {error}")
}
