//! Renaming an attribute, with every use of it.

use super::super::keys::{check_key, is_in_primary};
use super::super::names::check_attribute_name;
use super::super::refused::{Refused, entity, position};
use super::patterns;
use crate::{retype, suggest};
use keyfold_core::engine::key_sources::is_replaced;
use keyfold_core::model::{
    Attribute, Design, Entity, EntityId, Format, IndexEntry, IndexId, KeySchema, Projection,
    Sample, SortedMap, Table, TenantAttribute,
};
use keyfold_core::template;
use std::sync::Arc;

/// Puts `attribute` in the place of the one with its id. A changed name is carried into the entity's templates,
/// conditions and samples, into references to it, and into the access patterns where it means this entity's
/// attribute; into index projections, key attributes and the TTL attribute unless another entity uses the old name.
/// With a changed type the values follow ([`retype`]). Refused, with nothing changed, where a place that needs the
/// new name cannot take it.
pub(crate) fn update_attribute(
    design: &mut Design,
    id: EntityId,
    mut attribute: Attribute,
) -> Result<(), Refused> {
    let owner = entity(design, id)?;
    let at = position(&owner.attributes, attribute.id)?;
    check_attribute_name(owner, Some(attribute.id), &attribute.name)?;
    let before = owner.attributes[at].clone();
    if before.name != attribute.name {
        attribute.required |= is_in_primary(owner, &attribute.name);
        // What the new name means, such as a reference, decides about samples.
        if attribute.format == before.format && suggest::has_automatic_format(design, id, &before) {
            attribute.format = None;
        }
        rename(design, id, &before.name, &attribute.name)?;
    }
    let retyped = before.kind != attribute.kind;
    entity(design, id)?.attributes[at] = attribute;
    if retyped {
        retype::convert_values(design, id, at, &before);
    }
    Ok(())
}

fn rename(design: &mut Design, id: EntityId, old: &str, new: &str) -> Result<(), Refused> {
    // The access patterns are compared with the templates as they were.
    patterns::rename(design, id, old, new)?;
    rename_in_keys(design, id, old, new)?;
    let owner = entity(design, id)?;
    for attribute in owner.attributes.iter_mut().filter(|a| a.name == old) {
        new.clone_into(&mut attribute.name);
    }
    rename_in_entries(&mut owner.keys, old, new)?;
    if let Some(samples) = design.samples.get_mut(&id) {
        let both = |sample: &Arc<Sample>| {
            let values = &sample.values;
            values.contains_key(old) && values.contains_key(new)
        };
        if samples.iter().any(both) {
            return Err(Refused(format!(
                "samples of the entity already have a value of `{new}`, which is not one of its attributes: delete \
                 these values, or declare the attribute"
            )));
        }
        for sample in Arc::make_mut(samples) {
            if sample.values.contains_key(old) {
                let values = &mut Arc::make_mut(sample).values;
                if let Some(value) = values.remove(old) {
                    values.insert(new.to_owned(), value);
                }
            }
        }
    }
    rename_in_references(design, id, old, new);
    rename_tenant(design, old, new);
    rename_in_projections(design, old, new);
    Ok(())
}

/// Renames in the templates and conditions of an entity's entries.
pub(super) fn rename_in_entries(
    entries: &mut SortedMap<IndexId, IndexEntry>,
    old: &str,
    new: &str,
) -> Result<(), Refused> {
    for entry in entries.values_mut() {
        for text in entry.partition.iter_mut().chain(&mut entry.sort) {
            rename_in_template(text, old, new)?;
        }
        for condition in entry.when.iter_mut().filter(|it| it.attribute == old) {
            new.clone_into(&mut condition.attribute);
        }
    }
    Ok(())
}

/// A template that does not name the attribute stays exactly as typed.
pub(super) fn rename_in_template(text: &mut String, old: &str, new: &str) -> Result<(), Refused> {
    let mut template = template::parse(text).template;
    if template.rename_attribute(old, new).map_err(Refused)? > 0 {
        *text = template.to_string();
    }
    Ok(())
}

/// Key attributes that the attribute feeds as it stands, without a template, and the TTL attribute. As long as
/// another entity has the old name they keep it: renaming there too, in either order, brings them along. An attribute
/// that is optional and has no value yet feeds nothing: it may be one whose name is still being typed. Neither does a
/// key-only one.
fn rename_in_keys(design: &mut Design, id: EntityId, old: &str, new: &str) -> Result<(), Refused> {
    let used = |(other, entity): (&EntityId, &Arc<Entity>)| {
        *other != id && entity.stored_attribute(old).is_some() || is_replaced(design, entity, old)
    };
    let own = design.entities.get(&id).and_then(|e| e.attribute(old));
    let is_required = own.is_some_and(|attribute| attribute.required);
    let is_key_only = own.is_some_and(|attribute| attribute.key_only);
    let has_value = || {
        let mut samples = design.samples_of(id).iter();
        samples.any(|sample| sample.values.contains_key(old))
    };
    let feeds = !is_key_only && (is_required || has_value());
    if !feeds || design.entities.iter().any(used) {
        return Ok(());
    }
    rename_key_attribute(design, old, new)
}

/// Renames a key attribute of the table and the indexes, and the TTL attribute.
pub(super) fn rename_key_attribute(
    design: &mut Design,
    old: &str,
    new: &str,
) -> Result<(), Refused> {
    let has = |key: &KeySchema| key.attributes().any(|attribute| attribute.name == old);
    let rename = |key: &mut KeySchema| {
        for attribute in key.partition.iter_mut().chain(&mut key.sort) {
            if attribute.name == old {
                new.clone_into(&mut attribute.name);
            }
        }
    };
    let mut changed = Vec::new();
    let table: &Table = &design.table;
    if has(&table.key) || table.ttl_attribute.as_deref() == Some(old) {
        let table = Arc::make_mut(&mut design.table);
        rename(&mut table.key);
        if table.ttl_attribute.as_deref() == Some(old) {
            table.ttl_attribute = Some(new.to_owned());
        }
        changed.push(IndexId::PRIMARY);
    }
    for (index, held) in design.indexes.iter_mut() {
        if has(&held.key) {
            rename(&mut Arc::make_mut(held).key);
            changed.push(*index);
        }
    }
    for index in changed {
        if let Some(key) = design.key(index) {
            check_key(design, Some(index), key).map_err(|refused| {
                let name = design.index_name(index);
                Refused(format!("`{old}` is a key attribute of {name}: {refused}"))
            })?;
        }
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

/// The attribute that is the tenant for policies, unless another entity still has the old name.
fn rename_tenant(design: &mut Design, old: &str, new: &str) {
    let is_it =
        |name: &TenantAttribute| matches!(name, TenantAttribute::Attribute(name) if name == old);
    if is_it(&design.export_options.tenant)
        && !(design.entities.values()).any(|entity| entity.attribute(old).is_some())
    {
        Arc::make_mut(&mut design.export_options).tenant =
            TenantAttribute::Attribute(new.to_owned());
    }
}

pub(super) fn rename_in_projections(design: &mut Design, old: &str, new: &str) {
    if (design.entities.values()).any(|entity| entity.attribute(old).is_some()) {
        return;
    }
    for index in design.indexes.values_mut() {
        let lists = |p: &Projection| matches!(p, Projection::Include(names) if names.iter().any(|n| n == old));
        if lists(&index.projection)
            && let Projection::Include(names) = &mut Arc::make_mut(index).projection
        {
            replace(names, old, new);
        }
    }
}

/// Adds a name to the projections that list another one, which something else keeps.
pub(super) fn add_to_projections(design: &mut Design, old: &str, new: &str) {
    for index in design.indexes.values_mut() {
        let has = |p: &Projection, name: &str| matches!(p, Projection::Include(names) if names.iter().any(|n| n == name));
        if has(&index.projection, old)
            && !has(&index.projection, new)
            && let Projection::Include(names) = &mut Arc::make_mut(index).projection
        {
            names.push(new.to_owned());
        }
    }
}

/// Puts one name in the place of another, without naming anything twice.
fn replace(names: &mut Vec<String>, old: &str, new: &str) {
    if names.iter().any(|name| name == new) {
        names.retain(|name| name != old);
    }
    for name in names.iter_mut().filter(|name| *name == old) {
        new.clone_into(name);
    }
}
