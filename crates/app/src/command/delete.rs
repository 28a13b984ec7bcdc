//! Taking things away, with everything that refers to them.

use super::Command;
use super::refused::{Refused, entity, position};
use crate::parameter_owner::with_key;
use keyfold_core::model::{
    AttributeId, CardId, Design, EntityId, IndexId, Operation, SampleId, WriteAction,
};
use std::sync::Arc;

/// Takes the cards away: an entity with its samples, an index with every entity's entry in it. Access
/// patterns that can only be about what is gone go with it. The primary key stays.
pub(super) fn cards(design: &mut Design, cards: &[CardId]) {
    for card in cards {
        match *card {
            CardId::Index(IndexId::PRIMARY) => continue,
            CardId::Index(id) => delete_index(design, id),
            CardId::Entity(id) => delete_entity(design, id),
            CardId::Note(id) => {
                design.notes.remove(&id);
            }
        }
        if design.layout.contains_key(card) {
            Arc::make_mut(&mut design.layout).remove(card);
        }
    }
    design.trim_workload();
}

/// How many access patterns go with what a command deletes.
pub(super) fn patterns_along(design: &Design, command: &Command) -> usize {
    let Command::Delete(gone) = command else {
        return 0;
    };
    let mut after = design.clone();
    cards(&mut after, gone);
    design.access_patterns.len() - after.access_patterns.len()
}

fn delete_index(design: &mut Design, id: IndexId) {
    design.indexes.remove(&id);
    for entity in design.entities.values_mut() {
        if entity.keys.contains_key(&id) {
            Arc::make_mut(entity).keys.remove(&id);
        }
    }
    (design.access_patterns).retain(|_, pattern| pattern.operation.index() != Some(id));
}

fn delete_entity(design: &mut Design, id: EntityId) {
    design.entities.remove(&id);
    let gone: Vec<SampleId> = design.samples_of(id).iter().map(|s| s.id).collect();
    design.remove_samples(id, &gone);
    let of_it = |action: &WriteAction| action.put() == Some(id);
    let before = design.clone();
    let of_others = |action: &WriteAction| {
        action.put().is_some()
            || action
                .key()
                .is_some_and(|key| !with_key(&before, key).is_empty())
    };
    design.access_patterns.retain(|_, pattern| {
        let is_about = pattern.entities.contains(&id);
        let is_put = pattern.operation.actions().iter().any(of_it);
        if !is_about && !is_put {
            return true;
        }
        let pattern = Arc::make_mut(pattern);
        pattern.entities.retain(|entity| *entity != id);
        // A transaction stays with what it writes of others.
        match &mut pattern.operation {
            Operation::TransactWriteItems { actions } => {
                actions.retain(|action| !of_it(action));
                let is_left = !is_about || !pattern.entities.is_empty();
                !actions.is_empty() && (is_left || actions.iter().any(of_others))
            }
            _ => !is_put && !pattern.entities.is_empty(),
        }
    });
}

/// Takes an attribute of an entity away, with its values in the samples. Templates that refer to it stay as
/// typed: their items then say what is missing.
pub(super) fn attribute(
    design: &mut Design,
    id: EntityId,
    attribute: AttributeId,
) -> Result<(), Refused> {
    let attributes = &mut entity(design, id)?.attributes;
    let name = attributes.remove(position(attributes, attribute)?).name;
    if let Some(samples) = design.samples.get_mut(&id) {
        for sample in Arc::make_mut(samples) {
            if sample.values.contains_key(&name) {
                Arc::make_mut(sample).values.remove(&name);
            }
        }
    }
    Ok(())
}
