//! Keys: the checks of a key schema, the entry of an entity in an index, and its key templates.

use super::Command;
use super::refused::{Refused, entity, entry};
use keyfold_core::model::{
    Design, Entity, EntityId, IndexEntry, IndexId, KeyPart, KeySchema, name,
};
use keyfold_core::template::{self, Template};
use std::sync::Arc;

pub(super) fn join(
    design: &mut Design,
    id: EntityId,
    index: IndexId,
    entry: IndexEntry,
) -> Result<(), Refused> {
    let key = design
        .key(index)
        .ok_or_else(|| Refused("this index no longer exists".into()))?;
    let fits = if key.is_multi_attribute() {
        entry.partition.is_none() && entry.sort.is_none()
    } else {
        !key.sort.is_empty() || entry.sort.is_none()
    };
    if !fits || (index.is_primary() && !entry.when.is_empty()) {
        return Err(Refused("these templates do not fit the index's key".into()));
    }
    let entity = entity(design, id)?;
    entity.keys.insert(index, entry);
    if index.is_primary() {
        require_key_attributes(entity);
    }
    Ok(())
}

/// The primary key's templates. One that is being typed counts once it has no error.
fn primary_templates(entity: &Entity) -> Vec<Template> {
    let entry = entity.keys.get(&IndexId::PRIMARY).into_iter();
    let texts = entry.flat_map(|entry| entry.partition.iter().chain(&entry.sort));
    let parsed = texts.map(|text| template::parse(text));
    (parsed.filter(|parsed| parsed.errors.is_empty()))
        .map(|parsed| parsed.template)
        .collect()
}

/// Whether the primary key's templates contain the attribute.
pub(super) fn is_in_primary(entity: &Entity, name: &str) -> bool {
    let templates = primary_templates(entity);
    templates.iter().any(|template| template.uses(name))
}

/// Makes the attributes in the primary key's templates required: without one of them, an item has no key.
fn require_key_attributes(entity: &mut Entity) {
    let templates = primary_templates(entity);
    for attribute in &mut entity.attributes {
        let mut templates = templates.iter();
        attribute.required |= templates.any(|template| template.uses(&attribute.name));
    }
}

pub(super) fn set_template(
    design: &mut Design,
    id: EntityId,
    index: IndexId,
    part: KeyPart,
    text: Option<String>,
) -> Result<(), Refused> {
    let key = design
        .key(index)
        .ok_or_else(|| Refused("this index no longer exists".into()))?;
    if text.is_some() && key.is_multi_attribute() {
        return Err(Refused(
            "a multi-attribute key uses plain attributes, not templates".into(),
        ));
    }
    if text.is_some() && part == KeyPart::Sort && key.sort.is_empty() {
        return Err(Refused("this key has no sort key attribute".into()));
    }
    let entity = entity(design, id)?;
    let entry = if index.is_primary() {
        entity.keys.entry(index).or_default()
    } else {
        entry(entity, index)?
    };
    match part {
        KeyPart::Partition => entry.partition = text,
        KeyPart::Sort => entry.sort = text,
    }
    if index.is_primary() {
        require_key_attributes(entity);
    }
    Ok(())
}

pub(super) fn check_key(
    design: &Design,
    own: Option<IndexId>,
    key: &KeySchema,
) -> Result<(), Refused> {
    let mut seen = Vec::new();
    for attribute in key.attributes() {
        name::check_key_attribute(&attribute.name)?;
        name::check_attribute(&attribute.name)?;
        if seen.contains(&&attribute.name) {
            return Err(Refused(format!(
                "`{}` occurs twice in this key",
                attribute.name
            )));
        }
        seen.push(&attribute.name);
        let elsewhere = (design.index_ids().filter(|id| Some(*id) != own))
            .filter_map(|id| Some((id, design.key(id)?)))
            .find(|(_, other)| {
                (other.attributes()).any(|a| a.name == attribute.name && a.kind != attribute.kind)
            });
        if let Some((id, _)) = elsewhere {
            return Err(Refused(format!(
                "key attribute `{}` has another type in {}: use one type for each attribute",
                attribute.name,
                design.index_name(id)
            )));
        }
    }
    Ok(())
}

/// Whether an entry has a partition and a sort template that a key cannot hold.
fn lost(entry: &IndexEntry, key: &KeySchema) -> [bool; 2] {
    let is_multi = key.is_multi_attribute();
    let has_no_sort = is_multi || key.sort.is_empty();
    [
        entry.partition.is_some() && is_multi,
        entry.sort.is_some() && has_no_sort,
    ]
}

/// The number of entities whose key templates a change of the table or of an index removes.
pub(crate) fn templates_lost(design: &Design, command: &Command) -> usize {
    let (index, key) = match command {
        Command::UpdateTable { table, .. } => (IndexId::PRIMARY, &table.key),
        Command::UpdateIndex { id, index, .. } => (*id, &index.key),
        _ => return 0,
    };
    let entries = design
        .entities
        .values()
        .filter_map(|entity| entity.keys.get(&index));
    entries
        .filter(|entry| lost(entry, key) != [false; 2])
        .count()
}

/// Removes the templates that the key of the table or an index cannot hold.
pub(super) fn remove_templates(design: &mut Design, index: IndexId, key: &KeySchema) {
    for entity in design.entities.values_mut() {
        let Some([partition, sort]) = entity.keys.get(&index).map(|entry| lost(entry, key)) else {
            continue;
        };
        if (partition || sort)
            && let Some(entry) = Arc::make_mut(entity).keys.get_mut(&index)
        {
            entry.partition.take_if(|_| partition);
            entry.sort.take_if(|_| sort);
        }
    }
}
