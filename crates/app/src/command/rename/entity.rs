//! Renaming an entity. One that still has the keys and attributes that it was made with gets those for its new name.

use super::super::delete;
use super::super::names::check_entity_name;
use super::super::refused::Refused;
use super::super::refused::{entity, samples};
use super::attribute::update_attribute;
use crate::parameter_owner::{concerned, with_key};
use crate::suggest;
use keyfold_core::model::{
    AccessPattern, Attribute, AttributeId, Design, Entity, EntityId, Format, IndexId,
};
use std::sync::Arc;

/// Gives the entity another name. The type attribute follows by itself; templates stay as typed, unless the entity
/// was never edited and no access pattern is about it: see [`renewed`].
pub(in crate::command) fn rename_entity(
    design: &mut Design,
    id: EntityId,
    name: String,
) -> Result<(), Refused> {
    check_entity_name(design, Some(id), &name)?;
    let old = std::mem::replace(&mut entity(design, id)?.name, name);
    let concerns = |pattern: &Arc<AccessPattern>| {
        let keys = pattern.operation.keys();
        // A pattern that names other entities can have the key of this one all the same.
        concerned(design, pattern).contains(&id)
            || (keys.into_iter()).any(|key| with_key(design, key).contains(&id))
    };
    let is_used = design.access_patterns.values().any(concerns);
    if !is_used && let Some(next) = renewed(design, id, &old) {
        *design = next;
    }
    Ok(())
}

/// The design with the keys and attributes that a new entity of this name gets, and the samples' values that were
/// made for the old ones. `None`: the entity is not what [`suggest::new_entity`] makes of its old name any more, the new
/// attributes do not fit, or it would leave the item collection that it shares with another entity.
fn renewed(design: &Design, id: EntityId, old: &str) -> Option<Design> {
    let mut others = design.clone();
    let entity = others.entities.remove(&id)?;
    others.samples.remove(&id);
    let before = suggest::new_entity(&mut others, old.to_owned());
    let after = suggest::new_entity(&mut others, entity.name.clone());
    let partition = |entity: &Entity| {
        let entry = entity.keys.get(&IndexId::PRIMARY)?;
        entry.partition.clone()
    };
    let (own, new) = (partition(&before), partition(&after));
    let is_shared = || {
        others
            .entities
            .values()
            .any(|other| partition(other) == own)
    };
    if !is_as_made(&entity, &before) || own != new && is_shared() {
        return None;
    }
    let mut next = design.clone();
    let (own_before, own_after) = (own_id(&before)?, own_id(&after)?);
    if after.attribute(own_before).is_none() && before.attribute(own_after).is_none() {
        let own = entity.attribute(own_before)?.clone();
        let name = own_after.to_owned();
        update_attribute(&mut next, id, Attribute { name, ..own }).ok()?;
    }
    let kept = next.entities.get(&id)?.clone();
    for gone in kept
        .attributes
        .iter()
        .filter(|a| after.attribute(&a.name).is_none())
    {
        delete::attribute(&mut next, id, gone.id).ok()?;
    }
    let mut made = Entity::clone(&kept);
    made.attributes.clear();
    for attribute in &after.attributes {
        let number = match kept.attribute(&attribute.name) {
            Some(kept) => kept.id,
            None => AttributeId(next.take_id()),
        };
        made.attributes.push(Attribute {
            id: number,
            ..attribute.clone()
        });
    }
    made.keys.clone_from(&after.keys);
    next.entities.insert(id, Arc::new(made));

    let first_before = suggest::first_sample(&others, &before);
    let first_after = suggest::first_sample(&others, &after);
    for sample in samples(&mut next, id) {
        let values = &mut Arc::make_mut(sample).values;
        for (name, value) in &first_after {
            let old_name = if name == own_after { own_before } else { name };
            let is_made = match values.get(name) {
                Some(value) => first_before.get(old_name) == Some(value),
                None => true,
            };
            if is_made {
                values.insert(name.clone(), value.clone());
            }
        }
    }
    Some(next)
}

/// Whether the entity's keys and attributes are those that it was made with.
fn is_as_made(entity: &Entity, made: &Entity) -> bool {
    let same = |(own, made): (&Attribute, &Attribute)| {
        let id = own.id;
        *own == Attribute { id, ..made.clone() }
    };
    entity.keys == made.keys
        && entity.attributes.len() == made.attributes.len()
        && entity.attributes.iter().zip(&made.attributes).all(same)
}

/// The attribute that is made for the entity's own identity.
fn own_id(made: &Entity) -> Option<&str> {
    let own = |a: &&Attribute| a.format == Some(Format::Ulid);
    made.attributes.iter().find(own).map(|a| a.name.as_str())
}
