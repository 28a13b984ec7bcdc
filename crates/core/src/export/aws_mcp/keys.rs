//! Keys of access patterns: what they put in the place of the attributes of an entity's templates.

use super::entity::Shown;
use crate::model::{IndexId, ItemKey};
use crate::template::{Segment, Template, parse};

/// For attributes of an entity, in the order of its templates, the parameter of the pattern that is their value.
#[derive(Debug, Clone, Default)]
pub struct Values(Vec<(String, String)>);

impl Values {
    /// The attributes and parameters.
    pub fn iter(&self) -> impl Iterator<Item = &(String, String)> {
        self.0.iter()
    }

    /// The number of attributes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the attribute has a value.
    pub fn has(&self, attribute: &str) -> bool {
        self.0.iter().any(|(other, _)| other == attribute)
    }

    /// Adds the values of the placeholders of a text that is the entity's template but for their names. Returns whether
    /// it is.
    pub fn add(&mut self, template: &Template, text: &str) -> bool {
        let text = parse(text).template;
        text.segments.len() == template.segments.len() && self.add_start(template, &text)
    }

    /// Like [`add`](Self::add), for the template up to one of its placeholders.
    pub fn add_prefix(&mut self, template: &Template, text: &str) -> bool {
        let text = parse(text).template;
        let next = template.segments.get(text.segments.len());
        let is_prefix = matches!(next, Some(Segment::Placeholder(_)));
        (is_prefix || template.is_static()) && self.add_start(template, &text)
    }

    fn add_start(&mut self, template: &Template, text: &Template) -> bool {
        let mut values = self.clone();
        let pairs = template.segments.iter().zip(&text.segments);
        for pair in pairs {
            let is_same = match pair {
                (Segment::Literal { text: ours, .. }, Segment::Literal { text: theirs, .. }) => {
                    ours == theirs
                }
                (Segment::Placeholder(ours), Segment::Placeholder(theirs)) => {
                    ours.modifiers == theirs.modifiers
                        && values.set(&ours.attribute, &theirs.attribute)
                }
                _ => false,
            };
            if !is_same {
                return false;
            }
        }
        let is_start = text.segments.len() <= template.segments.len();
        if is_start {
            *self = values;
        }
        is_start
    }

    /// Returns whether the attribute has no other value.
    fn set(&mut self, attribute: &str, parameter: &str) -> bool {
        let known = self.0.iter().find(|(other, _)| other == attribute);
        match known {
            Some((_, known)) => known == parameter,
            None => {
                self.0.push((attribute.to_owned(), parameter.to_owned()));
                true
            }
        }
    }
}

/// The values in a primary key, or why the entity has no such key.
pub fn of_item(shown: &Shown, key: &ItemKey) -> Result<Values, String> {
    let mut values = Values::default();
    let own = shown.key(IndexId::PRIMARY);
    let sides = [
        (own.map(|own| &own.partition), Some(&key.partition)),
        (own.map(|own| &own.sort), key.sort.as_ref()),
    ];
    for (templates, text) in sides {
        let is_same = match (templates.and_then(|templates| templates.first()), text) {
            (Some(template), Some(text)) => values.add(template, text),
            (None, None) => true,
            _ => false,
        };
        if !is_same {
            return Err(format!("its key is not that of {}", shown.entity.name));
        }
    }
    Ok(values)
}
