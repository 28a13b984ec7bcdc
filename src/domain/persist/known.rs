//! Operations of access patterns, checked by hand: their common read options are flattened into them, and serde
//! neither refuses an unknown field there nor names an unknown operation.

use super::error::FileError;
use serde_json::{Map, Value as Json};

const KEYED: &[&str] = &["key", "condition"];
const OPERATIONS: &[(&str, &[&str])] = &[
    ("getItem", &["key", "consistent", "filter", "projection"]),
    (
        "query",
        &[
            "index",
            "partition",
            "sort",
            "descending",
            "limit",
            "consistent",
            "filter",
            "projection",
        ],
    ),
    (
        "scan",
        &["index", "limit", "consistent", "filter", "projection"],
    ),
    (
        "batchGetItem",
        &["keys", "consistent", "filter", "projection"],
    ),
    ("transactGetItems", &["keys"]),
    ("transactWriteItems", &["actions"]),
    ("putItem", ACTIONS[0].1),
    ("updateItem", ACTIONS[1].1),
    ("deleteItem", ACTIONS[2].1),
    ("conditionCheck", ACTIONS[3].1),
];
const ACTIONS: &[(&str, &[&str])] = &[
    ("putItem", &["entity", "condition"]),
    ("updateItem", &["key", "update", "condition"]),
    ("deleteItem", KEYED),
    ("conditionCheck", KEYED),
];

/// An error for the first operation of a design file that is unknown or has an unknown field. What is of the
/// wrong kind altogether is left to the reader proper.
pub(super) fn check_operations(file: &Map<String, Json>) -> Result<(), FileError> {
    let patterns = file.get("accessPatterns").and_then(Json::as_object);
    for (id, pattern) in patterns.into_iter().flatten() {
        let path = format!("accessPatterns.{id}.operation");
        let Some(operation) = pattern.get("operation") else {
            continue;
        };
        check(&path, operation, OPERATIONS)?;
        let actions = operation.pointer("/transactWriteItems/actions");
        for (i, action) in actions
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
            .enumerate()
        {
            check(
                &format!("{path}.transactWriteItems.actions[{i}]"),
                action,
                ACTIONS,
            )?;
        }
    }
    Ok(())
}

fn check(path: &str, operation: &Json, known: &[(&str, &[&str])]) -> Result<(), FileError> {
    for (name, fields) in operation.as_object().into_iter().flatten() {
        let Some((_, expected)) = known.iter().find(|(other, _)| other == name) else {
            let names = known.iter().map(|(name, _)| *name);
            return Err(unknown(path, "operation", name, names));
        };
        for field in fields
            .as_object()
            .into_iter()
            .flatten()
            .map(|(field, _)| field)
        {
            if !expected.contains(&field.as_str()) {
                return Err(unknown(
                    &format!("{path}.{name}"),
                    "field",
                    field,
                    expected.iter().copied(),
                ));
            }
        }
    }
    Ok(())
}

fn unknown<'a>(
    path: &str,
    what: &str,
    found: &str,
    known: impl Iterator<Item = &'a str>,
) -> FileError {
    let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
    FileError::Invalid {
        path: path.to_owned(),
        place: None,
        message: format!(
            "unknown {what} `{found}`, expected one of {}",
            known.join(", ")
        ),
    }
}
