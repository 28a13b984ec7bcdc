//! Parses a template's text. Every text gives a template, plus errors where it is invalid.
//!
//! `{attribute}` and `{attribute:modifier|modifier}` are placeholders, `{{` and `}}` are braces, all else is literal
//! text. `${attribute}` and `<attribute>` are also placeholders; between `<` and `>` only a name of letters, digits,
//! `_`, `-` and `.` counts, so that a single `<` is literal.

use super::ast::{Parsed, Placeholder, Segment, Template, TemplateError};
use super::modifier::Modifier;
use std::ops::Range;

/// Parses a template's text. Never fails: an invalid part becomes a [`Segment::Broken`] and an error with its place.
///
/// # Example
///
/// ```
/// use keyfold_core::template::parse;
///
/// let parsed = parse("USER#{userId:lower");
/// assert!(parsed.template.is_broken());
/// assert_eq!(parsed.errors[0].span, 5..18);
/// ```
pub fn parse(text: &str) -> Parsed {
    let mut parser = Parser {
        text,
        at: 0,
        literal: String::new(),
        literal_start: 0,
        out: Parsed::default(),
    };
    while parser.at < text.len() {
        parser.step();
    }
    parser.end_literal(text.len());
    parser.out
}

struct Parser<'a> {
    text: &'a str,
    /// Current position, in bytes.
    at: usize,
    /// The literal text collected so far, and where it starts.
    literal: String,
    literal_start: usize,
    out: Parsed,
}

impl Parser<'_> {
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        if rest.starts_with("{{") || rest.starts_with("}}") {
            self.literal.push_str(&rest[..1]);
            self.at += 2;
        } else if rest.starts_with('{') {
            self.braced(1);
        } else if rest.starts_with("${") && !rest.starts_with("${{") {
            self.braced(2);
        } else if rest.starts_with('}') {
            let span = self.at..self.at + 1;
            self.error(
                span.clone(),
                "this } has no opening brace: write }} for a brace in the key".to_owned(),
            );
            self.broken(span);
        } else if let Some(length) = angle_length(rest) {
            self.placeholder(self.at..self.at + length, self.at + 1..self.at + length - 1);
        } else {
            let first = rest.chars().next().map_or(1, char::len_utf8);
            // All ASCII, so comparing bytes is enough, and several times faster than characters.
            let length = (rest.bytes().skip(first))
                .position(|byte| matches!(byte, b'{' | b'}' | b'$' | b'<'))
                .map_or(rest.len(), |found| first + found);
            self.literal.push_str(&rest[..length]);
            self.at += length;
        }
    }

    /// A placeholder in braces, opened by `opening` bytes.
    fn braced(&mut self, opening: usize) {
        let inside = self.at + opening;
        let end = (self.text.bytes().skip(inside))
            .position(|byte| matches!(byte, b'{' | b'}'))
            .map_or(self.text.len(), |found| inside + found);
        if self.text[end..].starts_with('}') {
            self.placeholder(self.at..end + 1, inside..end);
        } else {
            let span = self.at..end;
            self.error(
                span.clone(),
                "this placeholder is not closed: add }, or write {{ for a brace in the key"
                    .to_owned(),
            );
            self.broken(span);
        }
    }

    /// A placeholder at `span` with name and modifiers at `inside`.
    fn placeholder(&mut self, span: Range<usize>, inside: Range<usize>) {
        let errors_before = self.out.errors.len();
        let content = &self.text[inside.clone()];
        let (name, modifiers_text) = match content.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (content, None),
        };
        let attribute = name.trim();
        let name_span = inside.start..inside.start + name.len();
        if attribute.is_empty() {
            self.error(
                span.clone(),
                "enter an attribute name between the braces, like {userId}".to_owned(),
            );
        } else if attribute.contains('|') {
            self.error(
                name_span.clone(),
                "write modifiers after a colon, like {userId:lower|first(3)}".to_owned(),
            );
        }
        let mut modifiers = Vec::new();
        let mut start = name_span.end + 1;
        for text in modifiers_text.into_iter().flat_map(|rest| rest.split('|')) {
            match Modifier::parse(text.trim()) {
                Ok(modifier) => modifiers.push(modifier),
                Err(message) => {
                    let trimmed = start + (text.len() - text.trim_start().len());
                    self.error(trimmed..trimmed + text.trim().len(), message);
                }
            }
            start += text.len() + 1;
        }
        if self.out.errors.len() > errors_before {
            self.broken(span);
        } else {
            let placeholder = Placeholder {
                attribute: attribute.to_owned(),
                modifiers,
                span: span.clone(),
            };
            self.push(Segment::Placeholder(placeholder), span);
        }
    }

    fn error(&mut self, span: Range<usize>, message: String) {
        self.out.errors.push(TemplateError { span, message });
    }

    fn broken(&mut self, span: Range<usize>) {
        let text = self.text[span.clone()].to_owned();
        self.push(
            Segment::Broken {
                text,
                span: span.clone(),
            },
            span,
        );
    }

    fn push(&mut self, segment: Segment, span: Range<usize>) {
        self.end_literal(span.start);
        self.out.template.segments.push(segment);
        self.at = span.end;
        self.literal_start = span.end;
    }

    fn end_literal(&mut self, end: usize) {
        if !self.literal.is_empty() {
            let text = std::mem::take(&mut self.literal);
            self.out.template.segments.push(Segment::Literal {
                text,
                span: self.literal_start..end,
            });
        }
    }
}

/// Length in bytes of `<attribute>` or `<attribute:modifiers>` at the start of the text.
fn angle_length(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('<')?;
    let name = inside.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))?;
    let length = match &inside[name..] {
        rest if rest.starts_with('>') => name,
        rest if rest.starts_with(':') => {
            name + rest.find(|c: char| {
                !(c.is_ascii_alphanumeric() || matches!(c, ':' | '(' | ')' | ',' | '|' | ' '))
            })?
        }
        _ => return None,
    };
    (name > 0 && inside[length..].starts_with('>')).then_some(length + 2)
}

impl From<&str> for Template {
    /// Parses a text and drops the errors: for texts known to be valid, and for tests.
    fn from(text: &str) -> Self {
        parse(text).template
    }
}
