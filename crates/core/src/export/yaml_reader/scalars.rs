//! The parts of a line: plain scalars and their values, quoted texts, comments.

use super::super::tree::Node;

/// Whether the text begins with an indicator and a space, or the end of the line.
pub(super) fn is_indicator(text: &str, indicator: char) -> bool {
    let rest = text.strip_prefix(indicator);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

pub(super) fn is_blank(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t']);
    line.is_empty() || line.starts_with('#')
}

/// Returns the text before a comment.
pub(super) fn before_comment(text: &str) -> &str {
    let mut before = 'x';
    for (at, c) in text.char_indices() {
        if c == '#' && matches!(before, ' ' | '\t') {
            return &text[..at];
        }
        before = c;
    }
    text
}

/// Returns the bytes of a plain scalar within brackets.
pub(super) fn flow_length(text: &str) -> usize {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let ends = match c {
            ',' | '[' | ']' | '{' | '}' => true,
            ':' => {
                let next = text[at + 1..].chars().next();
                next.is_none_or(|next| " \t,[]{}".contains(next))
            }
            '#' => matches!(before, ' ' | '\t'),
            _ => false,
        };
        if ends {
            return at;
        }
        before = c;
    }
    text.len()
}

/// Returns the value of a plain scalar.
pub(super) fn scalar(text: &str) -> Node {
    let lower = text.to_ascii_lowercase();
    match lower.as_str() {
        "" | "~" | "null" => return Node::Null,
        "true" | "yes" | "on" => return Node::Bool(true),
        "false" | "no" | "off" => return Node::Bool(false),
        _ => {}
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if whole && (digits == "0" || !digits.starts_with('0')) {
        let text = text.strip_prefix('+').unwrap_or(text);
        if let Ok(value) = text.parse::<i128>() {
            return Node::Number(value.to_string());
        }
    }
    Node::Text(text.to_owned())
}

/// Appends the text up to the closing quote. Returns the position after the quote if it is on this line.
pub(super) fn single_quoted(text: &str, out: &mut String) -> Option<usize> {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\'' if matches!(chars.peek(), Some((_, '\''))) => {
                chars.next();
                out.push('\'');
            }
            '\'' => return Some(at + 1),
            c => out.push(c),
        }
    }
    None
}

/// Like [`single_quoted`], with escapes.
pub(super) fn double_quoted(text: &str, out: &mut String) -> Result<Option<usize>, &'static str> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok(Some(at + 1)),
            '\\' => {
                let Some((_, escape)) = chars.next() else {
                    return Ok(None);
                };
                let digits = match escape {
                    'x' => 2,
                    'u' => 4,
                    'U' => 8,
                    _ => 0,
                };
                if digits > 0 {
                    let mut code = 0;
                    for _ in 0..digits {
                        let digit = chars.next().and_then(|(_, c)| c.to_digit(16));
                        code = code * 16 + digit.ok_or("an escape has too few digits")?;
                    }
                    let c = char::from_u32(code).ok_or("an escape is not a character")?;
                    out.push(c);
                    continue;
                }
                out.push(match escape {
                    '0' => '\0',
                    'a' => '\x07',
                    'b' => '\x08',
                    't' | '\t' => '\t',
                    'n' => '\n',
                    'v' => '\x0b',
                    'f' => '\x0c',
                    'r' => '\r',
                    'e' => '\x1b',
                    'N' => '\u{85}',
                    '_' => '\u{a0}',
                    'L' => '\u{2028}',
                    'P' => '\u{2029}',
                    ' ' | '"' | '/' | '\\' => escape,
                    _ => return Err("unknown escape"),
                });
            }
            c => out.push(c),
        }
    }
    Ok(None)
}

/// Whether a line within double quotes ends with an unescaped backslash.
pub(super) fn ends_escaped(line: &str) -> bool {
    let backslashes = line.bytes().rev().take_while(|b| *b == b'\\').count();
    !backslashes.is_multiple_of(2)
}
