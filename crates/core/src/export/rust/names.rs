//! Converts the design's names, which can be any text, to Rust identifiers: ASCII, no keywords, limited in length, and
//! unique in their namespace.

use crate::model::SortedSet;

/// The maximum length of an identifier. It keeps lines of the generated file within rustfmt's width.
const MAX_LENGTH: usize = 28;

/// Words that are not identifiers in edition 2021 or 2024.
const KEYWORDS: [&str; 53] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "_",
];

/// The maximum length of a function name. rustfmt can break the function's signature over several lines.
const MAX_FUNCTION_LENGTH: usize = 44;

/// Returns `tenant_id` for `tenantId`. Uses `empty` if nothing is left, and before a leading digit.
pub(in crate::export) fn snake(name: &str, empty: &str) -> String {
    usable(bounded(&words(name).join("_"), empty, "_"))
}

/// Like [`snake`], for a function: longer, and cut between words.
pub(in crate::export) fn function(name: &str, empty: &str) -> String {
    let mut text = String::new();
    for word in words(name) {
        if !text.is_empty() && text.len() + 1 + word.len() > MAX_FUNCTION_LENGTH {
            break;
        }
        text.push_str(if text.is_empty() { "" } else { "_" });
        text.push_str(&word);
    }
    match text.len() > MAX_FUNCTION_LENGTH
        || text.is_empty()
        || text.starts_with(|c: char| c.is_ascii_digit())
    {
        true => snake(name, empty),
        false => usable(text),
    }
}

fn usable(name: String) -> String {
    if KEYWORDS.contains(&name.as_str()) {
        name + "_"
    } else {
        name
    }
}

/// Returns `GSI1` for `GSI1`, `MY_INDEX` for `my-index`. Meant to follow a prefix, so keywords and digits are fine.
pub(super) fn screaming(name: &str) -> String {
    let text = words(name).join("_").to_uppercase();
    match cut(&text) {
        "" => "UNNAMED".to_owned(),
        text => text.to_owned(),
    }
}

/// Returns `VenuesShow` for `venue's show`. Uses `empty` if nothing is left, and before a leading digit.
pub(in crate::export) fn pascal(name: &str, empty: &str) -> String {
    let mut text = String::new();
    for word in words(name) {
        let (first, rest) = word.split_at(1);
        // Keep `u2` and `0` apart, so that the name does not equal another one with a number.
        if text.ends_with(|c: char| c.is_ascii_digit())
            && first.starts_with(|c: char| c.is_ascii_digit())
        {
            text.push('N');
        }
        text.push_str(&first.to_ascii_uppercase());
        text.push_str(rest);
    }
    match bounded(&text, empty, "").as_str() {
        "Self" => format!("Self{empty}"),
        text => text.to_owned(),
    }
}

fn bounded(text: &str, empty: &str, joint: &str) -> String {
    match cut(text) {
        "" => empty.to_owned(),
        text if text.starts_with(|c: char| c.is_ascii_digit()) => format!("{empty}{joint}{text}"),
        text => text.to_owned(),
    }
}

fn cut(text: &str) -> &str {
    text[..text.len().min(MAX_LENGTH)].trim_end_matches('_')
}

/// Returns the words of a name in lower case: split at characters that are not letters or digits, and at changes of
/// case (`tenantId`, `HTTPServer`), but not at apostrophes. Removes diacritics; a character without a Latin letter
/// becomes its code point.
fn words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().filter(|c| !matches!(c, '\'' | '’')).collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (i, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            words.push(std::mem::take(&mut word));
            continue;
        }
        let after_lower = i > 0 && (chars[i - 1].is_lowercase() || chars[i - 1].is_numeric());
        let after_upper = i > 0 && chars[i - 1].is_uppercase();
        let before_lower = chars.get(i + 1).is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && (after_lower || (after_upper && before_lower)) {
            words.push(std::mem::take(&mut word));
        }
        latin(c, &mut word);
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// Appends a character as lower-case ASCII.
fn latin(c: char, out: &mut String) {
    for c in c.to_lowercase() {
        match c {
            'a'..='z' | '0'..='9' => out.push(c),
            'à'..='å' | 'ā' | 'ă' | 'ą' => out.push('a'),
            'ç' | 'ć' | 'č' => out.push('c'),
            'è'..='ë' | 'ē' | 'ę' | 'ě' => out.push('e'),
            'ì'..='ï' | 'ī' | 'ı' => out.push('i'),
            'ñ' | 'ń' | 'ň' => out.push('n'),
            'ò'..='ö' | 'ø' | 'ō' | 'ő' => out.push('o'),
            'ù'..='ü' | 'ū' | 'ů' | 'ű' => out.push('u'),
            'ý' | 'ÿ' => out.push('y'),
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ł' => out.push('l'),
            'ś' | 'š' | 'ş' => out.push('s'),
            'ź' | 'ż' | 'ž' => out.push('z'),
            'ğ' => out.push('g'),
            'ř' => out.push('r'),
            'ď' | 'đ' => out.push('d'),
            'ť' => out.push('t'),
            // A combining mark, such as the dot that remains of `İ`.
            '\u{300}'..='\u{36f}' => {}
            other => out.push_str(&format!("u{:x}", other as u32)),
        }
    }
}

/// A namespace that returns each name once.
#[derive(Debug, Clone, Default)]
pub(in crate::export) struct Namespace {
    taken: SortedSet<String>,
}

impl Namespace {
    /// Creates a namespace with reserved names.
    pub fn without(reserved: &[&str]) -> Self {
        Namespace {
            taken: reserved.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    /// Returns the name, with the first free number if it is taken: `user`, `user_2`; `User`, `User2`.
    pub fn take(&mut self, name: String) -> String {
        let upper = name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.contains('_');
        let joint = if upper || name.ends_with('_') {
            ""
        } else {
            "_"
        };
        let numbered = (2u32..).map(|number| format!("{name}{joint}{number}"));
        let free = std::iter::once(name.clone())
            .chain(numbered)
            .find(|name| !self.taken.contains(name));
        let free = free.unwrap_or(name);
        self.taken.insert(free.clone());
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_kinds_become_identifiers() {
        for (name, expected) in [
            ("tenantId", "tenant_id"),
            ("HTTPServer", "http_server"),
            ("type", "type_"),
            ("2fa", "attribute_2fa"),
            ("Größe", "grosse"),
            ("名前", "u540du524d"),
            ("...", "attribute"),
            ("GSI1PK", "gsi1_pk"),
        ] {
            assert_eq!(snake(name, "attribute"), expected);
        }
        for (name, expected) in [
            ("venue's show", "VenuesShow"),
            ("Self", "SelfEntity"),
            ("2fa", "Entity2fa"),
            ("?", "Entity"),
        ] {
            assert_eq!(pascal(name, "Entity"), expected);
        }
        for (name, expected) in [
            (
                "List pending orders of one shard",
                "list_pending_orders_of_one_shard",
            ),
            (
                "One name that is longer than any function of a file",
                "one_name_that_is_longer_than_any_function_of",
            ),
            (
                "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk",
                "donaudampfschifffahrtselektr",
            ),
            ("2 fa", "query_2_fa"),
            ("type", "type_"),
            ("!?", "query"),
        ] {
            assert_eq!(function(name, "query"), expected);
        }
    }

    #[test]
    fn a_taken_name_gets_a_number() {
        let mut names = Namespace::without(&["a"]);
        let given: Vec<_> = ["a", "a", "a_2", "B", "B"]
            .map(|name| names.take(name.to_owned()))
            .into();
        assert_eq!(given, ["a_2", "a_3", "a_2_2", "B", "B2"]);
    }
}
