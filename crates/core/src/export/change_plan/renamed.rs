//! What became what between two designs: entities and attributes, by name or, if renamed, by ID.

use crate::model::{Attribute, AttributeId, Condition, Design, Entity, EntityId, IndexEntry};
use crate::template::{Segment, parse};

/// Returns the same entity in the other design: by its name, or, if renamed, by its id. A renamed entity needs an
/// attribute in common, and neither name may be in the other design.
pub(super) fn earlier<'d>(
    other: &'d Design,
    own: &Design,
    id: EntityId,
    entity: &Entity,
) -> Option<&'d Entity> {
    if let Some(found) = other.entity_named(&entity.name) {
        return other.entities.get(&found).map(|entity| &**entity);
    }
    let found = other.entities.get(&id)?;
    let shared = found.attributes.iter().any(|attribute| {
        let same = entity.attribute(&attribute.name);
        same.is_some_and(|same| same.id == attribute.id)
    });
    (shared && own.entity_named(&found.name).is_none()).then_some(found)
}

/// Returns the attribute of the same entity in the other design that became this one: by its name, or, if renamed, by its
/// id. A renamed attribute needs entities of the same origin: all attributes of the same name have the same id.
pub(super) fn earlier_attribute<'d>(
    before: &'d Entity,
    after: &Entity,
    attribute: &Attribute,
) -> Option<&'d Attribute> {
    if let Some(found) = before.attribute(&attribute.name) {
        return Some(found);
    }
    let found = before.attribute_by_id(attribute.id)?;
    let mut same = (before.attributes.iter())
        .filter_map(|one| after.attribute(&one.name).map(|other| one.id == other.id))
        .peekable();
    let is_related = match same.peek() {
        Some(_) => same.all(|is_same| is_same),
        // All were renamed.
        None => {
            let ids = |entity: &Entity| -> Vec<AttributeId> {
                entity.attributes.iter().map(|one| one.id).collect()
            };
            ids(before) == ids(after)
        }
    };
    (is_related && after.attribute(&found.name).is_none()).then_some(found)
}

/// Returns the names before and after of attributes that were renamed.
pub(super) fn renamed<'d>(before: &'d Entity, after: &'d Entity) -> Vec<(&'d str, &'d Attribute)> {
    let mut renamed = Vec::new();
    for attribute in &after.attributes {
        if let Some(was) = earlier_attribute(before, after, attribute)
            && was.name != attribute.name
        {
            renamed.push((was.name.as_str(), attribute));
        }
    }
    renamed
}

/// Returns an index entry of `before` with the names that its attributes have in `after`.
pub(super) fn with_new_names(before: &Entity, after: &Entity, entry: &IndexEntry) -> IndexEntry {
    let names = renamed(before, after);
    let mut entry = entry.clone();
    for part in entry.partition.iter_mut().chain(&mut entry.sort) {
        *part = canonical(part, &names);
    }
    entry.when = conditions(&entry, &names);
    entry
}

/// Returns the conditions of an index entry, with new names.
pub(super) fn conditions(entry: &IndexEntry, names: &[(&str, &Attribute)]) -> Vec<Condition> {
    let mut conditions = entry.when.clone();
    for condition in &mut conditions {
        if let Some((_, now)) = names.iter().find(|(was, _)| *was == condition.attribute) {
            condition.attribute.clone_from(&now.name);
        }
    }
    conditions
}

/// Returns a template in canonical form, so that another notation is no change, with new names of attributes.
pub(super) fn canonical(text: &str, names: &[(&str, &Attribute)]) -> String {
    let mut parsed = parse(text);
    if !parsed.errors.is_empty() {
        return text.to_owned();
    }
    for segment in &mut parsed.template.segments {
        if let Segment::Placeholder(placeholder) = segment
            && let Some((_, now)) = names.iter().find(|(was, _)| *was == placeholder.attribute)
        {
            placeholder.attribute.clone_from(&now.name);
        }
    }
    parsed.template.to_string()
}
