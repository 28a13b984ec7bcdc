//! Changing an attribute: a new name is carried to every place that knew the old one.

use super::{Refused, check_attribute_name, entity, position};
use crate::domain::model::{Attribute, Design, EntityId, Format, Projection};
use crate::domain::template;
use std::sync::Arc;

/// Puts `attribute` in the place of the one with its id. A changed name is carried into the entity's
/// templates, conditions and samples, and into index projections unless another entity uses the old name.
pub(super) fn update_attribute(
    design: &mut Design,
    id: EntityId,
    attribute: Attribute,
) -> Result<(), Refused> {
    let owner = entity(design, id)?;
    let at = position(&owner.attributes, attribute.id)?;
    check_attribute_name(owner, Some(attribute.id), &attribute.name)?;
    let new = attribute.name.clone();
    let old = std::mem::replace(&mut owner.attributes[at], attribute).name;
    if old == new {
        return Ok(());
    }
    for entry in owner.keys.values_mut() {
        for text in entry.partition.iter_mut().chain(&mut entry.sort) {
            rename_in_template(text, &old, &new)?;
        }
        for condition in &mut entry.when {
            if condition.attribute == old {
                condition.attribute.clone_from(&new);
            }
        }
    }
    if let Some(samples) = design.samples.get_mut(&id) {
        for sample in Arc::make_mut(samples) {
            if sample.values.contains_key(&old) {
                let values = &mut Arc::make_mut(sample).values;
                if let Some(value) = values.remove(&old) {
                    values.insert(new.clone(), value);
                }
            }
        }
    }
    rename_in_references(design, id, &old, &new);
    rename_in_projections(design, &old, &new);
    Ok(())
}

/// A template that does not name the attribute stays exactly as typed.
fn rename_in_template(text: &mut String, old: &str, new: &str) -> Result<(), Refused> {
    let mut template = template::parse(text).template;
    if template.rename_attribute(old, new).map_err(Refused)? > 0 {
        *text = template.to_string();
    }
    Ok(())
}

/// Attributes of other entities whose sample values come from the renamed one.
fn rename_in_references(design: &mut Design, id: EntityId, old: &str, new: &str) {
    let refers = |attribute: &Attribute| {
        matches!(&attribute.format,
        Some(Format::Reference { entity, attribute, .. }) if *entity == id && attribute == old)
    };
    for entity in design.entities.values_mut() {
        if !entity.attributes.iter().any(refers) {
            continue;
        }
        for attribute in &mut Arc::make_mut(entity).attributes {
            if refers(attribute)
                && let Some(Format::Reference { attribute, .. }) = &mut attribute.format
            {
                *attribute = new.to_owned();
            }
        }
    }
}

fn rename_in_projections(design: &mut Design, old: &str, new: &str) {
    if (design.entities.values()).any(|entity| entity.attribute(old).is_some()) {
        return;
    }
    for index in design.indexes.values_mut() {
        let lists = |p: &Projection| matches!(p, Projection::Include(names) if names.iter().any(|n| n == old));
        if lists(&index.projection)
            && let Projection::Include(names) = &mut Arc::make_mut(index).projection
        {
            for name in names.iter_mut().filter(|name| *name == old) {
                *name = new.to_owned();
            }
        }
    }
}
