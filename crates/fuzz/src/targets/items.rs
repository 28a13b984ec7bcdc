//! Items: CSV and DynamoDB JSON.

use super::SHOP;
use keyfold_core::delimited;
use keyfold_core::import::items::{csv as sheets, json, lines};
use keyfold_core::import::{Notes, samples};
use keyfold_core::model::Value;

/// Words of DynamoDB JSON.
pub const DYNAMODB_JSON_WORDS: &[&str] = &[
    "{\"S\":\"a\"}",
    "{\"N\":\"1\"}",
    "{\"N\":\"1e126\"}",
    "{\"N\":1}",
    "{\"B\":\"AAE=\"}",
    "{\"BOOL\":true}",
    "{\"NULL\":true}",
    "{\"L\":[]}",
    "{\"M\":{}}",
    "{\"SS\":[\"a\",\"a\"]}",
    "{\"NS\":[\"1\"]}",
    "{\"BS\":[]}",
    "\"Item\":",
    "\"Items\":[",
    "\"PutRequest\":",
    "\"pk\":",
    "\\u0000",
    "\\ud83d",
    "\n",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
];

/// Reads rows as a table and as samples of a design. What was read of a table is written and read again.
pub fn csv(data: &[u8]) -> bool {
    let text = &*String::from_utf8_lossy(data);
    let separator = delimited::detect_separator(text);
    let rows = delimited::read(text, separator);
    let written = delimited::write(&rows, separator);
    assert_eq!(delimited::read(&written, separator), rows, "{written:?}");
    let _ = sheets::is_csv(text);
    let _ = samples::read(&SHOP, text, None);
    sheets::read(text).is_ok()
}

/// Reads items as files, line by line, as single values, and as samples of a design.
pub fn dynamodb_json(data: &[u8]) -> bool {
    let text = &*String::from_utf8_lossy(data);
    let mut notes = Notes::default();
    for (line, number) in data.split(|byte| *byte == b'\n').zip(1..) {
        let _ = lines::is_exported(line);
        let _ = lines::line(line, number, &mut notes);
    }
    if let Ok(json) = serde_json::from_str(text)
        && let Ok(value) = Value::from_dynamodb_json(&json)
    {
        let again = Value::from_dynamodb_json(&value.to_dynamodb_json());
        assert_eq!(again, Ok(value), "{text}");
    }
    let _ = samples::read(&SHOP, text, None);
    json::read(text).is_ok()
}
