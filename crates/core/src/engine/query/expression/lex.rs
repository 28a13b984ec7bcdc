//! Splits an expression's text into tokens.

use super::ast::ExpressionError;
use crate::model::limits::EXPRESSION_BYTES;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword, a function or an attribute.
    Word,
    /// `#name`, or `"a name"` of any characters.
    Alias,
    /// `:value`.
    Value,
    /// Digits.
    Number,
    /// An operator, a bracket, a dot or a comma.
    Symbol,
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    /// The text; an alias or value without its sign or its quotes.
    pub text: &'a str,
    pub start: usize,
    pub end: usize,
}

/// The tokens of a text; the last one is the end.
pub(super) fn lex(text: &str) -> Result<Vec<Token<'_>>, ExpressionError> {
    if text.len() > EXPRESSION_BYTES {
        return Err(ExpressionError::new(format!(
            "the expression has {} bytes; DynamoDB allows at most {EXPRESSION_BYTES}",
            text.len()
        )));
    }
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let start = at;
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let kind = match first {
            '#' | ':' => {
                at += 1 + word_length(&text[at + 1..]);
                if at == start + 1 {
                    let message = format!("expected a name after `{first}`");
                    return Err(ExpressionError {
                        span: Some(start..at),
                        message,
                    });
                }
                if first == '#' {
                    Kind::Alias
                } else {
                    Kind::Value
                }
            }
            '"' => {
                let length = text[at + 1..].find('"').filter(|length| *length > 0);
                let Some(length) = length else {
                    return Err(ExpressionError {
                        span: Some(start..start + 1),
                        message: "expected an attribute's name in quotes".to_owned(),
                    });
                };
                at += length + 2;
                Kind::Alias
            }
            '0'..='9' => {
                at += text[at..].bytes().take_while(u8::is_ascii_digit).count();
                Kind::Number
            }
            '<' | '>' => {
                let second = text[at + 1..].chars().next();
                let is_pair = second == Some('=') || first == '<' && second == Some('>');
                at += if is_pair { 2 } else { 1 };
                Kind::Symbol
            }
            '=' | '+' | '-' | '(' | ')' | '[' | ']' | '.' | ',' => {
                at += 1;
                Kind::Symbol
            }
            c if is_word(c) => {
                at += word_length(&text[at..]);
                Kind::Word
            }
            other => {
                return Err(ExpressionError {
                    span: Some(start..start + other.len_utf8()),
                    message: format!("`{other}` is not allowed in an expression"),
                });
            }
        };
        let skipped = usize::from(matches!(kind, Kind::Alias | Kind::Value));
        let quote = usize::from(first == '"');
        tokens.push(Token {
            kind,
            text: &text[start + skipped..at - quote],
            start,
            end: at,
        });
    }
    tokens.push(Token {
        kind: Kind::End,
        text: "",
        start: text.len(),
        end: text.len(),
    });
    Ok(tokens)
}

/// Whether a name has no other characters than letters, digits and `_`.
pub(super) fn is_word_text(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_word)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word_length(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}
