//! Items from DynamoDB JSON: bare items, the form of an export to S3, Scan and Query results, and batch writes.

use super::place::Placer;
use super::{Imported, Raw};
use crate::model::{AttributeType, SortedMap, Value, json_fault_at, name};
use serde_json::{Map, Value as Json};

/// Reads the items of one or more JSON documents, with or without line breaks. Fails if the text is not JSON.
pub(super) fn read(text: &str, placer: &Placer, imported: &mut Imported) -> Result<(), String> {
    let mut is_first = true;
    let mut documents = serde_json::Deserializer::from_str(text).into_iter::<Json>();
    let (mut line, mut counted) = (1, 0);
    let whole = |at: usize| text[at..].trim().is_empty();
    loop {
        let start = documents.byte_offset();
        let start = start + text[start..].len() - text[start..].trim_start().len();
        line += text[counted..start].matches('\n').count();
        counted = start;
        match documents.next() {
            None => return Ok(()),
            Some(Err(error)) => return Err(json_fault_at(&error)),
            Some(Ok(json)) => {
                // If the file holds only one document, its inner path says more than its first line.
                let is_only = std::mem::take(&mut is_first) && whole(documents.byte_offset());
                let is_item = json.is_object();
                let place = match (is_only, is_item) {
                    (true, false) => String::new(),
                    (true, true) if has_items(&json) => String::new(),
                    _ => format!("line {line}"),
                };
                document(&place, json, placer, imported);
            }
        }
    }
}

fn has_items(json: &Json) -> bool {
    json.as_object()
        .is_some_and(|object| object.values().any(Json::is_array) || object.contains_key(BATCH))
}

const BATCH: &str = "RequestItems";

/// Reads the items of one document.
fn document(place: &str, json: Json, placer: &Placer, imported: &mut Imported) {
    let mut object = match json {
        Json::Array(list) => {
            for (element, at) in list.into_iter().zip(0..) {
                document(&format!("{place}[{at}]"), element, placer, imported);
            }
            return;
        }
        Json::Object(object) => object,
        other => {
            return imported.refuse(
                shown(place),
                format!("an item must be an object, not {other}"),
            );
        }
    };
    let inner = |step: &str| match place {
        "" => step.to_owned(),
        place => format!("{place}, {step}"),
    };
    // An item's attribute with that name would hold a typed value; the content of an envelope is not one.
    let is_envelope = |object: &Map<String, Json>, step: &str| {
        let content = object.get(step);
        let inner = content.and_then(Json::as_object);
        inner.is_some_and(|inner| {
            let mut names = inner.keys();
            let is_typed = match (names.next(), names.next()) {
                (Some(word), None) => AttributeType::from_word(word).is_some(),
                _ => false,
            };
            !is_typed || content.is_some_and(|json| Value::from_dynamodb_json(json).is_err())
        })
    };
    if object.get("Items").is_some_and(Json::is_array) {
        if object.contains_key("LastEvaluatedKey") {
            imported.remark(
                inner("LastEvaluatedKey"),
                "the scan or query result is incomplete: the table has more items",
            );
        }
        if let Some(list) = object.remove("Items") {
            document(&inner("Items"), list, placer, imported);
        }
        return;
    }
    for step in ["Item", "NewImage", "PutRequest", BATCH] {
        if is_envelope(&object, step) {
            if let Some(content) = object.remove(step) {
                document(&inner(step), content, placer, imported);
            }
            return;
        }
    }
    if is_envelope(&object, "DeleteRequest") || is_envelope(&object, "Keys") {
        return imported.refuse(
            shown(place),
            "this request deletes an item and contains no item to import",
        );
    }
    if !object.is_empty() && object.values().all(are_requests) {
        for (table, requests) in object {
            document(&inner(&table), requests, placer, imported);
        }
        return;
    }
    let place = shown(place);
    let mut values = SortedMap::new();
    for (name, json) in object {
        match value(&name, &json) {
            Ok(value) => {
                values.insert(name, value);
            }
            Err(message) => return imported.refuse(place, format!("`{name}`: {message}")),
        }
    }
    let raw = Raw {
        place,
        values,
        entity: None,
    };
    placer.place(raw, imported);
}

/// Whether this is a table's list of requests in a batch.
fn are_requests(json: &Json) -> bool {
    let is_request = |json: &Json| {
        let object = json.as_object();
        object.is_some_and(|o| o.contains_key("PutRequest") || o.contains_key("DeleteRequest"))
    };
    (json.as_array()).is_some_and(|list| !list.is_empty() && list.iter().all(is_request))
}

fn shown(place: &str) -> String {
    match place {
        "" => "line 1".to_owned(),
        place => place.to_owned(),
    }
}

/// The value of an attribute: DynamoDB JSON, or plain JSON where that is unambiguous.
fn value(attribute: &str, json: &Json) -> Result<Value, String> {
    name::check_attribute(attribute).map_err(|error| error.to_string())?;
    match json {
        Json::String(text) => Ok(Value::S(text.clone())),
        Json::Bool(flag) => Ok(Value::Bool(*flag)),
        Json::Null => Ok(Value::Null),
        Json::Number(number) => Value::from_text(AttributeType::N, &number.to_string()),
        Json::Array(_) => Value::from_text(AttributeType::L, &json.to_string()),
        Json::Object(_) => Value::from_dynamodb_json(json),
    }
}
