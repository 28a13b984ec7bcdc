//! Reads the keys of items back: which values of an entity's attributes its templates have rendered.

use super::key_sources::{KeyTemplate, templates};
use crate::model::{
    AttributeType, Design, Entity, IndexId, KeyAttribute, KeyType, SortedMap, Value,
};
use crate::template::{
    self, Form, KeyLanguage, ParseBackError, Recovered, Shapes, Template, ValueShape,
};

/// One template of an entity, ready to parse back the values of its key attribute.
#[derive(Debug, Clone)]
pub struct KeyReader<'a> {
    /// The index whose entry has the template.
    pub index: IndexId,
    /// The key attribute.
    pub attribute: &'a KeyAttribute,
    /// The template.
    pub template: Template,
    /// `None` for a key of a type other than S, which is one placeholder.
    language: Option<KeyLanguage>,
}

/// The readers of an entity's templates, those of the primary key first. They know the types of the attributes, but
/// not their formats: items may have other values than the format allows.
pub fn key_readers<'a>(design: &'a Design, entity: &'a Entity) -> Vec<KeyReader<'a>> {
    let mut shapes = Shapes::new();
    for attribute in &entity.attributes {
        let shape = ValueShape {
            kind: attribute.kind,
            form: Form::Any,
        };
        shapes.insert(attribute.name.clone(), shape);
    }
    let reader = |key: KeyTemplate<'a>| {
        let template = template::parse(key.text).template;
        let is_text = key.attribute.kind == KeyType::S;
        KeyReader {
            index: key.index,
            attribute: key.attribute,
            language: is_text.then(|| KeyLanguage::new(&template, &shapes, &design.delimiter)),
            template,
        }
    };
    templates(design, entity).map(reader).collect()
}

impl KeyReader<'_> {
    /// The attribute values that a value of the key attribute contains.
    ///
    /// # Errors
    ///
    /// Why the template cannot have rendered the value, or why that is not known.
    pub fn read(&self, value: &Value) -> Result<SortedMap<String, Recovered>, ParseBackError> {
        let none = ParseBackError::NoMatch { fits: 0 };
        match (&self.language, value) {
            (Some(language), Value::S(text)) => language.parse_back(text),
            (None, Value::N(_) | Value::B(_))
                if value.kind() == AttributeType::from(self.attribute.kind) =>
            {
                let single = self.template.placeholders().next().ok_or(none)?;
                let recovered = Recovered {
                    text: value.to_text(),
                    exact: single.modifiers.is_empty(),
                };
                let mut found = SortedMap::new();
                found.insert(single.attribute.clone(), recovered);
                Ok(found)
            }
            _ => Err(none),
        }
    }
}

/// The values of an entity's key-only attributes in an item, parsed back from its keys. A value that no key has, or that
/// modifiers have changed, is missing.
pub fn key_only_values(
    design: &Design,
    entity: &Entity,
    get: &dyn Fn(&str) -> Option<Value>,
) -> SortedMap<String, Value> {
    let mut values = SortedMap::new();
    if !entity.attributes.iter().any(|attribute| attribute.key_only) {
        return values;
    }
    for reader in key_readers(design, entity) {
        let read = get(&reader.attribute.name).and_then(|value| reader.read(&value).ok());
        for (name, recovered) in read.into_iter().flatten() {
            let attribute = (entity.attribute(&name)).filter(|a| a.key_only && recovered.exact);
            let value = attribute.and_then(|a| Value::from_text(a.kind, &recovered.text).ok());
            if let Some(value) = value {
                values.entry(name).or_insert(value);
            }
        }
    }
    values
}
