//! The parts of a template and its canonical text.

use super::modifier::Modifier;
use super::parse::parse;
use std::fmt;
use std::ops::Range;

/// A key template. The spans of its segments are contiguous and cover the text it was parsed from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    /// The segments in text order. No two literals are adjacent; none is empty.
    pub segments: Vec<Segment>,
}

/// A part of a template. Spans are byte ranges of the text it was parsed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Literal text that is in every key.
    Literal {
        /// The text as it appears in a key, with `{{` and `}}` unescaped.
        text: String,
        /// Its byte range.
        span: Range<usize>,
    },
    /// A placeholder for an attribute's value.
    Placeholder(Placeholder),
    /// An invalid placeholder. The template cannot be rendered.
    Broken {
        /// The text exactly as written.
        text: String,
        /// Its byte range.
        span: Range<usize>,
    },
}

/// A placeholder for an attribute's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The attribute's name, never empty.
    pub attribute: String,
    /// The modifiers, applied from first to last.
    pub modifiers: Vec<Modifier>,
    /// Byte range of the placeholder, braces included.
    pub span: Range<usize>,
}

/// An error in a template's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// Byte range of the error.
    pub span: Range<usize>,
    /// What is wrong and what to write instead.
    pub message: String,
}

/// The result of [`parse`]: always a template, plus its errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The template. Each error has a [`Segment::Broken`].
    pub template: Template,
    /// The errors in text order; empty if and only if no segment is broken.
    pub errors: Vec<TemplateError>,
}

impl Segment {
    /// The byte range that the segment was parsed from.
    pub fn span(&self) -> Range<usize> {
        match self {
            Self::Literal { span, .. } | Self::Broken { span, .. } => span.clone(),
            Self::Placeholder(placeholder) => placeholder.span.clone(),
        }
    }
}

impl Template {
    /// The placeholders in order. An attribute may occur more than once.
    pub fn placeholders(&self) -> impl Iterator<Item = &Placeholder> {
        self.segments.iter().filter_map(|segment| match segment {
            Segment::Placeholder(placeholder) => Some(placeholder),
            _ => None,
        })
    }

    /// The attribute names of the placeholders in order. A name may occur more than once.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.placeholders()
            .map(|placeholder| placeholder.attribute.as_str())
    }

    /// Whether a placeholder uses the attribute.
    pub fn uses(&self, attribute: &str) -> bool {
        self.attributes().any(|name| name == attribute)
    }

    /// Whether the template consists of exactly one placeholder.
    pub fn is_single_placeholder(&self) -> bool {
        matches!(self.segments.as_slice(), [Segment::Placeholder(_)])
    }

    /// Whether the template is only literal text, so that every item renders the same key.
    pub fn is_static(&self) -> bool {
        matches!(self.segments.as_slice(), [Segment::Literal { .. }])
    }

    /// Whether a segment is broken, so that nothing can be rendered.
    pub fn is_broken(&self) -> bool {
        self.segments
            .iter()
            .any(|segment| matches!(segment, Segment::Broken { .. }))
    }

    /// The literal text before the first placeholder; may be empty.
    pub fn leading_literal(&self) -> &str {
        match self.segments.first() {
            Some(Segment::Literal { text, .. }) => text,
            _ => "",
        }
    }

    /// Renames an attribute in all placeholders and returns how many changed. Spans then refer to the canonical text
    /// (`to_string`). Broken segments keep their text.
    ///
    /// # Errors
    ///
    /// If no placeholder can hold the new name. The template is then unchanged.
    pub fn rename_attribute(&mut self, old: &str, new: &str) -> Result<usize, String> {
        if !can_be_placeholder(new) {
            return Err(format!(
                "`{new}` cannot be used in a template: remove {{, }}, : and | from the name"
            ));
        }
        let mut renamed = 0;
        for segment in &mut self.segments {
            if let Segment::Placeholder(placeholder) = segment
                && placeholder.attribute == old
            {
                placeholder.attribute = new.to_owned();
                renamed += 1;
            }
        }
        if renamed > 0 {
            *self = parse(&self.to_string()).template;
        }
        Ok(renamed)
    }
}

/// Whether a template can refer to the attribute: the name is not empty, does not start or end with white space, and
/// does not contain `{`, `}`, `:` or `|`.
pub(super) fn can_be_placeholder(name: &str) -> bool {
    !name.is_empty() && name.trim() == name && !name.contains(['{', '}', ':', '|'])
}

/// Writes the canonical text: placeholders as `{attribute:modifier|modifier}`, braces in literals doubled, broken
/// segments as written. Parsing it gives the same segments.
impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut after_dollar = false;
        for segment in &self.segments {
            match segment {
                Segment::Literal { text, .. } => write_literal(f, text)?,
                Segment::Broken { text, .. } => f.write_str(text)?,
                Segment::Placeholder(placeholder) => {
                    // `${a}` would swallow the literal's dollar sign, so the placeholder gets its own.
                    f.write_str(if after_dollar { "$" } else { "" })?;
                    placeholder.fmt(f)?;
                }
            }
            after_dollar = matches!(segment, Segment::Literal { text, .. } if text.ends_with('$'));
        }
        Ok(())
    }
}

fn write_literal(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    for part in text.split_inclusive(['{', '}']) {
        f.write_str(part)?;
        match part.as_bytes().last() {
            Some(b'{') => f.write_str("{")?,
            Some(b'}') => f.write_str("}")?,
            _ => {}
        }
    }
    Ok(())
}

/// Writes the canonical form: `{attribute:modifier|modifier}`.
impl fmt::Display for Placeholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}", self.attribute)?;
        for (i, modifier) in self.modifiers.iter().enumerate() {
            write!(f, "{}{modifier}", if i == 0 { ':' } else { '|' })?;
        }
        f.write_str("}")
    }
}
