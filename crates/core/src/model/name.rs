//! Name rules. A design never holds a name that DynamoDB refuses. Source: "Supported data types and naming rules in
//! Amazon DynamoDB", Developer Guide.

use super::limits;
use std::fmt;

/// Why a name is refused. The text says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameError(String);

impl NameError {
    /// An error for a name that another module checks.
    pub(super) fn new(message: &str) -> Self {
        NameError(message.to_owned())
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NameError {}

/// Checks that DynamoDB accepts `name` for a table or an index: 3 to 255 of `A-Z a-z 0-9 _ . -`.
pub fn check_resource(name: &str) -> Result<(), NameError> {
    if let Some(bad) = name
        .chars()
        .find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')))
    {
        return Err(NameError(format!(
            "{} is not allowed in a table or index name: use A-Z, a-z, 0-9, _, . and -",
            shown(bad)
        )));
    }
    if !limits::RESOURCE_NAME_CHARS.contains(&name.len()) {
        return Err(NameError(format!(
            "a table or index name has {} to {} characters; this one has {}",
            limits::RESOURCE_NAME_CHARS.start(),
            limits::RESOURCE_NAME_CHARS.end(),
            name.len()
        )));
    }
    Ok(())
}

/// Checks that DynamoDB accepts a tag. A text for CloudFormation to resolve, with `${` or `{{`, has any characters. Source:
/// "Tagging restrictions in DynamoDB", Developer Guide.
pub fn check_tag(key: &str, value: &str) -> Result<(), NameError> {
    let is_allowed = |c: char| {
        c.is_alphanumeric()
            || c.is_whitespace()
            || matches!(c, '+' | '-' | '=' | '.' | '_' | ':' | '/' | '@')
    };
    for (what, text, most) in [
        ("key", key, limits::TAG_KEY_CHARS),
        ("value", value, limits::TAG_VALUE_CHARS),
    ] {
        let is_resolved = text.contains("${") || text.contains("{{");
        if let Some(bad) = text
            .chars()
            .find(|c| !is_allowed(*c))
            .filter(|_| !is_resolved)
        {
            return Err(NameError(format!(
                "{} is not allowed in a tag {what}: use letters, digits, spaces and + - = . _ : / @",
                shown(bad)
            )));
        }
        let length = text.chars().count();
        if length > most {
            return Err(NameError(format!(
                "a tag {what} has at most {most} characters; this one has {length}"
            )));
        }
    }
    let is_reserved = |text: &str| {
        text.get(..4)
            .is_some_and(|start| start.eq_ignore_ascii_case("aws:"))
    };
    match key {
        "" => Err(NameError("a tag needs a key".into())),
        key if is_reserved(key) => Err(NameError(
            "a tag key cannot start with `aws:`, which AWS reserves".into(),
        )),
        _ => Ok(()),
    }
}

/// Checks that DynamoDB accepts `name` for a key attribute or a projected attribute: 1 to 255 bytes.
pub fn check_key_attribute(name: &str) -> Result<(), NameError> {
    bounded(
        name,
        "a key attribute name",
        limits::KEY_ATTRIBUTE_NAME_BYTES,
    )
}

/// Checks that `name` can be an attribute's name: 1 to 65,535 bytes without the characters that key templates reserve.
/// DynamoDB accepts any text, but a placeholder cannot contain `{`, `}`, `:` or `|`.
pub fn check_attribute(name: &str) -> Result<(), NameError> {
    if let Some(bad) = name
        .chars()
        .find(|c| matches!(c, '{' | '}' | ':' | '|') || c.is_control())
    {
        return Err(NameError(format!(
            "{} is not allowed in an attribute name: key templates cannot refer to it",
            shown(bad)
        )));
    }
    if name.trim() != name {
        return Err(NameError(
            "an attribute name must not start or end with a space".into(),
        ));
    }
    bounded(name, "an attribute name", limits::ATTRIBUTE_NAME_BYTES)
}

/// Checks that `name` can be the name of an entity, an access pattern or a design: 1 to 255 bytes of visible text.
pub fn check_label(name: &str) -> Result<(), NameError> {
    if let Some(bad) = name.chars().find(|c| c.is_control()) {
        return Err(NameError(format!(
            "{} is not allowed in a name",
            shown(bad)
        )));
    }
    if name.trim().is_empty() {
        return Err(NameError("enter a name".into()));
    }
    bounded(name, "a name", 255)
}

/// The message for a name that another part of this kind has.
pub fn taken(what: &str, name: &str) -> String {
    format!("another {what} is called `{name}`")
}

/// Words that say "key" and nothing about what it holds. `keys` precedes `key`, which it starts with.
const KEY_WORDS: [&str; 16] = [
    "pk",
    "sk",
    "gsi",
    "lsi",
    "index",
    "idx",
    "inverted",
    "hash",
    "range",
    "partition",
    "sort",
    "keys",
    "key",
    "local",
    "global",
    "secondary",
];

/// Whether a key attribute's name consists of words for keys and indexes and of numbers only: `PK`, `gsi1_sk`, `HashKey`.
/// Such a name says nothing about the values.
pub fn is_generic_key(name: &str) -> bool {
    let letters = name.chars().filter(|c| c.is_alphabetic());
    let text: String = letters.flat_map(char::to_lowercase).collect();
    let mut rest = text.as_str();
    while let Some(after) = KEY_WORDS.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = after;
    }
    rest.is_empty() && !text.is_empty()
}

fn bounded(name: &str, what: &str, most: usize) -> Result<(), NameError> {
    match name.len() {
        0 => Err(NameError(format!("enter {what} of 1 to {most} bytes"))),
        bytes if bytes > most => Err(NameError(format!(
            "{what} has at most {most} bytes (UTF-8); this one has {bytes}"
        ))),
        _ => Ok(()),
    }
}

fn shown(c: char) -> String {
    match c {
        ' ' => "a space".into(),
        c if c.is_control() => format!("the control character U+{:04X}", c as u32),
        c => format!("`{c}`"),
    }
}

/// The closest file name to `name`, without extension, that every operating system accepts.
pub fn file_stem(name: &str) -> String {
    let stem: String = (name.chars())
        .map(|c| {
            let is_safe = c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | ' ');
            if is_safe { c } else { '-' }
        })
        .take(100)
        .collect();
    let stem = stem.trim_matches([' ', '.', '-']);
    let first = stem.split('.').next().unwrap_or(stem);
    if stem.is_empty() {
        "design".into()
    } else if is_device(first.trim_end()) {
        // Windows treats it as a device, whatever the extension.
        [first, "-", &stem[first.len()..]].concat()
    } else {
        stem.to_owned()
    }
}

/// Whether Windows reserves the name for a device. Source: "Naming Files, Paths, and Namespaces", Win32 documentation.
fn is_device(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let numbered = |stem: &str| {
        let number = upper.strip_prefix(stem).map(|rest| rest.chars());
        number.is_some_and(|mut rest| {
            let digit = rest.next();
            rest.next().is_none()
                && digit.is_some_and(|c| c.is_ascii_digit() || matches!(c, '¹' | '²' | '³'))
        })
    };
    matches!(upper.as_str(), "CON" | "PRN" | "AUX" | "NUL") || numbered("COM") || numbered("LPT")
}

/// The name that was probably meant by an unknown one: it differs by case only, or by at most one letter of three.
/// `None` if no name is that close.
pub fn closest<'a>(unknown: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let unknown = unknown.to_lowercase();
    let near = |name: &'a str| {
        let lower = name.to_lowercase();
        let letters = lower.chars().count().max(unknown.chars().count());
        let distance = strsim::osa_distance(&lower, &unknown);
        (distance <= letters / 3).then_some((distance, name))
    };
    let found = names.filter_map(near).min_by_key(|(distance, _)| *distance);
    found.map(|(_, name)| name)
}
