//! JSON with numbers as they are written. The JSON parser rounds fractions and long numbers to 64-bit floats; DynamoDB's
//! numbers have up to 38 digits.

use super::dynamodb_json::{json_number, number};
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

/// Parses JSON. A number that the parser rounds becomes DynamoDB JSON: `{"N": "0.10000000000000000001"}`.
///
/// # Errors
///
/// See [`JsonError`].
pub fn exact_json(text: &str) -> Result<Json, JsonError> {
    let json = serde_json::from_str(text).map_err(JsonError::Syntax)?;
    let mut exact = String::new();
    let mut from = 0;
    for token in number_tokens(text) {
        let number = &text[token.clone()];
        if is_rounded(number).map_err(JsonError::Number)? {
            exact.push_str(&text[from..token.start]);
            exact.push_str(&format!(r#"{{"N":"{number}"}}"#));
            from = token.end;
        }
    }
    match from {
        0 => Ok(json),
        _ => {
            let exact = [exact.as_str(), &text[from..]].concat();
            serde_json::from_str(&exact).map_err(JsonError::Syntax)
        }
    }
}

fn is_rounded(token: &str) -> Result<bool, String> {
    let exact = number(token)?;
    let parsed = serde_json::from_str(token).map(|json| json_number(&json));
    Ok(!matches!(parsed, Ok(Ok(parsed)) if parsed == exact))
}

/// Where the numbers of valid JSON are, outside of strings.
pub fn number_tokens(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_start = |c: char| c == '-' || c.is_ascii_digit();
        loop {
            let start = at + text[at..].find(|c| c == '"' || is_start(c))?;
            if text[start..].starts_with('"') {
                at = after_string(text, start + 1);
                continue;
            }
            let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
            let rest = &text[start..];
            at = start + rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            return Some(start..at);
        }
    })
}

/// The place behind a string whose opening quote is before `at`.
fn after_string(text: &str, mut at: usize) -> usize {
    while let Some(found) = text[at..].find(['"', '\\']) {
        let is_end = text[at + found..].starts_with('"');
        at += found + 1;
        if is_end {
            return at;
        }
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    text.len()
}
