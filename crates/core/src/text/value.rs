//! Values: a word is read in the type that is expected, as a cell of the live table is. A text in quotes is a string, and
//! DynamoDB JSON (`{"N": "5"}`) is a value of any type. Where no type is expected, a word is what it looks like.

use super::description::quoted;
use super::lexer;
use super::statement::Token;
use super::syntax::SyntaxKind;
use crate::model::{AttributeType, Number, Value, escape_hidden};

/// Reads a value.
///
/// # Errors
///
/// What is wrong with it.
pub fn read(token: &Token, expected: Option<AttributeType>) -> Result<Value, String> {
    read_text(token.kind, token.text, expected)
}

/// Reads a value of a token of this kind.
pub fn read_text(
    kind: SyntaxKind,
    text: &str,
    expected: Option<AttributeType>,
) -> Result<Value, String> {
    if kind == SyntaxKind::Quoted {
        return Ok(Value::S(lexer::unquote(text).unwrap_or_default()));
    }
    match expected {
        _ if Value::is_typed_cell(text) => {
            Value::from_cell(AttributeType::S, text).map(|value| value.unwrap_or(Value::Null))
        }
        Some(kind) => Value::from_text(kind, text),
        None if text.starts_with('[') && kind == SyntaxKind::Json => {
            Value::from_text(AttributeType::L, text)
        }
        None if kind == SyntaxKind::Json => Value::from_text(AttributeType::M, text),
        None if kind == SyntaxKind::Cell && text.starts_with('[') => {
            Value::from_text(AttributeType::L, text).or_else(|_| Ok(by_look(text)))
        }
        None if kind == SyntaxKind::Cell && text.starts_with('{') => {
            Value::from_text(AttributeType::M, text).or_else(|_| Ok(by_look(text)))
        }
        None => Ok(by_look(text)),
    }
}

/// A word as the value that it looks like. `00501` is no number: it would lose its zeros.
fn by_look(text: &str) -> Value {
    match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "null" => Value::Null,
        _ => match text.parse::<Number>() {
            Ok(number) if !has_leading_zero(text) => Value::N(number),
            _ => Value::S(text.to_owned()),
        },
    }
}

/// Whether a number begins with a zero before another digit.
fn has_leading_zero(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']).as_bytes();
    matches!(digits, [b'0', second, ..] if second.is_ascii_digit())
}

/// Writes a value of a line of words. `avoid` tells which words mean something else there.
pub fn write(
    value: &Value,
    expected: Option<AttributeType>,
    avoid: &dyn Fn(&str) -> bool,
) -> String {
    let text = value.to_text();
    if lexer::is_word(&text) && !avoid(&text) {
        let kind = lexer::next_word(&text).0;
        if read_text(kind, &text, expected).as_ref() == Ok(value) {
            return text;
        }
    }
    exact(value)
}

/// Writes a value of a cell.
pub fn write_cell(value: &Value, expected: Option<AttributeType>) -> String {
    let text = value.to_text();
    let same = || read_text(SyntaxKind::Cell, &text, expected).as_ref() == Ok(value);
    match lexer::is_plain_cell(&text) && same() {
        true => text,
        // A bar would end the cell; inside JSON it can be escaped.
        false => exact(value).replace('|', "\\u007c"),
    }
}

fn exact(value: &Value) -> String {
    match value {
        Value::S(text) => quoted(text),
        _ => escape_hidden(&value.to_dynamodb_json().to_string()).into_owned(),
    }
}
