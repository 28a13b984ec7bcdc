//! The tokens of a statement.

use super::StatementError;
use std::ops::Range;

/// A token and its position in bytes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Range<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// A keyword, a function or a bare name.
    Word(String),
    /// A name in double quotes.
    Name(String),
    /// Text in single quotes.
    Text(String),
    /// A number, as written.
    Number(String),
    /// `=`, `<=`, `(` and the like.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

const SYMBOLS: [&str; 14] = [
    "<>", "<=", ">=", "!=", "=", "<", ">", "(", ")", "[", "]", ",", ".", "*",
];

/// Splits a text into tokens; the last one is [`Kind::End`].
pub(super) fn lex(text: &str) -> Result<Vec<Token>, StatementError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let run = |keep: &dyn Fn(char) -> bool| rest.find(|c| !keep(c)).unwrap_or(rest.len());
        let (kind, length) = match first {
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            // A statement may end with a semicolon.
            ';' if rest[1..].trim().is_empty() => break,
            '"' | '\'' => {
                let (content, length) = quoted(rest, first).ok_or_else(|| StatementError {
                    span: at..text.len(),
                    message: format!("missing closing {first}"),
                })?;
                let kind = match first {
                    '"' => Kind::Name(content),
                    _ => Kind::Text(content),
                };
                (kind, length)
            }
            '0'..='9' | '-' => {
                let digits = run(&|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+'));
                (Kind::Number(rest[..digits].to_owned()), digits)
            }
            c if c.is_alphabetic() || c == '_' => {
                let length = run(&|c| c.is_alphanumeric() || c == '_');
                (Kind::Word(rest[..length].to_owned()), length)
            }
            _ => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
                Some(symbol) => (Kind::Symbol(symbol), symbol.len()),
                None => {
                    return Err(StatementError {
                        span: at..at + first.len_utf8(),
                        message: format!("unexpected `{first}`"),
                    });
                }
            },
        };
        tokens.push(Token {
            kind,
            span: at..at + length,
        });
        at += length;
    }
    tokens.push(Token {
        kind: Kind::End,
        span: text.len()..text.len(),
    });
    Ok(tokens)
}

/// Returns the content of a quoted text, and its length with the quotes. A quote inside is doubled.
fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut content = String::new();
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        if c == quote {
            match chars.peek() {
                Some((_, next)) if *next == quote => {
                    chars.next();
                }
                _ => return Some((content, at + 1)),
            }
        }
        content.push(c);
    }
    None
}
