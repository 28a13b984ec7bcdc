//! How an entity's keys use its attributes.

use super::key_shapes::Alignment;
use super::name_meanings::own_id;
use super::references::{References, identity_of};
use crate::engine::key_sources::{KeySource, KeyTemplate, source_in, templates};
use crate::model::{AttributeType, Design, Entity, EntityId, IndexId, OnDelimiter};
use crate::template::{self, Modifier, Template};
use std::cell::OnceCell;

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

/// An entity with what its name and its templates say, each template parsed once.
pub(super) struct Owner<'a> {
    design: &'a Design,
    /// The entity's id.
    pub id: EntityId,
    /// The entity.
    pub entity: &'a Entity,
    /// The attribute that identifies its items; see [`identity`].
    pub identity: Option<String>,
    /// The usual name of its id; see [`own_id`].
    pub own_id: String,
    /// All its templates, the primary key's first.
    pub templates: Vec<(KeyTemplate<'a>, Template)>,
    alignments: OnceCell<Vec<Alignment>>,
}

impl<'a> Owner<'a> {
    pub fn new(design: &'a Design, id: EntityId, entity: &'a Entity) -> Owner<'a> {
        let parsed = |key: KeyTemplate<'a>| (key, template::parse(key.text).template);
        Owner {
            design,
            id,
            entity,
            identity: identity_of(design, entity),
            own_id: own_id(&entity.name),
            templates: templates(design, entity).map(parsed).collect(),
            alignments: OnceCell::new(),
        }
    }

    /// Its attributes that stand at the same place of a key as attributes of other entities.
    pub fn alignments(&self, references: &References) -> &[Alignment] {
        self.alignments.get_or_init(|| references.alignments(self))
    }

    /// Whether a template writes the attribute of this name.
    pub fn writes(&self, name: &str) -> bool {
        (self.templates.iter()).any(|(key, _)| key.attribute.name == name)
    }

    /// Whether the attribute identifies the entity's items.
    pub fn is_own(&self, name: &str) -> bool {
        self.identity.as_deref() == Some(name) || self.own_id == name
    }

    /// What the keys of the entity do with the attribute of this name.
    pub fn uses(&self, name: &str) -> Uses {
        let mut uses = Uses::default();
        let design = self.design;
        let rejects = design.delimiter.on_conflict == OnDelimiter::Reject;
        for (key, template) in &self.templates {
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
        let written = self.writes(name);
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
}

/// Why rows of the entity cannot be stored, whatever their values: nothing writes its primary key, or a template with an
/// error does.
pub fn obstacle(design: &Design, id: EntityId) -> Option<String> {
    let entity = design.entities.get(&id)?;
    for key in design.table.key.attributes() {
        match source_in(design, entity, IndexId::PRIMARY, &key.name) {
            KeySource::Attribute(_) | KeySource::Type(_) => {}
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
