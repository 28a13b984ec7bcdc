//! Writes TypeScript: lines, comments, names, template strings.

use super::writer::{CodeWriter, Tag, one_line};
use crate::engine::key_sources::indexes_of;
use crate::model::{Design, Entity, OnDelimiter, escape_hidden, shown};

const KEYWORDS: &[&str] = &[
    "as",
    "case",
    "class",
    "const",
    "constructor",
    "default",
    "else",
    "export",
    "extends",
    "for",
    "from",
    "function",
    "if",
    "import",
    "let",
    "new",
    "null",
    "of",
    "return",
    "super",
    "switch",
    "this",
    "type",
    "typeof",
    "undefined",
];

/// Words besides [`KEYWORDS`] that are not valid names in TypeScript.
const RESERVED: &[&str] = &[
    "arguments",
    "async",
    "await",
    "break",
    "catch",
    "continue",
    "debugger",
    "delete",
    "do",
    "enum",
    "eval",
    "false",
    "finally",
    "implements",
    "in",
    "instanceof",
    "interface",
    "package",
    "private",
    "protected",
    "public",
    "static",
    "switch",
    "throw",
    "true",
    "try",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Properties that every JavaScript object inherits: a library that looks up such a name finds a value.
const INHERITED: [&str; 12] = [
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// Whether every JavaScript object inherits this name.
pub fn is_inherited(name: &str) -> bool {
    INHERITED.contains(&name)
}

/// Returns the first name of the entity, its attributes or its keys that every JavaScript object inherits.
pub fn inherited<'d>(design: &'d Design, entity: &'d Entity) -> Option<&'d str> {
    let mut names = vec![entity.name.as_str()];
    for attribute in &entity.attributes {
        names.push(&attribute.name);
    }
    for (index, _) in indexes_of(design, entity) {
        let key = design.key(index);
        names.extend(
            key.iter()
                .flat_map(|key| key.attributes())
                .map(|key| key.name.as_str()),
        );
    }
    names.into_iter().find(|name| is_inherited(name))
}

/// Writes a line.
pub fn line(out: &mut CodeWriter, text: &str) {
    code(out, text);
    out.end_line();
}

/// Writes a comment line for each line of the text.
pub fn comment(out: &mut CodeWriter, text: &str) {
    for part in text.lines() {
        let part = shown(part);
        let start = if part.is_empty() { "//" } else { "// " };
        out.tag(Tag::Comment, &[start, part.trim_end()].concat())
            .end_line();
    }
}

/// Writes code without line feeds. Supports only what the exports write: no comments, no strings in single quotes.
pub fn code(out: &mut CodeWriter, text: &str) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let length = match first {
            '"' | '`' => string_length(rest, first),
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        match tag(first, token, after) {
            Some(tag) => out.tag(tag, token),
            None => out.put(token),
        };
        rest = after;
    }
}

fn tag(first: char, token: &str, after: &str) -> Option<Tag> {
    match first {
        '"' | '`' => Some(Tag::Text),
        '0'..='9' => Some(Tag::Number),
        _ if matches!(token, "true" | "false") => Some(Tag::Number),
        _ if KEYWORDS.contains(&token) => Some(Tag::Keyword),
        'A'..='Z' => Some(Tag::Type),
        c if c.is_alphabetic() && after.starts_with('(') => Some(Tag::Function),
        c if c.is_alphabetic() && after.starts_with(": ") => Some(Tag::Key),
        _ => None,
    }
}

/// Returns the length of the string that begins the text, with its quotes.
fn string_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Whether the name is valid as a key, or after a dot, without quotes.
pub fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    let starts = chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '$'));
    starts
        && name != "__proto__"
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))
}

/// Returns the valid name closest to `name` that is not in `taken`, and adds it there.
pub fn identifier(name: &str, capital: bool, taken: &mut Vec<String>) -> String {
    let mut text = String::new();
    for part in name.split(|c: char| !c.is_ascii_alphanumeric()) {
        let (first, rest) = part.split_at(part.len().min(1));
        text.push_str(&first.to_ascii_uppercase());
        text.push_str(rest);
    }
    if !capital {
        text = lower_first(&text);
    }
    let word = text.as_str();
    if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert_str(0, if capital { "Entity" } else { "index" });
    } else if KEYWORDS.contains(&word) || RESERVED.contains(&word) {
        text.push('_');
    }
    unique(text, taken)
}

/// Writes the head of a file: its origin, that its keys equal the app's, `more` about the keys, and the treatment of
/// values that contain the delimiter.
pub fn head(out: &mut CodeWriter, design: &Design, more: &str) {
    let name = one_line(&design.name);
    comment(
        out,
        &format!(
            "Generated by Keyfold from the design {name}. Do not edit: change the design and export again."
        ),
    );
    comment(
        out,
        &format!("The keys have the same bytes as in Keyfold. {more}"),
    );
    let policy = &design.delimiter;
    if policy.on_conflict == OnDelimiter::Reject && !policy.delimiter.is_empty() {
        comment(
            out,
            "A value in a key must not contain the delimiter: validate rejects it.",
        );
    }
}

/// Returns the name in ASCII with a small first letter: `gsi1` for `GSI1`, `byStatus` for `ByStatus`, `urlIndex` for
/// `URLIndex`.
pub fn lower_first(name: &str) -> String {
    let mut text = name.to_owned();
    let upper = text.chars().take_while(char::is_ascii_uppercase).count();
    let follows = text[upper..].starts_with(|c: char| c.is_ascii_lowercase());
    let count = if follows && upper > 1 {
        upper - 1
    } else {
        upper
    };
    text[..count].make_ascii_lowercase();
    text
}

/// Returns the name, with a number appended if it is in `taken`, and adds it there.
pub fn unique(name: String, taken: &mut Vec<String>) -> String {
    let mut result = name.clone();
    let mut number = 2;
    while taken.contains(&result) {
        result = format!("{name}{number}");
        number += 1;
    }
    taken.push(result.clone());
    result
}

/// Returns the text as the content of a template string between backticks.
pub fn in_backticks(text: &str) -> String {
    let inside = quoted(text);
    let inside = inside[1..inside.len() - 1].replace("\\\"", "\"");
    inside.replace('`', "\\`").replace("${", "\\${")
}

/// The part of an attribute's text that must not contain the delimiter. Ordered from the shorter to the longer part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckedPart {
    /// So many characters at its beginning, at least one: the key has no more of it.
    First(u32),
    /// All of it.
    Whole,
}

/// What of an attribute's text is checked for the delimiter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// The part that must not contain it.
    pub part: CheckedPart,
    /// Whether it must not contain the delimiter in capitals or small letters either: the key changes their case.
    pub any_case: bool,
}

/// Returns a regular expression, as TypeScript code, that matches texts without `part`: anywhere, or not within so many
/// characters at the beginning.
pub fn without(part: &str, within: CheckedPart) -> String {
    let mut pattern = String::new();
    for c in part.chars() {
        if c.is_alphanumeric() || matches!(c, '#' | ':' | '_' | '-' | '@' | ' ' | '~') {
            pattern.push(c);
        } else if matches!(c, '"' | '`') {
            pattern.push_str(&format!("\\x{:02x}", u32::from(c)));
        } else if c.is_ascii_graphic() {
            pattern.push('\\');
            pattern.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                pattern.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    let length = part.chars().count();
    match within {
        CheckedPart::Whole if length == 1 && pattern.is_ascii() && !pattern.starts_with("\\ud") => {
            format!("/^[^{pattern}]*$/")
        }
        CheckedPart::Whole => format!("/^(?![^]*{pattern})/"),
        // Keyfold counts a surrogate pair as one character.
        CheckedPart::First(count) => {
            let before = (count as usize).saturating_sub(length);
            let pair = "[\\ud800-\\udbff][\\udc00-\\udfff]";
            format!("/^(?!(?:{pair}|(?!{pair})[^]){{0,{before}}}{pattern})/")
        }
    }
}

/// The text as a string of JSON, which is one of JavaScript as well.
pub fn quoted(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    escape_hidden(&quoted).into_owned()
}
