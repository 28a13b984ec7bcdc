//! What the words of a text are, for syntax colors. It reads the tree only, so that lines with errors have colors too.

use super::keywords::{FORMATS, KEY_ONLY, attribute_type};
use super::parse::Parse;
use super::syntax::{SyntaxKind, SyntaxNode, SyntaxToken};
use std::ops::Range;

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Highlight {
    /// `// comment`
    Comment,
    /// `/// description`
    Description,
    /// A word of the language.
    Keyword,
    /// A type or a format of an attribute, or a modifier of a placeholder.
    Type,
    /// The name of the design, the table, an index, an entity or an access pattern.
    Name,
    /// The name of an attribute.
    Attribute,
    /// The name of an attribute in a placeholder of a template.
    Placeholder,
    /// A literal: of a template, a value, an expression, a note.
    Text,
    /// A number.
    Number,
    /// Bars, slashes, commas, braces.
    Punctuation,
}

/// Returns what the words are, in the order of the text, without overlaps.
pub fn highlights(parse: &Parse) -> Vec<(Range<usize>, Highlight)> {
    let mut out = Vec::new();
    walk(&parse.root(), false, &mut out);
    out
}

fn range(token: &SyntaxToken) -> Range<usize> {
    token.text_range().start().into()..token.text_range().end().into()
}

/// Adds the words of a node. `is_head`: whether a row of samples is the first of its entity.
fn walk(node: &SyntaxNode, is_head: bool, out: &mut Vec<(Range<usize>, Highlight)>) {
    let mut line = Line {
        kind: node.kind(),
        is_head,
        words: 0,
        first: String::new(),
        last: String::new(),
        in_parens: false,
        in_conditions: false,
    };
    let mut is_first_row = true;
    for element in node.children_with_tokens() {
        match element {
            rowan::NodeOrToken::Node(child) => {
                let is_row = child.kind() == SyntaxKind::Row;
                walk(&child, is_row && is_first_row, out);
                is_first_row &= !is_row;
            }
            rowan::NodeOrToken::Token(token) => line.token(&token, out),
        }
    }
}

/// A statement while its tokens are read.
struct Line {
    kind: SyntaxKind,
    is_head: bool,
    /// How many words came before.
    words: usize,
    first: String,
    /// The previous token, apart from white space.
    last: String,
    in_parens: bool,
    in_conditions: bool,
}

/// The words of operations between and before their templates.
const OPERATION_WORDS: [&str; 7] = [
    "index",
    "begins_with",
    "between",
    "and",
    "descending",
    "limit",
    "consistent",
];
/// The words of places and cards.
const PLACE_WORDS: [&str; 10] = [
    "table",
    "index",
    "entity",
    "pattern",
    "key",
    "attribute",
    "sample",
    "partition",
    "sort",
    "note",
];

impl Line {
    fn token(&mut self, token: &SyntaxToken, out: &mut Vec<(Range<usize>, Highlight)>) {
        let text = token.text();
        let at = range(token);
        let what = match token.kind() {
            SyntaxKind::Whitespace | SyntaxKind::LineEnd => return,
            SyntaxKind::Comment => Some(Highlight::Comment),
            SyntaxKind::Description => Some(Highlight::Description),
            SyntaxKind::Word | SyntaxKind::Quoted => return self.word(token, out),
            SyntaxKind::Json | SyntaxKind::Unclosed => Some(Highlight::Text),
            SyntaxKind::Comma | SyntaxKind::Bar | SyntaxKind::Marker => {
                Some(Highlight::Punctuation)
            }
            SyntaxKind::LeftParen | SyntaxKind::RightParen => {
                self.in_parens = text == "(";
                Some(Highlight::Punctuation)
            }
            SyntaxKind::Text => Some(match self.kind {
                SyntaxKind::Design | SyntaxKind::Entity | SyntaxKind::Pattern => Highlight::Name,
                _ => Highlight::Text,
            }),
            SyntaxKind::Cell if self.is_head => Some(Highlight::Attribute),
            SyntaxKind::Cell => is_number(text).then_some(Highlight::Number),
            _ => None,
        };
        text.clone_into(&mut self.last);
        if let Some(what) = what {
            out.push((at, what));
        }
    }

    fn word(&mut self, token: &SyntaxToken, out: &mut Vec<(Range<usize>, Highlight)>) {
        let text = token.text();
        let at = range(token);
        let is_first = self.words == 0;
        if is_first {
            text.clone_into(&mut self.first);
        }
        let what = match self.kind {
            SyntaxKind::Attribute if is_first => {
                let name = text.strip_suffix('?').unwrap_or(text).len();
                out.push((at.start..at.start + name, Highlight::Attribute));
                if name < text.len() {
                    out.push((at.start + name..at.end, Highlight::Punctuation));
                }
                None
            }
            SyntaxKind::Card | SyntaxKind::Unknown => self.other(text),
            _ if is_first => Some(Highlight::Keyword),
            _ if matches!(text, "/" | "=" | "->" | "!=" | "<" | "<=" | ">" | ">=") => {
                Some(Highlight::Punctuation)
            }
            SyntaxKind::Table | SyntaxKind::Gsi | SyntaxKind::Lsi => self.schema(text),
            SyntaxKind::Attribute => self.format(text),
            SyntaxKind::Key => match self.key(text) {
                Some(what) => Some(what),
                None => return self.template(token, out),
            },
            SyntaxKind::Operation => match self.operation(text) {
                Some(what) => Some(what),
                None => return self.template(token, out),
            },
            SyntaxKind::BatchKey => return self.template(token, out),
            SyntaxKind::Part => self.part(text),
            SyntaxKind::Silence if self.words == 1 => Some(Highlight::Type),
            SyntaxKind::Setting if matches!(&*self.first, "ttl" | "type-attribute") => {
                Some(Highlight::Attribute)
            }
            _ => self.other(text),
        };
        self.passed(text);
        if let Some(what) = what {
            out.push((at, what));
        }
    }

    fn passed(&mut self, text: &str) {
        self.words += 1;
        text.clone_into(&mut self.last);
    }

    fn schema(&self, text: &str) -> Option<Highlight> {
        match (self.in_parens, &*self.last) {
            _ if self.words == 1 => Some(Highlight::Name),
            (true, "(" | "," | "/") => Some(Highlight::Attribute),
            (true, _) => Some(Highlight::Type),
            (false, ")") => Some(Highlight::Keyword),
            (false, _) => (text != "all").then_some(Highlight::Attribute),
        }
    }

    fn format(&self, text: &str) -> Option<Highlight> {
        match &*self.last {
            "->" => Some(Highlight::Name),
            _ if is_number(text) => Some(Highlight::Number),
            _ if attribute_type(text).is_some()
                || FORMATS.iter().any(|(format, _)| *format == text) =>
            {
                Some(Highlight::Type)
            }
            _ if text == KEY_ONLY => Some(Highlight::Keyword),
            _ if matches!(text, "to" | "places" | "skewed") => None,
            _ => Some(Highlight::Text),
        }
    }

    /// `None` for a template.
    fn key(&mut self, text: &str) -> Option<Highlight> {
        if self.in_conditions {
            return Some(match (text, &*self.last) {
                ("and" | "in" | "exists" | "missing", _) => Highlight::Keyword,
                (_, "when" | "and") => Highlight::Attribute,
                _ if is_number(text) => Highlight::Number,
                _ => Highlight::Text,
            });
        }
        self.in_conditions = text == "when";
        match text {
            "when" => Some(Highlight::Keyword),
            _ if self.words == 1 && self.first == "index" => Some(Highlight::Name),
            _ => None,
        }
    }

    /// `None` for a template.
    fn operation(&self, text: &str) -> Option<Highlight> {
        match &*self.last {
            "index" => Some(Highlight::Name),
            "limit" if is_number(text) => Some(Highlight::Number),
            _ if self.first == "PutItem" => Some(Highlight::Name),
            _ if OPERATION_WORDS.contains(&text) => Some(Highlight::Keyword),
            _ => None,
        }
    }

    fn part(&self, text: &str) -> Option<Highlight> {
        match &*self.first {
            "returns" | "writes" => Some(Highlight::Name),
            "attributes" => Some(Highlight::Attribute),
            _ if is_number(text) => Some(Highlight::Number),
            "sample" => Some(Highlight::Name),
            "skew" if self.words == 1 => Some(Highlight::Attribute),
            "parameter" if self.last == "=" => Some(Highlight::Text),
            _ => None,
        }
    }

    fn other(&self, text: &str) -> Option<Highlight> {
        let in_place = matches!(self.kind, SyntaxKind::Card | SyntaxKind::Silence);
        match text {
            _ if is_number(text) => Some(Highlight::Number),
            "color" if self.kind == SyntaxKind::Card => Some(Highlight::Keyword),
            _ if in_place && PLACE_WORDS.contains(&text) => Some(Highlight::Keyword),
            _ if in_place => Some(Highlight::Name),
            _ => None,
        }
    }

    /// The literals and placeholders of a template.
    fn template(&mut self, token: &SyntaxToken, out: &mut Vec<(Range<usize>, Highlight)>) {
        let text = token.text();
        let start = range(token).start;
        let mut push = |from: usize, to: usize, what| {
            if from < to {
                out.push((start + from..start + to, what));
            }
        };
        let mut at = 0;
        while let Some(open) = text[at..].find('{').map(|open| at + open) {
            let Some(end) = text[open..].find('}').map(|end| open + end) else {
                break;
            };
            let name_end = text[open..end].find(':').map_or(end, |colon| open + colon);
            push(at, open, Highlight::Text);
            push(open, open + 1, Highlight::Punctuation);
            push(open + 1, name_end, Highlight::Placeholder);
            push(name_end, end, Highlight::Type);
            push(end, end + 1, Highlight::Punctuation);
            at = end + 1;
        }
        push(at, text.len(), Highlight::Text);
        self.passed(text);
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
}
