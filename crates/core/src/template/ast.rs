//! What a template consists of, and how it is written.

use super::modifier::Modifier;
use super::parse::parse;
use std::fmt;
use std::ops::Range;

/// A key template. Its segments' spans are contiguous and cover the text it was parsed from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    /// The segments, in the order of the text. No two literals are neighbours; none is empty.
    pub segments: Vec<Segment>,
}

/// A part of a template. Spans are byte ranges of the text it was parsed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Text that stands in every key.
    Literal {
        /// The text as it appears in a key, with `{{` and `}}` already turned into braces.
        text: String,
        /// Where it stands.
        span: Range<usize>,
    },
    /// The place of an attribute's value.
    Placeholder(Placeholder),
    /// Something that was meant as a placeholder and has an error; the template cannot be rendered.
    Broken {
        /// The text exactly as written.
        text: String,
        /// Where it stands.
        span: Range<usize>,
    },
}

/// The place of an attribute's value in a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// The attribute's name, never empty.
    pub attribute: String,
    /// What is done with the value, first to last.
    pub modifiers: Vec<Modifier>,
    /// Where the placeholder stands, braces included.
    pub span: Range<usize>,
}

/// A mistake in a template's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// The bytes of the text that are wrong.
    pub span: Range<usize>,
    /// What is wrong and what to write instead.
    pub message: String,
}

/// What [`parse`] returns: always a template, and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The template; it has a [`Segment::Broken`] where there is an error.
    pub template: Template,
    /// The errors, in the order of the text. Empty exactly when no segment is broken.
    pub errors: Vec<TemplateError>,
}

impl Segment {
    /// The bytes of the text that the segment was parsed from.
    pub fn span(&self) -> Range<usize> {
        match self {
            Self::Literal { span, .. } | Self::Broken { span, .. } => span.clone(),
            Self::Placeholder(placeholder) => placeholder.span.clone(),
        }
    }
}

impl Template {
    /// The placeholders, in order; the same attribute may come more than once.
    pub fn placeholders(&self) -> impl Iterator<Item = &Placeholder> {
        self.segments.iter().filter_map(|segment| match segment {
            Segment::Placeholder(placeholder) => Some(placeholder),
            _ => None,
        })
    }

    /// The names of the placeholders' attributes, in order; the same name may come more than once.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.placeholders()
            .map(|placeholder| placeholder.attribute.as_str())
    }

    /// Whether a placeholder names the attribute.
    pub fn uses(&self, attribute: &str) -> bool {
        self.attributes().any(|name| name == attribute)
    }

    /// Whether the template is one placeholder and nothing else.
    pub fn is_single_placeholder(&self) -> bool {
        matches!(self.segments.as_slice(), [Segment::Placeholder(_)])
    }

    /// Whether the template is literal text only, so that every item renders the same key.
    pub fn is_static(&self) -> bool {
        matches!(self.segments.as_slice(), [Segment::Literal { .. }])
    }

    /// Whether a segment is broken, so that nothing can be rendered.
    pub fn is_broken(&self) -> bool {
        self.segments
            .iter()
            .any(|segment| matches!(segment, Segment::Broken { .. }))
    }

    /// The literal text before the first placeholder, or an empty text.
    pub fn leading_literal(&self) -> &str {
        match self.segments.first() {
            Some(Segment::Literal { text, .. }) => text,
            _ => "",
        }
    }

    /// Renames an attribute in all placeholders and returns how many there were. Spans then refer to the
    /// canonical text ([`Template::to_string`]). Broken segments keep their text.
    /// An error if no placeholder can hold the new name; nothing is changed then.
    pub fn rename_attribute(&mut self, old: &str, new: &str) -> Result<usize, String> {
        if !can_be_placeholder(new) {
            return Err(format!(
                "`{new}` cannot stand in a template: a name there has none of {{ }} : | in it"
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

/// Whether a template can name the attribute: the name is not empty, neither begins nor ends with white space, and
/// has none of `{`, `}`, `:`, `|`.
pub(super) fn can_be_placeholder(name: &str) -> bool {
    !name.is_empty() && name.trim() == name && !name.contains(['{', '}', ':', '|'])
}

/// The canonical text: every placeholder as `{attribute:modifier|modifier}`, braces in literals doubled, broken
/// segments as written. Parsing it gives the same segments.
impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut after_dollar = false;
        for segment in &self.segments {
            match segment {
                Segment::Literal { text, .. } => write_literal(f, text)?,
                Segment::Broken { text, .. } => f.write_str(text)?,
                Segment::Placeholder(placeholder) => {
                    // `${a}` would swallow the dollar of the literal, so the placeholder brings one of its own.
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

/// The placeholder in its canonical form: `{attribute:modifier|modifier}`.
impl fmt::Display for Placeholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}", self.attribute)?;
        for (i, modifier) in self.modifiers.iter().enumerate() {
            write!(f, "{}{modifier}", if i == 0 { ':' } else { '|' })?;
        }
        f.write_str("}")
    }
}
