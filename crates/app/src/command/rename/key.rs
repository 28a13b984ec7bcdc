//! Renaming a key attribute of the table or an index, or the type attribute, with its uses in access patterns.

use super::super::refused::Refused;
use super::attribute::replace;
use super::expression::{self, Names};
use keyfold_core::model::{AccessPattern, Design, KeySchema, Operation, WriteAction};
use std::sync::Arc;

/// Carries the new names of key attributes into the expressions and projections of access patterns. An attribute that an
/// entity has, too, keeps its name there: it is renamed at the entity.
///
/// # Errors
///
/// The new name cannot stand in an expression that has the old one.
pub(in crate::command) fn rename_key(
    design: &mut Design,
    before: &KeySchema,
    after: &KeySchema,
) -> Result<(), Refused> {
    let sides = [
        (&before.partition, &after.partition),
        (&before.sort, &after.sort),
    ];
    for (before, after) in sides {
        // An attribute that is added or removed renames no other one.
        if before.len() == after.len() {
            for (before, after) in before.iter().zip(after) {
                rename_unowned(design, &before.name, &after.name)?;
            }
        }
    }
    Ok(())
}

/// Carries the new name of an attribute of no entity into expressions and projections.
pub(in crate::command) fn rename_unowned(
    design: &mut Design,
    old: &str,
    new: &str,
) -> Result<(), Refused> {
    let is_owned = |name: &str| {
        let mut all = design.entities.values();
        all.any(|entity| entity.attribute(name).is_some())
    };
    if old == new || is_owned(old) {
        return Ok(());
    }
    for pattern in design.access_patterns.values_mut() {
        let mut next = AccessPattern::clone(pattern);
        for text in expressions(&mut next.operation) {
            let names = Names {
                old,
                new,
                attribute: true,
                parameter: false,
            };
            let renamed = expression::rename(text, names).map_err(|reason| {
                let name = &pattern.name;
                Refused(format!(
                    "the access pattern `{name}` cannot use the new name: {reason}"
                ))
            })?;
            *text = renamed.text;
        }
        if let Some(read) = next.operation.read_mut() {
            replace(&mut read.projection, old, new);
        }
        if next != **pattern {
            *pattern = Arc::new(next);
        }
    }
    Ok(())
}

/// The filter of a read, or the condition and update expressions of writes.
fn expressions(operation: &mut Operation) -> Vec<&mut String> {
    if operation.read().is_some() {
        let filter = operation.read_mut().and_then(|read| read.filter.as_mut());
        return filter.into_iter().collect();
    }
    let mut all = Vec::new();
    for action in operation.actions_mut() {
        match action {
            WriteAction::PutItem { condition, .. } | WriteAction::DeleteItem { condition, .. } => {
                all.extend(condition);
            }
            WriteAction::UpdateItem {
                update, condition, ..
            } => {
                all.push(update);
                all.extend(condition);
            }
            WriteAction::ConditionCheck { condition, .. } => all.push(condition),
        }
    }
    all
}
