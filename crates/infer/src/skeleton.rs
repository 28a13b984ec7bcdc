//! The skeleton of an item's keys: what items with the same key templates usually have in common. It divides the items
//! of a profile into groups, so that each kind of item has examples. Exact grouping comes later, in `clusters`.
//!
//! The skeleton at a level is a function of the skeleton at the level before: each part of a text is either kept or
//! replaced by its class, and what is kept at a level was kept at all levels before.

use super::schema::{Item, Schema};
use super::type_attribute::{is_certain, may_hold_types};
use super::words::{is_screaming, is_word};
use keyfold_core::model::Value;

/// What a skeleton keeps at each level, beside the types of the key attributes:
///
/// | level | words of the primary key | words of secondary keys | types |
/// |---|---|---|---|
/// | 0 | all | all | all |
/// | 1 | of capitals, and the first | of capitals, and the first | all |
/// | 2 | of capitals, and the first | none | of certain names |
/// | 3 | of capitals | none | of certain names |
/// | 4 | of capitals, if first | none | of certain names |
/// | 5 | none, but separators | none | of certain names |
/// | 6 | none | none | of certain names |
/// | 7 | none | none | none |
///
/// At the coarsest level all items have the same skeleton.
pub(crate) const LAST_LEVEL: u8 = 8;

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
                Some(Value::S(text)) => {
                    out.push('S');
                    if level < 2 || key == 0 && level < 6 {
                        write_text(text, level, &mut out);
                    }
                }
                Some(value) => out.push_str(value.kind().word()),
            }
        }
    }
    if level < 7 {
        for (name, value) in item {
            if let Value::S(text) = value
                && text.len() <= TYPE_BYTES
                && (is_certain(name) || level < 2 && may_hold_types(name))
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
                3 => is_screaming(part),
                4 => is_screaming(part) && is_first,
                _ => false,
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
