//! What the texts in keys look like: words that a design writes literally, or values.

use keyfold_core::model::{Value, words};
use std::borrow::Cow;

/// Maximum length of a text that counts as a word.
const WORD_BYTES: usize = 32;

/// A value as a placeholder without modifiers renders it; `None` if it renders nothing.
pub(crate) fn shown(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::S(text) if !text.is_empty() => Some(Cow::Borrowed(text)),
        Value::N(number) => Some(Cow::Owned(number.to_string())),
        Value::Bool(true) => Some(Cow::Borrowed("true")),
        Value::Bool(false) => Some(Cow::Borrowed("false")),
        _ => None,
    }
}

/// Whether a text looks like one that a design writes literally: letters, perhaps joined by `_` or `-`, perhaps in
/// quotation marks.
pub(crate) fn is_word(text: &str) -> bool {
    let quoted = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    let text = quoted.unwrap_or(text);
    text.len() <= WORD_BYTES
        && text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && (text.chars()).all(|c| c.is_alphabetic() || matches!(c, '_' | '-'))
}

/// Whether a word is all capitals, as most designs write literals.
pub(crate) fn is_screaming(text: &str) -> bool {
    is_word(text) && !text.chars().any(char::is_lowercase)
}

/// The words of a name or a literal, in lowercase.
pub(crate) fn lower_words(text: &str) -> Vec<String> {
    // `words` starts a word at each capital after a small letter; a text of capitals is one word.
    words(text).iter().map(|word| word.to_lowercase()).collect()
}

/// How much an attribute's name resembles the literal in front of its value, from 0 to 100: `TENANT` and `tenantId`,
/// `USER_EMAIL` and `email`, `CAT` and `category`.
pub(crate) fn resemblance(literal: &str, name: &str) -> u32 {
    let (literal, name) = (lower_words(literal), lower_words(name));
    let alike = |left: &String, right: &String| {
        let common = (left.chars().zip(right.chars()))
            .take_while(|(left, right)| left == right)
            .count();
        let (short, long) = (left.len().min(right.len()), left.len().max(right.len()));
        common >= 3.min(short) && (common == short || common * 2 > long) && common > 0
    };
    let last = literal.last();
    let mut score = 0;
    for word in &name {
        if literal.iter().any(|other| alike(other, word)) {
            // The last word of a literal says what follows: `USER_EMAIL#{email}`.
            let is_last = last.is_some_and(|last| alike(last, word));
            let is_equal = literal.contains(word);
            score += if is_last { 60 } else { 30 } + if is_equal { 5 } else { 0 };
        }
    }
    // Of several that resemble it, the one with the fewest other words.
    let others = name.iter().filter(|word| word.as_str() != "id").count() as u32;
    if score == 0 {
        0
    } else {
        score.min(90) + 10 - others.min(9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_attribute_that_a_literal_names_resembles_it_most() {
        for (literal, name, others) in [
            ("TENANT", "tenantId", "name plan userId"),
            ("USER_EMAIL", "email", "userId tenantId name"),
            ("CAT", "category", "title authorId"),
            ("DOC", "documentId", "version title"),
            ("STATUS", "status", "state orderId"),
            ("FOLLOWS", "followedId", "userId name"),
            ("INVITE_EMAIL", "invitedEmail", "role inviteId"),
        ] {
            for other in others.split(' ') {
                assert!(
                    resemblance(literal, name) > resemblance(literal, other),
                    "{literal}: {name} before {other}"
                );
            }
        }
        assert_eq!(resemblance("ITEM", "price"), 0);
        assert_eq!(resemblance("", "price"), 0);
    }

    #[test]
    fn words_have_no_digits_and_no_separators() {
        assert!(is_word("\"count\"") && !is_word("\""));
        assert!(is_word("TENANT_LIST") && is_word("profile") && is_screaming("API-KEY"));
        assert!(!is_word("t_01") && !is_word("") && !is_word("2026-03-01") && !is_word("a b"));
        assert!(!is_screaming("User"));
    }
}
