//! Expressions and PartiQL statements.

use super::SHOP;
use keyfold_core::engine::ValueRef;
use keyfold_core::engine::query::Attributes;
use keyfold_core::engine::query::expression::{
    Binder, ExpressionError, apply, holds, parse_condition, parse_projection, parse_update, project,
};
use keyfold_core::model::{Value, limits};
use keyfold_core::proof::partiql::{read_statement, write_statement};
use serde_json::json;
use std::fmt::{Debug, Display};
use std::sync::LazyLock;

/// Words of expressions.
pub const EXPRESSION_WORDS: &[&str] = &[
    "AND",
    "OR",
    "NOT",
    "IN",
    "BETWEEN",
    "(",
    ")",
    ",",
    "=",
    "<>",
    "<=",
    "attribute_exists(",
    "attribute_type(",
    "begins_with(",
    "contains(",
    "size(",
    "SET",
    "REMOVE",
    "ADD",
    "DELETE",
    "if_not_exists(",
    "list_append(",
    "+",
    "-",
    ":a",
    ":n",
    ":list",
    ":set",
    "#a",
    "a",
    "n",
    "map.key",
    "list[0]",
    "list[4294967296]",
    "[1]",
    ".",
    "total",
    "size",
];

/// Words of PartiQL.
pub const PARTIQL_WORDS: &[&str] = &[
    "SELECT",
    "*",
    "FROM",
    "WHERE",
    "AND",
    "OR",
    "NOT",
    "IN",
    "[",
    "]",
    "IS",
    "MISSING",
    "ORDER",
    "BY",
    "DESC",
    "BETWEEN",
    "begins_with(",
    "contains(",
    "size(",
    "INSERT",
    "INTO",
    "VALUE",
    "{",
    "}",
    "<<",
    ">>",
    "UPDATE",
    "SET",
    "REMOVE",
    "DELETE",
    "EXISTS(",
    "RETURNING",
    "ALL",
    "OLD",
    "\"PK\"",
    "\"shop\"",
    "\"GSI1\"",
    "'{orderId}'",
    "''",
    "?",
    "=",
    ";",
];

/// The item that expressions are evaluated on, and the values of their parameters.
static ITEM: LazyLock<Attributes> = LazyLock::new(|| {
    let values = json!({
        "a": { "S": "text" }, "n": { "N": "7" }, "b": { "B": "AAE=" }, "yes": { "BOOL": true }, "nil": { "NULL": true },
        "list": { "L": [{ "S": "x" }, { "N": "1" }, { "L": [] }] }, "map": { "M": { "key": { "N": "2" } } },
        "set": { "SS": ["x", "y"] }, "numbers": { "NS": ["1", "2.5"] }, "total": { "N": "12.50" },
    });
    let members = values.as_object().expect("an object").iter();
    let value = |json| Value::from_dynamodb_json(json).expect("a value");
    members
        .map(|(name, json)| (name.clone(), value(json)))
        .collect()
});

/// Reads a condition, a projection and an update, binds them and evaluates them on an item.
pub fn expression(data: &[u8]) -> bool {
    let text = &*String::from_utf8_lossy(data);
    let mut binder = Binder::new(&ITEM);
    let mut accepted = false;
    if let Some(condition) = sound(text, parse_condition(text)) {
        reads_back(&condition, parse_condition);
        if let Ok(bound) = binder.condition(&condition) {
            holds(&bound, &|name| ITEM.get(name).map(ValueRef::Value));
        }
        accepted = true;
    }
    if let Some(paths) = sound(text, parse_projection(text)) {
        if let Ok(bound) = binder.projection(&paths) {
            let _ = project(&bound, &ITEM);
        }
        accepted = true;
    }
    if let Some(update) = sound(text, parse_update(text)) {
        reads_back(&update, parse_update);
        if let Ok(bound) = binder.update(&update) {
            let _ = apply(&bound, &ITEM);
        }
        accepted = true;
    }
    accepted
}

/// The expression, if it was read. Otherwise the error has a message, and its place is in the text.
fn sound<T>(text: &str, read: Result<T, ExpressionError>) -> Option<T> {
    if let Err(error) = &read {
        assert!(!error.message.is_empty());
        let span = error.span.clone();
        assert!(
            span.is_none_or(|span| text.get(span).is_some()),
            "{error:?}"
        );
    }
    read.ok()
}

/// The expression as it is written parses to the same one. It may have more spaces than before, and be too long.
fn reads_back<T: Display + Debug + PartialEq>(
    expression: &T,
    parse: fn(&str) -> Result<T, ExpressionError>,
) {
    let written = expression.to_string();
    if written.len() <= limits::EXPRESSION_BYTES {
        assert_eq!(parse(&written).as_ref(), Ok(expression), "{written}");
    }
}

/// Reads a PartiQL statement. One that was read is written and read again.
pub fn partiql(data: &[u8]) -> bool {
    let text = &*String::from_utf8_lossy(data);
    match read_statement(&SHOP, text) {
        Ok(operation) => {
            if let Ok(written) = write_statement(&SHOP, &operation) {
                let again = read_statement(&SHOP, &written);
                // AND is written flat, so compare the texts.
                let again = again.map(|again| write_statement(&SHOP, &again));
                assert_eq!(again, Ok(Ok(written.clone())), "{text}");
            }
            true
        }
        Err(error) => {
            assert!(!error.message.is_empty());
            assert!(text.get(error.span.clone()).is_some(), "{error:?}");
            false
        }
    }
}
