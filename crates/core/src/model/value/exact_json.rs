//! JSON with numbers as they are written. The JSON parser rounds fractions and long numbers to 64-bit floats; DynamoDB's
//! numbers have up to 38 digits.

use super::dynamodb_json::number;
use crate::model::json_fault::json_fault_at;
use serde_json::Value as Json;
use std::ops::Range;

/// Why a text is not read as JSON.
#[derive(Debug)]
pub enum JsonError {
    /// It is none; the error has the place.
    Syntax(serde_json::Error),
    /// It has a number that DynamoDB does not store; with the number and the reason.
    Number(String),
}

impl std::fmt::Display for JsonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            JsonError::Syntax(error) => f.write_str(&json_fault_at(error)),
            JsonError::Number(why) => f.write_str(why),
        }
    }
}

/// Parses JSON. A number that the parser may round becomes DynamoDB JSON: `{"N": "0.10000000000000000001"}`.
///
/// # Errors
///
/// See [`JsonError`].
pub fn exact_json(text: &str) -> Result<Json, JsonError> {
    let parsed = |text: &str| serde_json::from_str(text).map_err(JsonError::Syntax);
    let json = parsed(text)?;
    let mut exact = String::new();
    let mut from = 0;
    for token in number_tokens(text) {
        let digits = &text[token.clone()];
        // A float holds each whole number of 15 digits.
        if digits.len() > 15 || digits.contains(['.', 'e', 'E']) {
            number(digits).map_err(JsonError::Number)?;
            exact += &text[from..token.start];
            exact += &[r#"{"N":""#, digits, r#""}"#].concat();
            from = token.end;
        }
    }
    match from {
        0 => Ok(json),
        _ => parsed(&(exact + &text[from..])),
    }
}

/// Where the numbers of valid JSON are, outside of strings.
pub fn number_tokens(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut in_string = false;
    std::iter::from_fn(move || {
        while let Some(byte) = bytes.get(at) {
            let start = at;
            at += 1;
            match byte {
                b'\\' if in_string => at += 1,
                b'"' => in_string = !in_string,
                b'-' | b'0'..=b'9' if !in_string => {
                    let is_part = |byte: &u8| {
                        byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
                    };
                    while bytes.get(at).is_some_and(is_part) {
                        at += 1;
                    }
                    return Some(start..at);
                }
                _ => {}
            }
        }
        None
    })
}
