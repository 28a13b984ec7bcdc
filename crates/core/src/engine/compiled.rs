//! Key templates, compiled: their parts between delimiters and the set of keys that they can render.

use crate::model::{AttributeType, DelimiterPolicy};
use crate::template::{
    self, Form, KeyLanguage, Modifier, Placeholder, Segment, Shapes, Template, TemplateError,
    ValueShape,
};
use std::sync::{Arc, OnceLock};

/// A key template and what it can render. The set of its keys, which is costly, is made on first use.
#[derive(Debug)]
pub struct Compiled {
    /// As it was typed.
    pub text: String,
    /// Its parts.
    pub template: Template,
    /// What is wrong with the text.
    pub errors: Vec<TemplateError>,
    /// What its placeholders can hold.
    pub shapes: Shapes,
    /// The text before the first placeholder.
    pub head: String,
    /// Its parts between delimiters; `None` if values can contain the delimiter.
    pub parts: Option<Vec<Part>>,
    policy: Arc<DelimiterPolicy>,
    language: OnceLock<KeyLanguage>,
}

/// What stands between two delimiters.
#[derive(Debug, PartialEq)]
pub enum Part {
    /// Always this text.
    Text(String),
    /// One placeholder.
    Value {
        /// What it can hold, before its modifiers.
        shape: ValueShape,
        /// Its modifiers.
        modifiers: Vec<Modifier>,
        /// Whether it can be any text without a delimiter.
        open: bool,
        /// Whether there certainly is some text that it can be.
        filled: bool,
    },
    /// Text and placeholders.
    Mixed,
}

impl Compiled {
    /// The template of a text whose placeholders hold what `shape` says.
    pub fn new(
        text: &str,
        policy: &Arc<DelimiterPolicy>,
        shape: &dyn Fn(&str) -> Option<ValueShape>,
    ) -> Compiled {
        let parsed = template::parse(text);
        let mut shapes = Shapes::new();
        for name in parsed.template.attributes() {
            if let Some(shape) = shape(name) {
                shapes.insert(name.to_owned(), shape);
            }
        }
        Compiled {
            text: text.to_owned(),
            head: parsed.template.leading_literal().to_owned(),
            parts: parts(&parsed.template, &shapes, policy),
            template: parsed.template,
            errors: parsed.errors,
            shapes,
            policy: policy.clone(),
            language: OnceLock::new(),
        }
    }

    /// Returns all keys that it can render, computed on first use.
    pub fn language(&self) -> &KeyLanguage {
        (self.language).get_or_init(|| KeyLanguage::new(&self.template, &self.shapes, &self.policy))
    }

    /// Whether it has errors or nothing in it, and so renders no key.
    pub fn is_broken(&self) -> bool {
        !self.errors.is_empty() || self.template.segments.is_empty()
    }

    /// What a placeholder can hold, before its modifiers; `None`: nothing is known.
    pub fn shape(&self, placeholder: &Placeholder) -> Option<&ValueShape> {
        self.shapes.get(&placeholder.attribute)
    }
}

/// The parts of a template between delimiters, if no value can contain one.
fn parts(template: &Template, shapes: &Shapes, policy: &DelimiterPolicy) -> Option<Vec<Part>> {
    let delimiter = policy.delimiter.as_str();
    // A longer delimiter could begin in a value and end in a literal.
    if delimiter.chars().count() != 1 || template.is_broken() || template.is_single_placeholder() {
        return None;
    }
    let mut parts = vec![Part::Text(String::new())];
    let join = |parts: &mut Vec<Part>, more: Part| {
        let last = parts.pop().unwrap_or(Part::Mixed);
        parts.push(match (last, more) {
            (Part::Text(text), more) if text.is_empty() => more,
            (Part::Text(text), Part::Text(more)) => Part::Text(text + &more),
            (last, Part::Text(more)) if more.is_empty() => last,
            _ => Part::Mixed,
        });
    };
    for segment in &template.segments {
        match segment {
            Segment::Literal { text, .. } => {
                for (number, piece) in text.split(delimiter).enumerate() {
                    if number > 0 {
                        parts.push(Part::Text(String::new()));
                    }
                    join(&mut parts, Part::Text(piece.to_owned()));
                }
            }
            Segment::Placeholder(placeholder) => {
                let shape = shapes.get(&placeholder.attribute).cloned();
                let shape = shape.unwrap_or_default();
                let plain = placeholder.modifiers.is_empty();
                let open = plain && shape == ValueShape::default();
                let filled = is_filled(&shape, &placeholder.modifiers, delimiter);
                let modifiers = placeholder.modifiers.clone();
                let value = Part::Value {
                    shape,
                    modifiers,
                    open,
                    filled,
                };
                join(&mut parts, value);
            }
            Segment::Broken { .. } => return None,
        }
    }
    Some(parts)
}

/// Whether there certainly is some text that such a placeholder can be.
fn is_filled(shape: &ValueShape, modifiers: &[Modifier], delimiter: &str) -> bool {
    // None of these is in an id, a time or a number.
    let apart = matches!(delimiter, "#" | "|" | "/" | "~" | "@" | "!" | "$" | "&");
    if shape.kind != AttributeType::S || !apart {
        return modifiers.is_empty() && *shape == ValueShape::default();
    }
    modifiers
        .iter()
        .all(|modifier| match (modifier, &shape.form) {
            (Modifier::Date | Modifier::Month | Modifier::Year, form) => {
                matches!(form, Form::Date | Form::Timestamp) && modifiers.len() == 1
            }
            (Modifier::Pad(_) | Modifier::PadDecimal { .. } | Modifier::Desc(_), _) => false,
            (Modifier::Lower | Modifier::Upper | Modifier::First(_) | Modifier::Shard(_), _) => {
                true
            }
        })
        && match &shape.form {
            Form::Any | Form::Ulid | Form::Uuid | Form::Date | Form::Timestamp => true,
            Form::OneOf(texts) => (texts.iter()).any(|t| !t.is_empty() && !t.contains(delimiter)),
            _ => false,
        }
}
