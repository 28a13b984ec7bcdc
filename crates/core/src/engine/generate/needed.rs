//! Which attributes a row of an entity needs, and in which format.

use super::guess;
use super::names::placeholders;
use super::uses::{Uses, of_attribute};
use crate::engine::key_sources::{KeyTemplate, has_template, templates_in};
use crate::model::{Attribute, AttributeId, AttributeType, Design, EntityId, Format};
use crate::template;

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
