//! Values that do not fit into a cell: lists, maps, sets, binary values, text with several lines. Formats them for
//! editing and locates errors.

use keyfold_core::model::value::rounded_number;
use keyfold_core::model::{AttributeType, Value, json_fault};
use serde_json::Value as Json;

/// Whether a value of this type with this text needs a multi-line editor.
pub fn is_large(kind: AttributeType, text: &str) -> bool {
    match kind {
        AttributeType::S => text.contains(['\n', '\r']),
        AttributeType::N | AttributeType::Bool | AttributeType::Null => false,
        _ => true,
    }
}

/// Returns the text of a value for editing: JSON is indented. [`Value::from_text`] reads it.
pub fn to_pretty_text(value: &Value) -> String {
    let text = value.to_text();
    let json = is_json(value.kind()).then(|| serde_json::from_str::<Json>(&text).ok());
    match json.flatten() {
        Some(json) if json.is_array() || json.is_object() => format!("{json:#}"),
        _ => text,
    }
}

fn is_json(kind: AttributeType) -> bool {
    !matches!(kind, AttributeType::S | AttributeType::B)
}

/// Returns a text of a multi-line field with the line ends of the text `before` it was edited: such fields turn all of
/// them into `\n`. Line ends of several kinds come back only if nothing else was changed.
pub fn with_line_ends_of(before: &str, typed: String) -> String {
    let shown = before.replace("\r\n", "\n").replace('\r', "\n");
    if typed == shown {
        return before.to_owned();
    }
    let ends = before.matches("\r\n").count();
    match ends > 0 && ends == shown.matches('\n').count() {
        true => typed.replace('\n', "\r\n"),
        false => typed,
    }
}

/// An error in a text, with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueError {
    /// What is wrong, and what to do.
    pub message: String,
    /// Line, counted from 1.
    pub line: usize,
    /// Column, counted from 1.
    pub column: usize,
    /// Position in the text, in UTF-16 units as in browsers.
    pub from: u32,
}

/// Returns the error in the text of a list, map or set; `None` if it is valid, and for types that are not JSON.
pub fn find_error(kind: AttributeType, text: &str) -> Option<ValueError> {
    let message = Value::from_text(kind, text)
        .err()
        .filter(|_| is_json(kind))?;
    let (at, message) = match serde_json::from_str::<Json>(text) {
        Err(error) => {
            let lines = text.split_inclusive('\n');
            let before: usize = (lines.take(error.line().saturating_sub(1)))
                .map(str::len)
                .sum();
            let at = before + error.column().saturating_sub(1);
            (at, json_fault(&error))
        }
        Ok(_) => {
            let path = message.starts_with(['.', '[']);
            let (path, what) = match message.split_once(": ").filter(|_| path) {
                Some((path, what)) => (path, what.to_owned()),
                None => ("", message.clone()),
            };
            let rounded = rounded_number(text).map(|token| token.start);
            let at = rounded.or_else(|| locate(text, 0, path));
            (at.unwrap_or(0), what)
        }
    };
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    Some(ValueError {
        message,
        line: before.matches('\n').count() + 1,
        column: before[start..].chars().count() + 1,
        from: before.encode_utf16().count() as u32,
    })
}

/// Returns the position of the value at a path such as `[1].name` in a JSON text, starting from the value at `at`.
/// Names of DynamoDB types are not part of the path.
fn locate(text: &str, at: usize, path: &str) -> Option<usize> {
    let at = blank(text, at);
    if path.is_empty() {
        return Some(at);
    }
    let is_list = text[at..].starts_with('[');
    if !is_list && !text[at..].starts_with('{') {
        return Some(at);
    }
    let mut next = blank(text, at + 1);
    for number in 0.. {
        if text[next..].starts_with([']', '}']) || next >= text.len() {
            break;
        }
        let mut name = String::new();
        if !is_list {
            let end = skip(text, next);
            name = serde_json::from_str(&text[next..end]).ok()?;
            next = blank(text, blank(text, end) + 1);
        }
        let step = match is_list {
            true => format!("[{number}]"),
            false => format!(".{name}"),
        };
        let rest = path.strip_prefix(step.as_str());
        if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with(['.', '['])) {
            return locate(text, next, rest);
        }
        if !is_list && AttributeType::from_word(&name).is_some() {
            return locate(text, next, path);
        }
        next = blank(text, skip(text, next));
        if text[next..].starts_with(',') {
            next = blank(text, next + 1);
        }
    }
    Some(at)
}

/// The position after white space.
fn blank(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    text.len() - rest.trim_start().len()
}

/// The position after a value, in valid JSON.
fn skip(text: &str, at: usize) -> usize {
    let (mut depth, mut inside, mut escaped) = (0_usize, false, false);
    for (place, c) in text[at..].char_indices() {
        let place = at + place;
        if inside {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    inside = false;
                    if depth == 0 {
                        return place + 1;
                    }
                }
                _ => {}
            }
            continue;
        }
        match c {
            '"' => inside = true,
            '[' | '{' => depth += 1,
            ']' | '}' if depth == 0 => return place,
            ']' | '}' => {
                depth -= 1;
                if depth == 0 {
                    return place + 1;
                }
            }
            ',' if depth == 0 => return place,
            _ => {}
        }
    }
    text.len()
}
