//! What an entity's items can hold in the key attributes of the table and its indexes, without any sample: the
//! templates that write them, and what is known of the values in those.

use super::key_sources::{EmptyText, OwnAttribute, Preferred, key_source, templates};
use crate::model::{
    Attribute, AttributeType, Condition, Design, Entity, EntityId, Format, IndexId, KeyAttribute,
    KeyType, Test, Value,
};
use crate::template::{Form, KeyLanguage, Shapes, Template, ValueShape};

/// What an entity's items hold in one key attribute.
#[derive(Debug, Clone)]
pub struct KeyValues {
    /// The key attribute.
    pub attribute: KeyAttribute,
    /// The template that writes it; of a plain attribute, one placeholder.
    pub template: Template,
    /// The set of its values; `None` for a key of type N or B.
    pub language: Option<KeyLanguage>,
}

/// The templates of what an entity's items hold in the key attributes of the table or an index, partition first; `None`
/// if none of its items can be in it: see [`key_values`].
pub fn key_templates(design: &Design, entity: &Entity, index: IndexId) -> Option<Vec<Template>> {
    let mut templates = Vec::new();
    for attribute in design.key(index)?.attributes() {
        templates.push(written(design, entity, attribute)?);
    }
    Some(templates)
}

/// What an entity's items hold in the key attributes of the table or an index, partition first; `None` if none of them
/// can be in it: an attribute is neither written by a template nor one of the entity's own, or is of another type, or
/// its template has an error.
pub fn key_values(design: &Design, entity: &Entity, index: IndexId) -> Option<Vec<KeyValues>> {
    let templates = key_templates(design, entity, index)?;
    let mut values = Vec::new();
    for (attribute, template) in design.key(index)?.attributes().zip(templates) {
        values.push(values_of(design, entity, attribute, template));
    }
    Some(values)
}

/// What an entity's items hold in a key attribute that this template writes.
pub fn values_of(
    design: &Design,
    entity: &Entity,
    attribute: &KeyAttribute,
    template: Template,
) -> KeyValues {
    let language = (attribute.kind == KeyType::S).then(|| {
        let when = sole_conditions(design, entity, &attribute.name);
        let shapes = shapes(design, entity, &template).into_iter();
        let shapes = Shapes::from_iter(shapes.map(|(name, mut shape)| {
            restrict(&mut shape, entity, &name, when);
            (name, shape)
        }));
        KeyLanguage::new(&template, &shapes, &design.delimiter)
    });
    KeyValues {
        attribute: attribute.clone(),
        template,
        language,
    }
}

/// The template of the values that an entity's items have in a key attribute: that of the lowest index that writes it,
/// else one placeholder for the entity's own attribute of this name and type. `None` also if the template renders no
/// key.
pub fn written(design: &Design, entity: &Entity, attribute: &KeyAttribute) -> Option<Template> {
    let own = OwnAttribute::OfType(attribute.kind);
    let (preferred, empty) = (Preferred::Lowest, EmptyText::Counts);
    key_source(design, entity, &attribute.name, preferred, empty, own).template()
}

/// The conditions under which items have a key attribute: those of the entry whose template writes it. None if several
/// entries do, or if items store an attribute of this name: without the conditions they have that value.
pub fn sole_conditions<'a>(
    design: &'a Design,
    entity: &'a Entity,
    attribute: &str,
) -> &'a [Condition] {
    let mut all = templates(design, entity).filter(|one| one.attribute.name == attribute);
    match (all.next(), all.next()) {
        (Some(only), None) if entity.stored_attribute(attribute).is_none() => only.when,
        _ => &[],
    }
}

/// Restricts what an attribute's values look like to those that conditions ask for by `=` or `in`.
pub fn restrict(shape: &mut ValueShape, entity: &Entity, name: &str, when: &[Condition]) {
    // Conditions test what an item stores.
    if entity.is_key_only(name) {
        return;
    }
    for condition in when.iter().filter(|condition| condition.attribute == name) {
        let values = match &condition.test {
            Test::Equals(value) => std::slice::from_ref(value),
            Test::OneOf(values) => values,
            Test::NotEquals(_) | Test::Exists | Test::Missing => continue,
        };
        if values.iter().all(|value| value.kind() == shape.kind)
            && let form @ Form::OneOf(_) = one_of(values.iter())
        {
            shape.form = form;
        }
    }
}

/// What is known of the values of the attributes in a template.
pub fn shapes(design: &Design, entity: &Entity, template: &Template) -> Shapes {
    let mut shapes = Shapes::new();
    for name in template.attributes() {
        let found = match entity.attribute(name) {
            Some(attribute) => Some(shape(resolved(design, attribute))),
            None => type_shape(design, entity, name),
        };
        if let Some(found) = found {
            shapes.insert(name.to_owned(), found);
        }
    }
    shapes
}

/// The shape of the table's type attribute, if this is its name: the entity's name. For an entity without an attribute of
/// this name.
pub fn type_shape(design: &Design, entity: &Entity, name: &str) -> Option<ValueShape> {
    let is_type = design.table.is_type_attribute(name);
    is_type.then(|| ValueShape {
        kind: AttributeType::S,
        form: Form::OneOf(vec![entity.name.clone()]),
    })
}

/// Most references that are followed one after the other.
const MAX_REFERENCES: usize = 8;

/// The attribute at the end of an attribute's references; adds the entities on the way to `seen`. `None` if they lead
/// nowhere.
pub fn referred<'a>(
    design: &'a Design,
    attribute: &'a Attribute,
    seen: &mut Vec<EntityId>,
) -> Option<&'a Attribute> {
    let mut at = attribute;
    for _ in 0..MAX_REFERENCES {
        let Some(Format::Reference {
            entity, attribute, ..
        }) = &at.format
        else {
            return Some(at);
        };
        if !seen.contains(entity) {
            seen.push(*entity);
        }
        at = design.entities.get(entity)?.attribute(attribute)?;
    }
    None
}

/// Returns the attribute that determines the form of the values: the one that a reference points to, or itself.
pub fn resolved<'a>(design: &'a Design, attribute: &'a Attribute) -> &'a Attribute {
    of_same_type(attribute, referred(design, attribute, &mut Vec::new()))
}

/// What an attribute refers to, if that has its type; else itself.
pub fn of_same_type<'a>(
    attribute: &'a Attribute,
    referred: Option<&'a Attribute>,
) -> &'a Attribute {
    let fits = referred.filter(|other| other.kind == attribute.kind);
    fits.unwrap_or(attribute)
}

/// What an attribute's values look like; of a format that allows any text, or does not go with its type, its type.
pub fn shape(attribute: &Attribute) -> ValueShape {
    let is_text = attribute.kind == AttributeType::S;
    let form = match &attribute.format {
        Some(Format::Ulid) if is_text => Form::Ulid,
        Some(Format::Uuid) if is_text => Form::Uuid,
        Some(Format::Date { .. }) if is_text => Form::Date,
        Some(Format::Timestamp { .. }) if is_text => Form::Timestamp,
        Some(Format::Integer { min, max }) if min <= max => Form::Integer {
            min: *min,
            max: *max,
        },
        Some(Format::OneOf(choices)) => one_of(choices.iter().map(|choice| &choice.value)),
        Some(Format::Constant(value)) => one_of(std::iter::once(value)),
        _ => Form::Any,
    };
    ValueShape {
        kind: attribute.kind,
        form,
    }
}

/// These values, if all of them are text or numbers.
fn one_of<'a>(values: impl Iterator<Item = &'a Value>) -> Form {
    let texts: Option<Vec<String>> = values
        .map(|value| match value {
            Value::S(text) => Some(text.clone()),
            Value::N(number) => Some(number.to_string()),
            _ => None,
        })
        .collect();
    match texts {
        Some(texts) if !texts.is_empty() => Form::OneOf(texts),
        _ => Form::Any,
    }
}
