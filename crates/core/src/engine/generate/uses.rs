//! How an entity's keys use its attributes, and which attributes a row of it needs.

use super::guess;
use crate::engine::key_sources::{
    EmptyText, KeySource, KeyTemplate, OwnAttribute, Preferred, has_template, key_source,
    templates, templates_in,
};
use crate::model::{
    Attribute, AttributeId, AttributeType, Design, Entity, EntityId, Format, IndexId, OnDelimiter,
};
use crate::template::{self, Modifier};

/// What the keys of an entity do with one of its attributes.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Uses {
    /// The modifiers of the placeholders that name it.
    pub modifiers: Vec<Modifier>,
    /// Whether a key is made of it.
    pub in_key: bool,
    /// Whether the primary key is.
    pub in_primary: bool,
    /// Whether the delimiter must not stand in it.
    pub delimited: bool,
    /// The type that a key gives it, where it stands alone in one.
    pub kind: Option<AttributeType>,
}

/// An attribute of a row that is to be generated.
#[derive(Debug, Clone)]
pub(super) struct Needed {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: AttributeType,
    /// Its format: its own, or a guess.
    pub format: Option<Format>,
    /// Whether the format is its author's.
    pub said: bool,
    /// Whether every row has it.
    pub required: bool,
    /// What the keys do with it.
    pub uses: Uses,
}

/// The attributes that rows of an entity have: those that it declares, and those that its templates name besides; not
/// those that templates write, nor the type attribute.
pub(super) fn needed(design: &Design, id: EntityId) -> Vec<Needed> {
    let Some(entity) = design.entities.get(&id) else {
        return Vec::new();
    };
    let mut declared: Vec<Attribute> = entity.attributes.clone();
    let mut add = |name: &str, kind: AttributeType| {
        if declared.iter().all(|attribute| attribute.name != name) {
            declared.push(Attribute::new(AttributeId(0), name, kind));
        }
    };
    for (index, entry) in &entity.keys {
        for KeyTemplate {
            text, attribute, ..
        } in templates_in(design, entity, *index)
        {
            let single = template::parse(text).template.is_single_placeholder();
            for name in placeholders(text) {
                add(
                    &name,
                    if single {
                        attribute.kind.into()
                    } else {
                        AttributeType::S
                    },
                );
            }
        }
        for condition in &entry.when {
            add(&condition.attribute, AttributeType::S);
        }
        // Plain attributes that an index which the entity is in has as its key.
        for key in design
            .key(*index)
            .into_iter()
            .flat_map(|key| key.attributes())
        {
            if !index.is_primary() {
                add(&key.name, key.kind.into());
            }
        }
    }
    declared.retain(|attribute| {
        let name = &attribute.name;
        let is_written =
            has_template(design, entity, name) && !of_attribute(design, entity, name).in_key;
        !is_written && design.table.type_attribute.as_ref() != Some(name)
    });
    let needed = declared.into_iter().map(|mut attribute| {
        let uses = of_attribute(design, entity, &attribute.name);
        attribute.kind = uses.kind.unwrap_or(attribute.kind);
        Needed {
            format: (attribute.format.clone())
                .or_else(|| guess::guess_used(design, id, entity, &attribute, &uses)),
            said: attribute.format.is_some(),
            kind: attribute.kind,
            required: attribute.required || uses.in_primary,
            name: attribute.name,
            uses,
        }
    });
    needed.collect()
}

/// What the keys of an entity do with the attribute of this name.
pub(super) fn of_attribute(design: &Design, entity: &Entity, name: &str) -> Uses {
    let mut uses = Uses::default();
    let mut written = false;
    let rejects = design.delimiter.on_conflict == OnDelimiter::Reject;
    for key in templates(design, entity) {
        let template = template::parse(key.text).template;
        written |= key.attribute.name == name;
        for placeholder in template.placeholders() {
            if placeholder.attribute != name {
                continue;
            }
            uses.modifiers.extend(&placeholder.modifiers);
            uses.in_key = true;
            uses.in_primary |= key.index.is_primary();
            uses.delimited |= rejects && !template.is_single_placeholder();
        }
    }
    // An attribute that is a key itself has the key's type, in whichever index.
    for index in design.index_ids().filter(|_| !written) {
        let Some(key) = design.key(index) else {
            continue;
        };
        if let Some(key) = key.attributes().find(|key| key.name == name) {
            uses.kind = Some(key.kind.into());
            uses.in_key = true;
            uses.in_primary |= index.is_primary();
        }
    }
    uses
}

/// Why rows of the entity cannot be stored, whatever their values: nothing writes its primary key, or a template with an
/// error does.
pub fn obstacle(design: &Design, id: EntityId) -> Option<String> {
    let entity = design.entities.get(&id)?;
    for key in design.table.key.attributes() {
        let (preferred, empty) = (Preferred::Index(IndexId::PRIMARY), EmptyText::Counts);
        let own = OwnAttribute::OfAnyType;
        match key_source(design, entity, &key.name, preferred, empty, own) {
            KeySource::Attribute(_) => {}
            KeySource::Nothing => {
                return Some(format!(
                    "{} has no template for `{}`, which the primary key of every item needs",
                    entity.name, key.name
                ));
            }
            KeySource::Template(KeyTemplate { text, .. }) => {
                if let Some(error) = template::parse(text).errors.first() {
                    return Some(format!(
                        "{}: the template `{text}` of `{}` has an error: {}",
                        entity.name, key.name, error.message
                    ));
                }
            }
        }
    }
    None
}

/// The attributes that a template names.
pub(super) fn placeholders(text: &str) -> Vec<String> {
    let template = template::parse(text).template;
    template.attributes().map(str::to_owned).collect()
}
