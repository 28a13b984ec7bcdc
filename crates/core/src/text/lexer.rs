//! The tokens of a line. A line is read in one of three ways: as words, as one text that runs to its end, or as the cells
//! of a table row. The parser chooses by the first word.

use super::syntax::SyntaxKind;
use crate::model::is_hidden;
use logos::Logos;
use serde::de::IgnoredAny;

/// The tokens of a line of words, without its line end.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    #[regex(r"\s+")]
    Whitespace,
    /// `// comment` or `/// description`, to the end of the line.
    #[regex(r"//[^\n]*", priority = 100)]
    Slashes,
    #[regex(r#""([^"\\]|\\.)*""#)]
    Quoted,
    /// A quote that is not closed.
    #[regex(r#""([^"\\]|\\.)*\\?"#, priority = 1)]
    Unclosed,
    #[token(",")]
    Comma,
    #[token("|")]
    Bar,
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    /// Any other text up to white space or punctuation; braces without white space belong to the word.
    #[regex(r#"[^\s,()|"]"#, |lexer| lexer.bump(rest_of_word(&lexer.source()[lexer.span().start..], lexer.span().len())))]
    Word,
}

/// The length of the rest of the word that a text begins with, after its first character of this length.
fn rest_of_word(text: &str, first: usize) -> usize {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c == '{'
            && let Some(end) = text[at + 1..].find(['{', '}', '"'])
            && text[at + 1 + end..].starts_with('}')
            && !text[at + 1..at + 1 + end].contains(char::is_whitespace)
        {
            at += end + 2;
        } else if c.is_whitespace() || matches!(c, ',' | '(' | ')' | '|' | '"') {
            break;
        } else {
            at += c.len_utf8();
        }
    }
    at.max(first) - first
}

/// Whether slashes begin a description rather than a comment.
pub fn is_description(text: &str) -> bool {
    text.starts_with("///") && !text.starts_with("////")
}

/// The kind of a token that begins with `//`.
pub fn slashes(text: &str) -> SyntaxKind {
    match is_description(text) {
        true => SyntaxKind::Description,
        false => SyntaxKind::Comment,
    }
}

/// Calls `push` with each token of a line of words.
pub fn words(line: &str, push: &mut dyn FnMut(SyntaxKind, &str)) {
    let mut at = 0;
    while at < line.len() {
        let (kind, length) = next_word(&line[at..]);
        push(kind, &line[at..at + length]);
        at += length;
    }
}

/// The first token of a line of words, and its length in bytes. The line is not empty.
pub fn next_word(line: &str) -> (SyntaxKind, usize) {
    if line.starts_with(['{', '['])
        && let Some(length) = json_length(line)
    {
        return (SyntaxKind::Json, length);
    }
    let mut lexer = Token::lexer(line);
    let token = lexer.next();
    let length = lexer.span().end;
    let kind = match token {
        Some(Ok(Token::Whitespace)) => SyntaxKind::Whitespace,
        Some(Ok(Token::Slashes)) => slashes(line),
        Some(Ok(Token::Quoted)) if unquote(&line[..length]).is_some() => SyntaxKind::Quoted,
        Some(Ok(Token::Comma)) => SyntaxKind::Comma,
        Some(Ok(Token::Bar)) => SyntaxKind::Bar,
        Some(Ok(Token::LeftParen)) => SyntaxKind::LeftParen,
        Some(Ok(Token::RightParen)) => SyntaxKind::RightParen,
        Some(Ok(Token::Word)) => SyntaxKind::Word,
        _ => SyntaxKind::Unclosed,
    };
    if length == 0 {
        let first = line.chars().next().map_or(1, char::len_utf8);
        return (SyntaxKind::Unclosed, first);
    }
    (kind, length)
}

/// The length of a JSON list or object at the start of a text, if one is there and ends where a word may end.
fn json_length(text: &str) -> Option<usize> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let length = values.byte_offset();
    let after = text[length..].chars().next();
    let ends = after.is_none_or(|c| c.is_whitespace() || matches!(c, ',' | ')' | '|' | '*'));
    ends.then_some(length)
}

/// Calls `push` with the tokens of a text that runs to the end of the line or to a comment.
pub fn text(line: &str, push: &mut dyn FnMut(SyntaxKind, &str)) {
    let start = line.len() - line.trim_start().len();
    if start > 0 {
        push(SyntaxKind::Whitespace, &line[..start]);
    }
    let rest = &line[start..];
    if after_quoted(rest).is_some_and(ends_text) {
        return words(rest, push);
    }
    let end = comment_start(rest);
    let text = rest[..end].trim_end();
    if !text.is_empty() {
        push(SyntaxKind::Text, text);
    }
    words(&rest[text.len()..], push);
}

/// What follows the quoted text that a text begins with; `None`: it begins with none.
fn after_quoted(text: &str) -> Option<&str> {
    if !text.starts_with('"') {
        return None;
    }
    let (kind, length) = next_word(text);
    (kind == SyntaxKind::Quoted).then(|| text[length..].trim_start())
}

/// Whether a quoted text with this after it is the whole text.
fn ends_text(after: &str) -> bool {
    after.is_empty() || after.starts_with("//")
}

/// Where a comment or a description begins: at `//` after white space or at the start; else the end.
fn comment_start(text: &str) -> usize {
    let mut from = 0;
    while let Some(at) = text[from..].find("//").map(|at| from + at) {
        if at == 0 || text[..at].ends_with(char::is_whitespace) {
            return at;
        }
        from = at + 2;
    }
    text.len()
}

/// Calls `push` with the tokens of a table row, which begins with `|`.
pub fn cells(line: &str, push: &mut dyn FnMut(SyntaxKind, &str)) {
    let mut at = 0;
    while at < line.len() {
        let rest = &line[at..];
        let start = rest.len() - rest.trim_start().len();
        if start > 0 {
            push(SyntaxKind::Whitespace, &rest[..start]);
            at += start;
            continue;
        }
        if rest.starts_with("//") {
            return push(slashes(rest), rest);
        }
        if rest.starts_with('|') {
            push(SyntaxKind::Bar, "|");
            at += 1;
            continue;
        }
        let mut length = 0;
        if rest.starts_with('"') {
            let (kind, quoted) = next_word(rest);
            let after = rest[quoted..].trim_start();
            if kind == SyntaxKind::Quoted && (after.is_empty() || after.starts_with('|')) {
                push(SyntaxKind::Quoted, &rest[..quoted]);
                length = quoted;
            }
        }
        if length == 0 {
            let end = rest.find('|').unwrap_or(rest.len());
            let cell = rest[..end].trim_end();
            push(SyntaxKind::Cell, cell);
            length = cell.len();
        }
        at += length;
    }
}

/// The text in quotes, which are those of JSON. `None` if it is no valid JSON string.
pub fn unquote(quoted: &str) -> Option<String> {
    serde_json::from_str(quoted).ok()
}

/// Whether a text is read as one word, and shows all of its characters.
pub fn is_word(text: &str) -> bool {
    !text.is_empty()
        && !text.contains(is_hidden)
        && matches!(next_word(text), (SyntaxKind::Word | SyntaxKind::Json, length) if length == text.len())
}

/// Whether a text can stand at the end of a line without quotes. A `{` or `:` at its end would be read as the start of a
/// block.
pub fn is_plain_text(text: &str) -> bool {
    !text.is_empty()
        && !text.ends_with(['{', ':'])
        && text.trim() == text
        && !text.contains(is_hidden)
        && (!text.starts_with('"') || after_quoted(text).is_some_and(|after| !ends_text(after)))
        && comment_start(text) == text.len()
}

/// Whether a text can stand in a cell without quotes.
pub fn is_plain_cell(text: &str) -> bool {
    !text.is_empty()
        && text.trim() == text
        && !text.contains(is_hidden)
        && !text.contains('|')
        && !text.starts_with('"')
        && !text.starts_with("//")
        && !is_rule(text)
}

/// Whether a cell belongs to the rule below the head of a Markdown table: `---`, `:---`.
pub fn is_rule(text: &str) -> bool {
    text.len() > 2 && text.trim_matches([':', '-']).is_empty()
}
