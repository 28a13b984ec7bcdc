//! Finds the delimiter between the parts of the keys.

use super::schema::{Item, KeySlot};
use super::words::is_word;
use keyfold_core::model::Value;
use keyfold_core::template::check_iso;

/// Delimiters that designs use, the most usual first. Those that also occur in names and ids come last and count less.
const DELIMITERS: [(&str, u64); 12] = [
    ("#", 12),
    ("|", 11),
    ("::", 11),
    (":", 10),
    ("/", 10),
    ("~", 10),
    ("$", 8),
    ("+", 8),
    (";", 8),
    ("_", 2),
    ("-", 2),
    (".", 2),
];

/// The delimiter that most key values have after a word; `#` if none have one.
pub(crate) fn find(items: &[&Item], slots: &[KeySlot]) -> String {
    let mut scores = [0u64; DELIMITERS.len()];
    for item in items {
        for slot in slots {
            let Some(Value::S(text)) = item.get(&slot.name) else {
                continue;
            };
            if is_plain(item, slots, text) {
                continue;
            }
            for ((delimiter, weight), score) in DELIMITERS.iter().zip(&mut scores) {
                // `#METADATA` sorts before all words.
                let rest = text.strip_prefix(delimiter).unwrap_or(text);
                let first = rest.split(delimiter).next().unwrap_or(rest);
                if first.len() < text.len() && is_word(first) {
                    *score += weight;
                }
            }
        }
    }
    let mut best = (0, 0);
    for (at, score) in scores.into_iter().enumerate() {
        // `::` also counts as `:`.
        if score > best.1 {
            best = (at, score);
        }
    }
    DELIMITERS[best.0].0.to_owned()
}

/// Whether a key's text is the value of another attribute or a time, so that it has no parts.
fn is_plain(item: &Item, slots: &[KeySlot], text: &str) -> bool {
    let is_other = |name: &String| slots.iter().all(|slot| slot.name != *name);
    check_iso(text).is_ok()
        || (item.iter()).any(|(name, value)| {
            matches!(value, Value::S(other) if other == text) && is_other(name)
        })
}
