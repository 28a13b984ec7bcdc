//! Items in a pasted text: DynamoDB JSON, or arrays of plain objects. Knows nothing of designs.

use keyfold_core::model::value::{refusal_of_rounded, rounded_number};
use keyfold_core::model::{AttributeType, json_fault_at};
use serde_json::Value as Json;

/// Parses JSON items: one item as DynamoDB JSON, an array of such items or of plain objects, output of the AWS CLI
/// (`Items`, `Item`), or one item per line. `None` for any other text; an error for items with invalid JSON.
pub(super) fn items(text: &str) -> Result<Option<Vec<Json>>, String> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if !text.starts_with(['{', '[']) {
        return Ok(None);
    }
    let whole: Result<Json, _> = serde_json::from_str(text);
    let read = match whole {
        Ok(Json::Array(list)) => list,
        Ok(one) => vec![one],
        Err(error) => {
            let lines = || text.lines().filter(|line| !line.trim().is_empty());
            let read: Vec<Json> = (lines())
                .map_while(|l| serde_json::from_str(l).ok())
                .collect();
            let are_all = read.len() > 1 && read.len() == lines().count();
            match are_all {
                true => read,
                false if begins_as_items(text) && text.contains('\n') && !text.contains('\t') => {
                    return Err(json_fault_at(&error));
                }
                false => return Ok(None),
            }
        }
    };
    let several = text.starts_with('[');
    let mut items = Vec::new();
    for json in read {
        match (json.get("Items"), json.get("Item")) {
            (Some(Json::Array(list)), _) => items.extend(list.iter().cloned()),
            (_, Some(item)) if is_typed(item) => items.push(item.clone()),
            _ => items.push(json),
        }
    }
    let is_plain = |item: &Json| item.as_object().is_some_and(|item| !item.is_empty());
    let fits = |item: &Json| is_typed(item) || several && is_plain(item);
    if items.is_empty() || !items.iter().all(fits) {
        return Ok(None);
    }
    // DynamoDB JSON has its numbers in quotes.
    match rounded_number(text) {
        Some(token) => Err(refusal_of_rounded(&text[token])),
        None => Ok(Some(items)),
    }
}

/// Whether the text begins with an object or an array of objects. Lines such as `[urgent] call` do not.
fn begins_as_items(text: &str) -> bool {
    let object = text.strip_prefix('[').map_or(text, str::trim_start);
    let fields = object.strip_prefix('{').map(str::trim_start);
    fields.is_some_and(|fields| fields.starts_with('"'))
}

/// Whether it is an item as DynamoDB JSON: every value is an object with a type name.
pub(super) fn is_typed(item: &Json) -> bool {
    let typed = |value: &Json| {
        let object = value.as_object().filter(|object| object.len() == 1);
        let word = object.and_then(|object| object.keys().next());
        word.is_some_and(|word| AttributeType::from_word(word).is_some())
    };
    (item.as_object()).is_some_and(|object| !object.is_empty() && object.values().all(typed))
}
