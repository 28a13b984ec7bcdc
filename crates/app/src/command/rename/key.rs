//! Renaming a key attribute of the table or an index, or the type attribute, with its uses in access patterns.

use super::super::keys::check_key;
use super::super::refused::Refused;
use super::super::workload;
use super::attribute::{
    add_to_projections, rename_in_entries, rename_in_projections, rename_in_template,
    rename_key_attribute,
};
use super::expression::{self, Names};
use super::patterns::unusable;
use crate::parameter_owner::{concerned, has};
use keyfold_core::engine::key_sources::has_template;
use keyfold_core::model::{
    AccessPattern, Design, Entity, EntityId, IndexId, KeySchema, Operation, WriteAction,
};
use keyfold_core::template;
use std::sync::Arc;

/// Carries the new names of the table's key attributes into the keys of indexes, which hold the same attributes, and into
/// access patterns: see [`rename_in_expressions`].
///
/// # Errors
///
/// A key of an index, or an expression, cannot have the new name.
pub(in crate::command) fn rename_table_key(
    design: &mut Design,
    before: &KeySchema,
) -> Result<(), Refused> {
    let after = design.table.key.clone();
    for (old, new) in changed_names(before, &after) {
        if after.attributes().any(|attribute| attribute.name == old) {
            continue;
        }
        let has = |key: &KeySchema| key.attributes().any(|attribute| attribute.name == old);
        let sharing = design.indexes.iter().filter(|(_, index)| has(&index.key));
        let sharing: Vec<IndexId> = sharing.map(|(id, _)| *id).collect();
        for id in sharing {
            if let Some(index) = design.indexes.get_mut(&id) {
                let key = &mut Arc::make_mut(index).key;
                let attributes = key.partition.iter_mut().chain(&mut key.sort);
                for attribute in attributes.filter(|attribute| attribute.name == old) {
                    new.clone_into(&mut attribute.name);
                }
                check_key(design, Some(id), &design.indexes[&id].key)?;
            }
        }
    }
    rename_key(design, before, &after)
}

/// Carries the new names of key attributes into access patterns: see [`rename_in_expressions`].
///
/// # Errors
///
/// As of [`rename_in_expressions`].
pub(in crate::command) fn rename_key(
    design: &mut Design,
    before: &KeySchema,
    after: &KeySchema,
) -> Result<(), Refused> {
    for (old, new) in changed_names(before, after) {
        rename_in_expressions(design, &old, &new)?;
    }
    Ok(())
}

/// The old and new names of attributes at the same places. An attribute that is added or removed renames no other one.
fn changed_names(before: &KeySchema, after: &KeySchema) -> Vec<(String, String)> {
    let sides = [
        (&before.partition, &after.partition),
        (&before.sort, &after.sort),
    ];
    let sides = (sides.into_iter()).filter(|(before, after)| before.len() == after.len());
    let pairs = sides.flat_map(|(before, after)| before.iter().zip(after));
    pairs
        .filter(|(before, after)| before.name != after.name)
        .map(|(before, after)| (before.name.clone(), after.name.clone()))
        .collect()
}

/// Carries the new name of the type attribute into templates and conditions of entries, the projections of indexes, and
/// the expressions, projections and parameters of access patterns. An entity's own attribute of the old name keeps its uses,
/// in its entries and in access patterns that are about it.
///
/// # Errors
///
/// The new name cannot stand in an expression or a template that has the old one.
pub(in crate::command) fn rename_type(
    design: &mut Design,
    old: &str,
    new: &str,
) -> Result<(), Refused> {
    if old == new {
        return Ok(());
    }
    let before = design.clone();
    let owns = |id: &EntityId| has(&before, *id, old);
    let is_owned = before.entities.keys().any(owns);
    // A key that is the type goes with it.
    let is_written = |entity: &Arc<Entity>| has_template(&before, entity, old);
    if design.key_attribute(old).is_some() && !is_owned && !before.entities.values().any(is_written)
    {
        rename_key_attribute(design, old, new)?;
    }
    let is_key = design.key_attribute(old).is_some();
    match is_owned || is_key {
        true => add_to_projections(design, old, new),
        false => rename_in_projections(design, old, new),
    }
    for (id, entity) in design.entities.iter_mut() {
        if owns(id) {
            continue;
        }
        let mut keys = entity.keys.clone();
        rename_in_entries(&mut keys, old, new)?;
        if keys != entity.keys {
            Arc::make_mut(entity).keys = keys;
        }
    }
    let mut owners = Vec::new();
    for (id, pattern) in design.access_patterns.iter_mut() {
        let about = concerned(&before, pattern);
        if about.iter().any(owns) || about.is_empty() && is_owned {
            continue;
        }
        if !is_key {
            rename_attribute(pattern, old, new)?;
        }
        let mut next = AccessPattern::clone(pattern);
        if rename_parameter(&mut next, old, new)
            .map_err(|Refused(reason)| unusable(&pattern.name, &reason))?
        {
            owners.push(*id);
            *pattern = Arc::new(next);
        }
    }
    workload::rename_parameter(design, &owners, old, new);
    Ok(())
}

/// Renames a parameter that the templates of a pattern contain, also in its expressions and where it has a value. Returns
/// whether they do.
fn rename_parameter(pattern: &mut AccessPattern, old: &str, new: &str) -> Result<bool, Refused> {
    let (mut has_old, mut has_new) = (false, pattern.parameters.contains_key(new));
    for text in templates(&mut pattern.operation) {
        let template = template::parse(text).template;
        has_old |= template.uses(old);
        has_new |= template.uses(new);
        rename_in_template(text, old, new)?;
    }
    if !has_old {
        return Ok(false);
    }
    for text in expressions(&mut pattern.operation) {
        let names = Names {
            old,
            new,
            attribute: false,
            parameter: true,
        };
        let renamed = expression::rename(text, names).map_err(Refused)?;
        has_new |= renamed.had_new_parameter;
        *text = renamed.text;
    }
    if has_new {
        return Err(Refused(format!("it already has a parameter `{new}`")));
    }
    if let Some(value) = pattern.parameters.remove(old) {
        pattern.parameters.insert(new.to_owned(), value);
    }
    Ok(true)
}

/// The templates of an operation.
fn templates(operation: &mut Operation) -> Vec<&mut String> {
    match operation {
        Operation::Query {
            partition, sort, ..
        } => {
            let bounds = sort
                .iter_mut()
                .flat_map(|it| std::iter::once(&mut it.value).chain(&mut it.upper));
            partition.iter_mut().chain(bounds).collect()
        }
        operation => (operation.keys_mut().into_iter())
            .flat_map(|key| std::iter::once(&mut key.partition).chain(&mut key.sort))
            .collect(),
    }
}

/// Carries the new name of a key attribute into the projections of indexes, and into the expressions and projections of access
/// patterns, unless another key or an entity still has an attribute of the old name.
///
/// # Errors
///
/// The new name cannot stand in an expression that has the old one.
fn rename_in_expressions(design: &mut Design, old: &str, new: &str) -> Result<(), Refused> {
    let is_owned = || (design.entities.keys()).any(|id| has(design, *id, old));
    if old == new || design.key_attribute(old).is_some() || is_owned() {
        return Ok(());
    }
    rename_in_projections(design, old, new);
    (design.access_patterns.values_mut())
        .try_for_each(|pattern| rename_attribute(pattern, old, new))
}

/// Renames an attribute in the expressions and the projection of a pattern.
fn rename_attribute(pattern: &mut Arc<AccessPattern>, old: &str, new: &str) -> Result<(), Refused> {
    let mut next = AccessPattern::clone(pattern);
    for text in expressions(&mut next.operation) {
        let names = Names {
            old,
            new,
            attribute: true,
            parameter: false,
        };
        let renamed = expression::rename(text, names);
        *text = renamed
            .map_err(|reason| unusable(&pattern.name, &reason))?
            .text;
    }
    if let Some(read) = next.operation.read_mut() {
        read.projection = expression::rename_paths(&read.projection, old, new)
            .map_err(|reason| unusable(&pattern.name, &reason))?;
    }
    if next != **pattern {
        *pattern = Arc::new(next);
    }
    Ok(())
}

/// The filter of a read, or the condition and update expressions of writes.
fn expressions(operation: &mut Operation) -> Vec<&mut String> {
    if operation.read().is_some() {
        let filter = operation.read_mut().and_then(|read| read.filter.as_mut());
        return filter.into_iter().collect();
    }
    let actions = operation.actions_mut().iter_mut();
    actions.flat_map(WriteAction::expressions_mut).collect()
}
