//! Key templates, one module per operation.

mod analyze;
mod large;
mod parse;
mod parse_back;
mod range;
mod render;
mod splice;

use keyfold_core::model::SortedMap;
use keyfold_core::model::value::Value;
use keyfold_core::template::{DelimiterPolicy, OnDelimiter, Template, parse};

/// Parses a text that must be valid.
fn template(text: &str) -> Template {
    let parsed = parse(text);
    assert_eq!(parsed.errors, [], "{text}");
    parsed.template
}

fn reject() -> DelimiterPolicy {
    DelimiterPolicy::default()
}

fn encode() -> DelimiterPolicy {
    DelimiterPolicy {
        on_conflict: OnDelimiter::PercentEncode,
        ..DelimiterPolicy::default()
    }
}

/// An item with these values in the file form: `{"n": 5}`.
fn item(json: serde_json::Value) -> SortedMap<String, Value> {
    serde_json::from_value(json).unwrap()
}

/// Compares a text with the named snapshot of this folder.
fn snapshot(name: &str, text: &str) {
    insta::assert_snapshot!(name, text);
}
