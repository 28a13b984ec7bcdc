//! The skeleton of an item's keys: what items with the same key templates usually have in common. It divides the items
//! of a profile into groups, so that each kind of item has examples. Exact grouping comes later, in `clusters`.
//!
//! The skeleton at a level is a function of the skeleton at the level before: each part of a text is either kept or
//! replaced by its class, and what is kept at a level was kept at all levels before.

use super::schema::{Item, Schema};
use super::type_attribute::may_hold_types;
use super::words::{is_screaming, is_word};
use keyfold_core::model::Value;

/// The coarsest level: all items have the same skeleton.
pub(crate) const LAST_LEVEL: u8 = 6;

/// Maximum number of bytes of a text that count.
const READ_BYTES: usize = 256;
/// Maximum number of parts of a text that count.
const PARTS: usize = 16;
/// Maximum length of a type's name in bytes.
const TYPE_BYTES: usize = 64;

/// The skeleton of an item's keys.
pub(crate) fn skeleton(schema: &Schema, item: &Item, level: u8) -> String {
    let mut out = String::new();
    if level >= LAST_LEVEL {
        return out;
    }
    for (key, attributes) in schema.keys().enumerate() {
        for attribute in attributes.attributes() {
            out.push('\u{1}');
            match item.get(&attribute.name) {
                None => out.push('-'),
                Some(Value::S(text)) if level < 5 => {
                    out.push('S');
                    // Of a secondary index only whether the item is in it, from level 2 on.
                    if level < 4 && (key == 0 || level < 2) {
                        write_text(text, level, &mut out);
                    }
                }
                Some(value) => out.push_str(value.kind().word()),
            }
        }
    }
    if level < 5 {
        for (name, value) in item {
            if let Value::S(text) = value
                && text.len() <= TYPE_BYTES
                && may_hold_types(name)
            {
                out.push('\u{1}');
                out.push_str(name);
                out.push('=');
                out.push_str(text);
            }
        }
    }
    out
}

fn write_text(text: &str, level: u8, out: &mut String) {
    let end = text.floor_char_boundary(READ_BYTES);
    let text = &text[..end];
    let (mut start, mut parts) = (0, 0);
    let separators = text.char_indices().filter(|(_, c)| is_separator(*c));
    for (at, c) in separators.map(|(at, c)| (at, Some(c))).chain([(end, None)]) {
        let part = &text[start..at];
        let is_first = parts == 0;
        let kept = is_word(part)
            && match level {
                0 => true,
                1 | 2 => is_screaming(part) || is_first && c.is_some(),
                _ => is_first && (c.is_some() || is_screaming(part)),
            };
        match kept {
            true => out.push_str(part),
            false => out.push(class(part)),
        }
        parts += 1;
        let Some(c) = c else { break };
        if parts == PARTS {
            break;
        }
        out.push(c);
        start = at + c.len_utf8();
    }
}

/// Whether a character may be a delimiter.
fn is_separator(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.' | '@' | ' ' | '\u{1}')
}

/// The class of a part of a text, as a character that no kept part consists of.
fn class(part: &str) -> char {
    if part.is_empty() {
        '0'
    } else if part.bytes().all(|byte| byte.is_ascii_digit()) {
        '9'
    } else {
        // A word that is not kept at this level is like any other value.
        '?'
    }
}
