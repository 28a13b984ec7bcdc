//! Template text that CloudFormation evaluates when it creates the stack: functions in a resource policy and dynamic
//! references in any text. In a design they are plain text unless the author enables
//! [`ExportOptions::live_functions`](super::ExportOptions::live_functions). Source: "Intrinsic function reference" and
//! "Get values stored in other services using dynamic references", AWS CloudFormation User Guide.

use super::{Design, IndexId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;

/// The start of a dynamic reference.
const REFERENCE: &str = "{{resolve:";

/// Byte offset of a dynamic reference in a text.
fn reference(text: &str) -> Option<usize> {
    let begins = |part: &[u8]| part.eq_ignore_ascii_case(REFERENCE.as_bytes());
    text.as_bytes().windows(REFERENCE.len()).position(begins)
}

/// The text with `{ {resolve:` in place of `{{resolve:`, which CloudFormation does not evaluate.
fn inert_text(text: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    while let Some(at) = reference(&out) {
        out.to_mut().insert(at + 1, ' ');
    }
    out
}

/// The path of a CloudFormation function or a dynamic reference in a JSON value: `Statement/0/Fn::Transform`.
fn live_part(json: &Value) -> Option<String> {
    match json {
        Value::String(text) => reference(text).map(|_| REFERENCE.to_owned() + "...}}"),
        Value::Array(items) => (items.iter().enumerate())
            .find_map(|(at, item)| live_part(item).map(|part| format!("{at}/{part}"))),
        Value::Object(members) => members.iter().find_map(|(key, value)| {
            if key == "Ref" || key.starts_with("Fn::") || reference(key).is_some() {
                return Some(key.clone());
            }
            live_part(value).map(|part| format!("{key}/{part}"))
        }),
        _ => None,
    }
}

/// A part of a design that CloudFormation would evaluate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// Whether it is in the resource policy, which the export then omits. Otherwise it is a reference in another text,
    /// which the export writes so that CloudFormation does not evaluate it.
    pub policy: bool,
    /// The table or the index it belongs to.
    pub index: IndexId,
    /// Its path: `Statement/0/Fn::Transform`, `tags/owner/{{resolve:...}}`.
    pub part: String,
}

/// The parts of a design that CloudFormation would evaluate; empty if the author allows them.
pub fn live_parts(design: &Design) -> Vec<Live> {
    let mut parts = Vec::new();
    if design.export_options.live_functions {
        return parts;
    }
    let policy = design.table.resource_policy.as_deref();
    if let Some(part) = policy.and_then(policy_part) {
        parts.push(Live {
            policy: true,
            index: IndexId::PRIMARY,
            part,
        });
    }
    let mut table = super::Table::clone(&design.table);
    table.resource_policy = None;
    let texts = Value::from(vec![design.name.as_str(), design.description.as_str()]);
    for part in [as_json(&table), texts].iter().filter_map(live_part) {
        parts.push(Live {
            policy: false,
            index: IndexId::PRIMARY,
            part,
        });
    }
    for (id, index) in &design.indexes {
        if let Some(part) = live_part(&as_json(&**index)) {
            parts.push(Live {
                policy: false,
                index: *id,
                part,
            });
        }
    }
    parts
}

/// The path of a function or a reference in the text of a resource policy.
pub fn policy_part(policy: &str) -> Option<String> {
    live_part(&serde_json::from_str(policy).ok()?)
}

fn as_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// The design with dynamic references in its table's and indexes' texts disabled, unless the author allows them.
pub fn inert(design: &Design) -> Cow<'_, Design> {
    if live_parts(design).iter().all(|part| part.policy) {
        return Cow::Borrowed(design);
    }
    let mut inert = design.clone();
    inert.name = inert_text(&design.name).into_owned();
    inert.description = inert_text(&design.description).into_owned();
    if let Some(table) = inert_part(&*design.table) {
        inert.table = table.into();
    }
    for index in inert.indexes.values_mut() {
        if let Some(other) = inert_part(&**index) {
            *index = other.into();
        }
    }
    Cow::Owned(inert)
}

fn inert_part<T: Serialize + DeserializeOwned>(part: &T) -> Option<T> {
    serde_json::from_value(inert_json(as_json(part))).ok()
}

fn inert_json(json: Value) -> Value {
    match json {
        Value::String(text) => Value::String(inert_text(&text).into_owned()),
        Value::Array(items) => items.into_iter().map(inert_json).collect(),
        Value::Object(members) => (members.into_iter())
            .map(|(key, value)| (inert_text(&key).into_owned(), inert_json(value)))
            .collect(),
        other => other,
    }
}
