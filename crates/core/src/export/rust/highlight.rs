//! Tags the generated Rust for the preview. Supports only what the generator writes: no raw strings, no block comments,
//! no character literals with quotes.

use crate::export::writer::{Code, CodeWriter, Tag};
use crate::slices::{finish, pause};

const KEYWORDS: [&str; 28] = [
    "as", "const", "else", "enum", "false", "fn", "for", "if", "impl", "in", "let", "loop",
    "match", "mod", "mut", "pub", "ref", "return", "self", "static", "struct", "super", "true",
    "type", "use", "where", "while", "Self",
];

/// The number of lines between two pauses.
pub(super) const LINES: usize = 32;

/// Returns the tagged text.
pub(in crate::export) fn highlight(text: &str) -> Code {
    finish(highlight_in_slices(text))
}

/// Like [`highlight`], in slices.
pub(super) async fn highlight_in_slices(text: &str) -> Code {
    let mut writer = CodeWriter::new();
    for (at, line) in text.lines().enumerate() {
        if at % LINES == 0 {
            pause().await;
        }
        let mut rest = line;
        while !rest.is_empty() {
            let (length, tag) = token(rest);
            match tag {
                Some(tag) => writer.tag(tag, &rest[..length]),
                None => writer.put(&rest[..length]),
            };
            rest = &rest[length..];
        }
        writer.end_line();
    }
    writer.finish()
}

/// Returns the length and the tag of the first token.
fn token(text: &str) -> (usize, Option<Tag>) {
    let first = text.chars().next().unwrap_or(' ');
    let run = |keep: fn(char) -> bool| text.find(|c| !keep(c)).unwrap_or(text.len());
    match first {
        '/' if text.starts_with("//") => (text.len(), Some(Tag::Comment)),
        '"' => (literal(text), Some(Tag::Text)),
        'b' if text.starts_with("b\"") => (1 + literal(&text[1..]), Some(Tag::Text)),
        '\'' => character(text),
        '0'..='9' => (
            run(|c| c.is_ascii_alphanumeric() || c == '_'),
            Some(Tag::Number),
        ),
        'a'..='z' | 'A'..='Z' | '_' => {
            let length = run(|c| c.is_ascii_alphanumeric() || c == '_');
            (length, word(&text[..length], &text[length..]))
        }
        _ => {
            let other = text
                .find(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '"' | '\'' | '/'));
            (other.unwrap_or(text.len()).max(first.len_utf8()), None)
        }
    }
}

fn word(word: &str, after: &str) -> Option<Tag> {
    if matches!(word, "true" | "false") {
        Some(Tag::Number)
    } else if KEYWORDS.contains(&word) {
        Some(Tag::Keyword)
    } else if after.starts_with(['(', '!'])
        && !after.starts_with("!=")
        && word.starts_with(|c: char| c.is_lowercase())
    {
        Some(Tag::Function)
    } else if after.starts_with(": ") {
        Some(Tag::Key)
    } else if word.starts_with(char::is_uppercase) && word.contains(char::is_lowercase)
        || matches!(
            word,
            "str" | "bool" | "u8" | "u32" | "u64" | "u128" | "i32" | "i64" | "usize"
        )
    {
        Some(Tag::Type)
    } else {
        None
    }
}

/// Returns the length of a string literal, with its quotes.
fn literal(text: &str) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return i + 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns the length and the tag of a character literal or a lifetime.
fn character(text: &str) -> (usize, Option<Tag>) {
    let inside = &text[1..];
    let length = if inside.starts_with('\\') {
        2
    } else {
        inside.chars().next().map_or(0, char::len_utf8)
    };
    if inside
        .get(length..)
        .is_some_and(|rest| rest.starts_with('\''))
    {
        (length + 2, Some(Tag::Text))
    } else {
        let end = inside
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(inside.len());
        (1 + end, Some(Tag::Type))
    }
}
