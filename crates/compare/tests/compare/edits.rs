//! Designs that were edited in their file.

use keyfold_core::library;
use keyfold_core::model::Design;
use keyfold_core::persist::{from_json, to_json};
use serde_json::Value;

/// A design of the library.
pub fn pattern(name: &str) -> Design {
    let pattern = library::find(name).expect("a pattern");
    pattern.design().expect("a design")
}

/// A design whose file has other values: JSON pointers and the new values; nothing removes the value.
pub fn edited(design: &Design, edits: &[(&str, &str)]) -> Design {
    let mut json: Value = serde_json::from_str(&to_json(design)).expect("JSON");
    for (pointer, value) in edits {
        let (parent, last) = pointer.rsplit_once('/').expect("a pointer");
        let value =
            (!value.is_empty()).then(|| serde_json::from_str::<Value>(value).expect("JSON"));
        match json
            .pointer_mut(parent)
            .unwrap_or_else(|| panic!("{pointer}"))
        {
            Value::Object(fields) => {
                match value {
                    Some(value) => fields.insert(last.to_owned(), value),
                    None => Some(fields.remove(last).unwrap_or_else(|| panic!("{pointer}"))),
                };
            }
            Value::Array(list) => {
                let at: usize = last.parse().expect("a place in a list");
                match value {
                    Some(value) if at < list.len() => list[at] = value,
                    Some(value) => list.push(value),
                    None => drop(list.remove(at)),
                }
            }
            other => panic!("{pointer}: {other}"),
        }
    }
    from_json(&json.to_string()).unwrap_or_else(|error| panic!("{edits:?}: {error}"))
}
