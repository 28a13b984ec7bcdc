//! Edits of several entities as one step.

use super::attribute_list::Listed;
use super::{Command, Refused, suggest};
use keyfold_core::model::{Attribute, Design, Entity, EntityId, IndexId};
use std::sync::Arc;

/// An attribute that several entities have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedAttribute {
    /// Its name.
    pub name: String,
    /// Whether it is required; `None`: in some of them.
    pub required: Option<bool>,
}

/// Gives all of them a color, one of [`Entity::HUES`].
pub fn set_hue(ids: &[EntityId], hue: u8) -> Command {
    let commands = ids.iter().map(|id| Command::SetHue(*id, hue));
    all("change color", commands.collect())
}

/// Adds attributes to those that do not have them.
///
/// # Errors
/// All of them have all of these attributes.
pub fn add_attributes(
    design: &Design,
    ids: &[EntityId],
    list: &[Listed],
) -> Result<Command, Refused> {
    let mut commands = Vec::new();
    for (id, entity) in of(design, ids) {
        for listed in list {
            if entity.attribute(&listed.name).is_none() {
                commands.push(Command::AddAttribute(id, listed.attribute(design, id)));
            }
        }
    }
    match commands.is_empty() {
        true => Err(Refused("all of them have these attributes already".into())),
        false => Ok(all("add attributes", commands)),
    }
}

/// Puts those that are not in the index into it, with the templates that suit each of them.
///
/// # Errors
/// All of them are in it.
pub fn add_to_index(design: &Design, ids: &[EntityId], index: IndexId) -> Result<Command, Refused> {
    let outside = of(design, ids).filter(|(_, entity)| !entity.keys.contains_key(&index));
    let join = |(id, _)| Command::JoinIndex(id, index, suggest::index_entry(design, id, index));
    let commands: Vec<Command> = outside.map(join).collect();
    match commands.is_empty() {
        true => {
            let name = design.index_name(index);
            Err(Refused(format!("all of them are in {name} already")))
        }
        false => Ok(all("add entities to index", commands)),
    }
}

/// Returns the attributes that all of them have, in the order of the first.
pub fn shared_attributes(design: &Design, ids: &[EntityId]) -> Vec<SharedAttribute> {
    let entities: Vec<&Arc<Entity>> = of(design, ids).map(|(_, entity)| entity).collect();
    let Some(first) = entities.first() else {
        return Vec::new();
    };
    let shared = |attribute: &Attribute| {
        let name = &attribute.name;
        let found = entities
            .iter()
            .map(|entity| entity.attribute(name).map(|a| a.required));
        let required = found.collect::<Option<Vec<bool>>>()?;
        let are_equal = required.iter().all(|one| *one == required[0]);
        Some(SharedAttribute {
            name: name.clone(),
            required: are_equal.then(|| required[0]),
        })
    };
    first.attributes.iter().filter_map(shared).collect()
}

/// Makes an attribute of all of them required or optional.
///
/// # Errors
/// None of them has it.
pub fn require(
    design: &Design,
    ids: &[EntityId],
    name: &str,
    required: bool,
) -> Result<Command, Refused> {
    let change = |(id, entity): (EntityId, &Arc<Entity>)| {
        let mut attribute = Box::new(entity.attribute(name)?.clone());
        attribute.required = required;
        Some(Command::UpdateAttribute {
            entity: id,
            attribute,
            field: "required",
        })
    };
    let commands: Vec<Command> = of(design, ids).filter_map(change).collect();
    match commands.is_empty() {
        true => Err(Refused(format!("none of them has `{name}`"))),
        false => Ok(all("change attribute required", commands)),
    }
}

fn of<'a>(
    design: &'a Design,
    ids: &'a [EntityId],
) -> impl Iterator<Item = (EntityId, &'a Arc<Entity>)> {
    ids.iter()
        .filter_map(|id| Some((*id, design.entities.get(id)?)))
}

fn all(label: &'static str, commands: Vec<Command>) -> Command {
    Command::Together { label, commands }
}
