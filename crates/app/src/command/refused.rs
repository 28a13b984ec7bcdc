//! Why a command is refused, and the parts of a design that commands look up.

use keyfold_core::model::{
    Attribute, AttributeId, Design, Entity, EntityId, IndexEntry, IndexId, Sample, name,
};
use std::fmt;
use std::sync::Arc;

/// Why a command was refused. The design is unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

impl From<name::NameError> for Refused {
    fn from(error: name::NameError) -> Self {
        Refused(error.to_string())
    }
}

pub(super) fn known(there: bool, what: &str) -> Result<(), Refused> {
    match there {
        true => Ok(()),
        false => Err(Refused(format!("this {what} no longer exists"))),
    }
}

pub(super) fn entity(design: &mut Design, id: EntityId) -> Result<&mut Entity, Refused> {
    (design.entities.get_mut(&id))
        .map(Arc::make_mut)
        .ok_or_else(|| Refused("this entity no longer exists".into()))
}

pub(super) fn entry(entity: &mut Entity, index: IndexId) -> Result<&mut IndexEntry, Refused> {
    (entity.keys.get_mut(&index)).ok_or_else(|| Refused("the entity is not in this index".into()))
}

pub(super) fn samples(design: &mut Design, id: EntityId) -> &mut Vec<Arc<Sample>> {
    Arc::make_mut(design.samples.entry(id).or_default())
}

pub(super) fn position(attributes: &[Attribute], id: AttributeId) -> Result<usize, Refused> {
    (attributes.iter().position(|attribute| attribute.id == id))
        .ok_or_else(|| Refused("this attribute no longer exists".into()))
}
