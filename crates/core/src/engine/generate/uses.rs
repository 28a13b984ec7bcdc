//! How an entity's keys use its attributes.

use crate::engine::key_sources::{KeySource, KeyTemplate, source_in, templates};
use crate::model::{AttributeType, Design, Entity, EntityId, IndexId, OnDelimiter};
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
        match source_in(design, entity, IndexId::PRIMARY, &key.name) {
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
