//! Names of entities and attributes that a command refuses.

use super::refused::Refused;
use keyfold_core::model::{AttributeId, Design, Entity, EntityId, name};

pub(super) fn check_entity_name(
    design: &Design,
    own: Option<EntityId>,
    text: &str,
) -> Result<(), Refused> {
    name::check_label(text)?;
    match design.entity_named(text) {
        Some(other) if Some(other) != own => Err(Refused(name::taken("entity", text))),
        _ => Ok(()),
    }
}

pub(super) fn check_attribute_name(
    entity: &Entity,
    own: Option<AttributeId>,
    text: &str,
) -> Result<(), Refused> {
    name::check_attribute(text)?;
    match entity.attribute(text) {
        Some(other) if Some(other.id) != own => Err(Refused(format!(
            "{} has another attribute called `{text}`",
            entity.name
        ))),
        _ => Ok(()),
    }
}
