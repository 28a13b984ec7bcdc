//! Strings, templates and numbers of a script.

use super::lex::{Kind, tokens};

/// The content of a string or of a template without expressions.
pub fn unquoted(text: &str) -> Option<String> {
    let quote = text.chars().next()?;
    let inside = text.strip_prefix(quote)?.strip_suffix(quote)?;
    Some(unescaped(inside))
}

/// A text with its escapes replaced.
pub fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('0') => out.push('\0'),
            Some('\n') | None => {}
            Some('u') => {
                let (code, behind) = unicode(chars.as_str());
                out.extend(code);
                chars = behind.chars();
            }
            Some('x') => {
                let rest = chars.as_str();
                let digits = rest
                    .get(..2)
                    .and_then(|hex| u32::from_str_radix(hex, 16).ok());
                if let Some(c) = digits.and_then(char::from_u32) {
                    out.push(c);
                    chars = rest[2..].chars();
                }
            }
            Some(other) => out.push(other),
        }
    }
    out
}

/// The character of `XXXX`, `{X}` or a pair of surrogates after `\u`, and the text behind.
fn unicode(text: &str) -> (Option<char>, &str) {
    if let Some(inside) = text.strip_prefix('{')
        && let Some((hex, behind)) = inside.split_once('}')
    {
        let code = u32::from_str_radix(hex, 16).ok();
        return (code.and_then(char::from_u32), behind);
    }
    let four = |text: &str| {
        text.get(..4)
            .and_then(|hex| u32::from_str_radix(hex, 16).ok())
    };
    let Some(first) = four(text) else {
        return (None, text);
    };
    let behind = &text[4..];
    if let (0xd800..=0xdbff, Some(rest)) = (first, behind.strip_prefix("\\u"))
        && let Some(second @ 0xdc00..=0xdfff) = four(rest)
    {
        let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        return (char::from_u32(code), &rest[4..]);
    }
    (char::from_u32(first), behind)
}

/// A number as JSON writes it.
pub fn number(text: &str) -> Option<String> {
    let plain = text.replace('_', "");
    plain.parse::<f64>().ok()?;
    Some(plain)
}

/// Where the next `${` is that is not escaped.
pub fn next_expression(text: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + text[from..].find("${")?;
        let escapes = text[..at].bytes().rev().take_while(|b| *b == b'\\').count();
        if escapes % 2 == 0 {
            return Some(at);
        }
        from = at + 2;
    }
}

/// The length of the expression up to its closing brace.
pub fn expression_end(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for token in tokens(text) {
        match token.text {
            _ if token.kind != Kind::Symbol => {}
            "{" => depth += 1,
            "}" if depth == 0 => return Some(token.start),
            "}" => depth -= 1,
            _ => {}
        }
    }
    None
}
