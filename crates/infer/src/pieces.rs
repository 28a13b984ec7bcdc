//! Key templates as they are found: pieces of literal text and values, and the text of the template.

use keyfold_core::template::{Modifier, Segment, Template, parse};

/// A piece of a key template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Literal(String),
    Value {
        attribute: String,
        modifiers: Vec<Modifier>,
    },
}

impl Piece {
    pub fn value(attribute: &str) -> Piece {
        Piece::Value {
            attribute: attribute.to_owned(),
            modifiers: Vec::new(),
        }
    }
}

/// A key template: its text, and the same parsed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KeyTemplate {
    pub text: String,
    pub parsed: Template,
}

impl KeyTemplate {
    /// The template of these pieces; `None` if no template can say the same, for example because a literal looks like a
    /// placeholder.
    pub fn new(pieces: &[Piece]) -> Option<KeyTemplate> {
        let mut text = String::new();
        let mut wanted: Vec<Piece> = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Literal(literal) => {
                    text.push_str(&literal.replace('{', "{{").replace('}', "}}"));
                    match wanted.last_mut() {
                        Some(Piece::Literal(before)) => before.push_str(literal),
                        _ if literal.is_empty() => {}
                        _ => wanted.push(piece.clone()),
                    }
                }
                Piece::Value {
                    attribute,
                    modifiers,
                } => {
                    // `${a}` would swallow the dollar sign.
                    if text.ends_with('$') {
                        text.push('$');
                    }
                    text.push('{');
                    text.push_str(attribute);
                    let mut separator = ':';
                    for modifier in modifiers {
                        text.push(separator);
                        text.push_str(&modifier.to_string());
                        separator = '|';
                    }
                    text.push('}');
                    wanted.push(piece.clone());
                }
            }
        }
        let template = KeyTemplate::read(&text)?;
        let read = template
            .parsed
            .segments
            .iter()
            .map(|segment| match segment {
                Segment::Literal { text, .. } | Segment::Broken { text, .. } => {
                    Piece::Literal(text.clone())
                }
                Segment::Placeholder(placeholder) => Piece::Value {
                    attribute: placeholder.attribute.clone(),
                    modifiers: placeholder.modifiers.clone(),
                },
            });
        read.eq(wanted).then_some(template)
    }

    /// The template of this text; `None` if it has an error or is empty.
    pub fn read(text: &str) -> Option<KeyTemplate> {
        let parsed = parse(text);
        (parsed.errors.is_empty() && !text.is_empty()).then(|| KeyTemplate {
            text: text.to_owned(),
            parsed: parsed.template,
        })
    }

    /// The template with another name for a value.
    pub fn renamed(&self, old: &str, new: &str) -> Option<KeyTemplate> {
        let pieces = self.parsed.segments.iter().map(|segment| match segment {
            Segment::Literal { text, .. } | Segment::Broken { text, .. } => {
                Piece::Literal(text.clone())
            }
            Segment::Placeholder(placeholder) => Piece::Value {
                attribute: match placeholder.attribute == old {
                    true => new.to_owned(),
                    false => placeholder.attribute.clone(),
                },
                modifiers: placeholder.modifiers.clone(),
            },
        });
        KeyTemplate::new(&pieces.collect::<Vec<_>>())
    }

    /// The literal text that the template starts with.
    pub fn prefix(&self) -> &str {
        match self.parsed.segments.first() {
            Some(Segment::Literal { text, .. }) => text,
            _ => "",
        }
    }

    /// The literals, without delimiters around them.
    pub fn literals(&self, delimiter: &str) -> Vec<&str> {
        let literals = self
            .parsed
            .segments
            .iter()
            .filter_map(|segment| match segment {
                Segment::Literal { text, .. } => Some(text.as_str()),
                _ => None,
            });
        literals
            .flat_map(|text| text.split(delimiter))
            .filter(|part| !part.is_empty())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_says_what_its_pieces_say_or_is_none() {
        let text = |pieces: &[Piece]| KeyTemplate::new(pieces).map(|template| template.text);
        let literal = |text: &str| Piece::Literal(text.to_owned());
        let id = Piece::value("id");
        assert_eq!(
            text(&[literal("A#"), id.clone()]).as_deref(),
            Some("A#{id}")
        );
        assert_eq!(
            text(&[literal("{x}$"), id.clone()]).as_deref(),
            Some("{{x}}$${id}")
        );
        assert_eq!(text(&[literal("<name>"), id]), None);
        assert_eq!(text(&[]), None);
    }
}
