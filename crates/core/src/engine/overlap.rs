//! Whether two templates can render the same key, and whether one can render a prefix of the other's. Literals and the
//! number of parts decide most pairs; automata decide the rest.

use super::compiled::{Compiled, Part};
use crate::template::TooLarge;

/// Whether both templates can render the same key. The error means that the answer is unknown.
pub fn meet(a: &Compiled, b: &Compiled) -> Result<bool, TooLarge> {
    if a.is_broken() || b.is_broken() || !heads_meet(&a.head, &b.head) {
        return Ok(false);
    }
    let quick = match (&a.parts, &b.parts) {
        (Some(left), Some(right)) if left.len() != right.len() => Some(false),
        (Some(left), Some(right)) => all(left.iter().zip(right)),
        _ => None,
    };
    match quick {
        Some(sure) => Ok(sure),
        None => Ok(a.language().collides(b.language())?.is_some()),
    }
}

/// Whether some key of `key` begins with a text that `prefix` can render. The error means that the answer is unknown.
pub fn begins(prefix: &Compiled, key: &Compiled) -> Result<bool, TooLarge> {
    if prefix.is_broken() || key.is_broken() || !heads_meet(&prefix.head, &key.head) {
        return Ok(false);
    }
    let quick = match (&prefix.parts, &key.parts) {
        (Some(left), Some(right)) if left.len() > right.len() => Some(false),
        (Some(left), Some(right)) => {
            let last = left.len() - 1;
            let ends = match (&left[last], &right[last]) {
                (Part::Text(start), Part::Text(text)) => Some(text.starts_with(start.as_str())),
                (Part::Text(start), _) if start.is_empty() => None,
                (a, b) => same(a, b),
            };
            let before = all(left[..last].iter().zip(right));
            match (before, ends) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            }
        }
        _ => None,
    };
    match quick {
        Some(sure) => Ok(sure),
        None => Ok(prefix.language().is_prefix_in(key.language())?.is_some()),
    }
}

/// Whether one head begins with the other. Every key of a template begins with its head.
fn heads_meet(a: &str, b: &str) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

/// Whether every pair of parts can be equal; `None` if only the automata can tell.
fn all<'a>(pairs: impl Iterator<Item = (&'a Part, &'a Part)>) -> Option<bool> {
    let mut sure = true;
    for (a, b) in pairs {
        match same(a, b) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => sure = false,
        }
    }
    sure.then_some(true)
}

/// Whether two parts can be equal; `None` if only the automata can tell.
fn same(a: &Part, b: &Part) -> Option<bool> {
    match (a, b) {
        (Part::Text(a), Part::Text(b)) => Some(a == b),
        // An open value can be any text without a delimiter, so it can equal any filled value.
        (Part::Value { open: true, .. }, Part::Value { filled: true, .. })
        | (Part::Value { filled: true, .. }, Part::Value { open: true, .. }) => Some(true),
        (
            Part::Value {
                shape,
                modifiers,
                filled: true,
                ..
            },
            Part::Value {
                shape: other,
                modifiers: others,
                ..
            },
        ) if shape == other && modifiers == others => Some(true),
        // A value is never empty.
        (Part::Text(text), Part::Value { .. }) | (Part::Value { .. }, Part::Text(text))
            if text.is_empty() =>
        {
            Some(false)
        }
        _ => None,
    }
}
