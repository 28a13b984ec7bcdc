//! The meaning of attribute and entity names.

use crate::template;

/// Words of attribute names that identify things.
pub const IDS: &str = "id key code number sku isbn ref reference token slug handle";

/// Whether the word is in a list separated by spaces.
pub fn among(list: &str, word: &str) -> bool {
    list.split(' ').any(|other| other == word)
}

/// The words of a name in lowercase: `createdAt`, `created_at` and `Created at` give `created`, `at`.
pub fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let next_is_lower = chars.peek().is_some_and(|c| c.is_lowercase());
        let starts = c.is_uppercase() && (!before.is_uppercase() || next_is_lower);
        if !c.is_alphanumeric() || starts {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The usual name of an entity's id: `orderItemId` for `Order item`.
pub fn own_id(entity: &str) -> String {
    let mut text = String::new();
    for word in words(entity) {
        match (text.is_empty(), word.chars().next()) {
            (false, Some(first)) => {
                text.extend(first.to_uppercase());
                text.push_str(&word[first.len_utf8()..]);
            }
            _ => text.push_str(&word),
        }
    }
    text + "Id"
}

/// Whether an attribute with this name is a point in time.
pub fn is_time(name: &str) -> bool {
    let words = words(name);
    let last = words.last().map_or("", String::as_str);
    matches!(
        last,
        "at" | "date" | "time" | "timestamp" | "day" | "created" | "updated"
    )
}

/// The attribute that identifies an entity's items: its own id if the primary key contains it, else the last attribute
/// of the key that is not a time, if any. `primary`: what the primary key is made of, see
/// [`primary_attributes`](crate::engine::key_sources::primary_attributes).
pub fn identity(entity: &str, primary: &[String]) -> Option<String> {
    let (own, names) = (own_id(entity), primary);
    (names.iter().find(|name| **name == own || **name == "id"))
        .or_else(|| names.iter().rfind(|name| !is_time(name)))
        .or_else(|| names.last())
        .cloned()
}

/// The attributes that a template names.
pub fn placeholders(text: &str) -> Vec<String> {
    let template = template::parse(text).template;
    template.attributes().map(str::to_owned).collect()
}
