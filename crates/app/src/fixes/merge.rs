//! Several indexes into one.

use super::apply::gone;
use crate::command::edit::edit;
use crate::command::{Command, Refused};
use keyfold_core::model::{CardId, Design, Index, IndexId, KeySchema, Operation};
use std::sync::Arc;

/// Moves every entry of the indexes `from` into the index `into`, with templates and conditions; access patterns then
/// read `into`, silences move too, and the indexes `from` are deleted.
pub(super) fn merge(design: &mut Design, into: IndexId, from: &[IndexId]) -> Result<(), Refused> {
    let target = design
        .indexes
        .get(&into)
        .ok_or_else(|| gone("index"))?
        .clone();
    for id in from {
        let index = design.indexes.get(id).ok_or_else(|| gone("index"))?.clone();
        if *id == into || !fits(&index.key, &target.key) {
            return Err(Refused(format!(
                "{} cannot be merged into {}: their keys have different types",
                index.name, target.name
            )));
        }
        entries(design, *id, into, &index, &target)?;
        for pattern in design.access_patterns.values_mut() {
            if pattern.operation.index() != Some(*id) {
                continue;
            }
            if let Operation::Query { index, .. } | Operation::Scan { index, .. } =
                &mut Arc::make_mut(pattern).operation
            {
                *index = into;
            }
        }
        silences(design, *id, into);
        describe(design, into, &index);
    }
    let cards = from.iter().map(|id| CardId::Index(*id)).collect();
    edit(design, Command::Delete(cards))
}

fn fits(a: &KeySchema, b: &KeySchema) -> bool {
    let kinds = |key: &KeySchema| -> Vec<_> {
        let sides = [&key.partition, &key.sort];
        sides
            .map(|side| side.iter().map(|a| a.kind).collect::<Vec<_>>())
            .into()
    };
    !a.is_multi_attribute() && kinds(a) == kinds(b)
}

fn entries(
    design: &mut Design,
    from: IndexId,
    into: IndexId,
    index: &Index,
    target: &Index,
) -> Result<(), Refused> {
    for entity in design.entities.values_mut() {
        if !entity.keys.contains_key(&from) {
            continue;
        }
        if entity.keys.contains_key(&into) {
            return Err(Refused(format!(
                "{} is in {} and in {}: an item can have only one entry in an index",
                entity.name, index.name, target.name
            )));
        }
        let keys = &mut Arc::make_mut(entity).keys;
        if let Some(entry) = keys.remove(&from) {
            keys.insert(into, entry);
        }
    }
    Ok(())
}

/// Silences of places in the old index are of the same places in the new one.
fn silences(design: &mut Design, from: IndexId, into: IndexId) {
    let (old, new) = (from.to_string(), into.to_string());
    if design.silenced.is_empty() {
        return;
    }
    for silenced in Arc::make_mut(&mut design.silenced) {
        let parts: Vec<&str> = silenced.place.split('/').collect();
        let moved: Vec<&str> = (parts.iter().enumerate())
            .map(|(at, part)| {
                if at == 1 && *part == old {
                    new.as_str()
                } else {
                    part
                }
            })
            .collect();
        silenced.place = moved.join("/");
    }
}

/// Appends the description of the removed index to that of the remaining one.
fn describe(design: &mut Design, into: IndexId, gone: &Index) {
    if let Some(index) = design.indexes.get_mut(&into)
        && !gone.description.is_empty()
    {
        let description = &mut Arc::make_mut(index).description;
        if !description.is_empty() {
            description.push(' ');
        }
        description.push_str(&gone.description);
    }
}
