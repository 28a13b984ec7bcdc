//! Names as identifiers and as key literals, and truncated text.

/// Maximum number of characters of a truncated text.
const MAX_CHARS: usize = 60;

/// The usual name of the attribute that identifies an entity: `orderLineId` for `Order line`.
pub fn id_name(entity: &str) -> String {
    format!("{}Id", camel_case(entity))
}

/// Converts to camel case: `Show at venue` becomes `showAtVenue`.
pub fn camel_case(name: &str) -> String {
    let mut text = String::new();
    for word in words(name) {
        let mut chars = word.chars();
        match chars.next() {
            Some(first) if !text.is_empty() => {
                text.extend(first.to_uppercase());
                text.extend(chars);
            }
            _ => text = word.to_lowercase(),
        }
    }
    if text.is_empty() { "item".into() } else { text }
}

/// Converts to screaming snake case: `Show at venue` and `showAtVenue` become `SHOW_AT_VENUE`.
pub fn screaming(name: &str) -> String {
    let mut text = String::new();
    for word in words(name) {
        if !text.is_empty() {
            text.push('_');
        }
        text.extend(word.chars().flat_map(char::to_uppercase));
    }
    if text.is_empty() { "ITEM".into() } else { text }
}

/// Whether an attribute with this name usually holds a time.
pub fn is_time(name: &str) -> bool {
    name.ends_with("At") || name.ends_with("Date") || matches!(name, "timestamp" | "date" | "time")
}

/// Returns a text with a capital first letter.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next();
    let first = first.into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

/// Truncates a long text and appends `…`.
pub fn short(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => [&text[..end], "…"].concat(),
        None => text.to_owned(),
    }
}

/// The words of a name, as they are written: `createdAt`, `created_at` and `created at` give `created` and `At` or `at`.
pub fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for c in name.chars() {
        let starts_word = after_lower && c.is_uppercase();
        if !c.is_alphanumeric() || starts_word {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(c);
        }
        after_lower = c.is_lowercase() || c.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}
