//! Splits a script into tokens.

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An identifier or a keyword.
    Name,
    /// A string in quotes.
    Text,
    /// A template in backquotes.
    Template,
    /// A number.
    Number,
    /// A regular expression.
    Pattern,
    /// An operator or a bracket: one character, or `=>`, `...`, `===`, `!==`, `&&`, `||`.
    Symbol,
}

/// A token and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// The kind.
    pub kind: Kind,
    /// The text as written.
    pub text: &'a str,
    /// Where it starts, in bytes.
    pub start: usize,
}

impl Token<'_> {
    /// Whether this is a name or a symbol with this text.
    pub fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Name | Kind::Symbol) && self.text == text
    }

    /// Where it ends.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Symbols of several characters.
const LONG: [&str; 6] = ["...", "===", "!==", "=>", "&&", "||"];

/// The tokens of a text, without comments. Never fails: what is not closed ends with its line or with the text.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = if c.is_whitespace() || c == '\u{feff}' {
            at += c.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if let Some(comment) = rest.strip_prefix("/*") {
            at += comment.find("*/").map_or(rest.len(), |end| end + 4);
            continue;
        } else if is_name(c) {
            let end = rest.find(|c: char| !is_name(c) && !c.is_ascii_digit());
            (Kind::Name, end.unwrap_or(rest.len()))
        } else if c.is_ascii_digit() {
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
            (
                Kind::Number,
                rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            )
        } else if matches!(c, '"' | '\'') {
            (Kind::Text, quoted(rest, c))
        } else if c == '`' {
            (Kind::Template, template(rest))
        } else if c == '/' && pattern_may_follow(tokens.last()) {
            (Kind::Pattern, pattern(rest))
        } else {
            let long = LONG.iter().find(|symbol| rest.starts_with(**symbol));
            (
                Kind::Symbol,
                long.map_or(c.len_utf8(), |symbol| symbol.len()),
            )
        };
        tokens.push(Token {
            kind,
            text: &rest[..length],
            start: at,
        });
        at += length;
    }
    tokens
}

fn is_name(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '$')
}

/// The length of a string in quotes.
fn quoted(text: &str, quote: char) -> usize {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '\n' => return at,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a template, with the expressions and templates in it.
fn template(text: &str) -> usize {
    // Whether each open part is a template; otherwise an expression in braces.
    let mut open: Vec<bool> = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let is_template = open.last().copied().unwrap_or(false);
        at += c.len_utf8();
        match c {
            '\\' => at += text[at..].chars().next().map_or(0, char::len_utf8),
            '`' if is_template => {
                open.pop();
                if open.is_empty() {
                    return at;
                }
            }
            '`' => open.push(true),
            '$' if is_template && text[at..].starts_with('{') => {
                open.push(false);
                at += 1;
            }
            '{' if !is_template => open.push(false),
            '}' if !is_template => {
                open.pop();
            }
            '"' | '\'' if !is_template => at += quoted(&text[at - 1..], c) - 1,
            _ => {}
        }
    }
    text.len()
}

/// Whether a slash after this token begins a regular expression; otherwise it divides.
fn pattern_may_follow(before: Option<&Token>) -> bool {
    before.is_none_or(|token| match token.kind {
        Kind::Symbol => !matches!(token.text, ")" | "]" | "}"),
        Kind::Name => matches!(token.text, "return" | "typeof" | "case" | "in" | "of"),
        _ => false,
    })
}

/// The length of a regular expression with its flags.
fn pattern(text: &str) -> usize {
    let mut is_class = false;
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '[' => is_class = true,
            ']' => is_class = false,
            '\n' => return at,
            '/' if !is_class => {
                let flags = text[at + 1..].find(|c: char| !c.is_ascii_alphabetic());
                return at + 1 + flags.unwrap_or(text.len() - at - 1);
            }
            _ => {}
        }
    }
    text.len()
}
