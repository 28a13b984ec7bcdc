//! Which partition keys requests and stored items are about, with the number of their values and how requests fall on
//! them.

use super::dimensions::Dimensions;
use super::popularity::Popularity;
use crate::CostModel;
use crate::forms::{addressed, parsed, partition_templates};
use crate::units::PatternUnits;
use keyfold_core::model::{
    AccessPatternId, Design, Entity, EntityId, IndexId, Operation, SortedMap, WriteAction,
    entities_of,
};
use keyfold_core::template::Template;
use std::sync::{Arc, Mutex, PoisonError};

/// A partition key of a request or of an entity's items.
#[derive(Debug)]
pub(super) struct Target {
    /// The number of the action that writes it; `None` for reads and stored items.
    pub action: Option<usize>,
    pub kind: String,
    pub template: String,
    /// The first attribute whose number of values is a guess from the samples.
    pub guessed: Option<String>,
    pub popularity: Arc<Popularity>,
}

type Known<K> = Mutex<SortedMap<K, Arc<Vec<Target>>>>;

/// The partition keys of requests and items that are known already. They do not depend on rates, so that an edit of a rate
/// finds all of them.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    of_patterns: Known<(IndexId, AccessPatternId)>,
    of_entities: Known<(IndexId, EntityId)>,
}

/// What is known under a key, or made now.
fn known<K: Ord + Copy>(
    all: &Known<K>,
    key: K,
    make: impl FnOnce() -> Vec<Target>,
) -> Arc<Vec<Target>> {
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    all.entry(key).or_insert_with(|| Arc::new(make())).clone()
}

/// Each partition key of a request, on the table or an index.
pub(super) fn pattern_targets(
    model: &CostModel,
    index: IndexId,
    id: AccessPatternId,
    found: &PatternUnits,
) -> Arc<Vec<Target>> {
    known(&model.targets.of_patterns, (index, id), || {
        find_targets(model, index, id, found)
    })
}

fn find_targets(
    model: &CostModel,
    index: IndexId,
    id: AccessPatternId,
    found: &PatternUnits,
) -> Vec<Target> {
    let design = &model.design;
    let pattern = &design.access_patterns[&id];
    let intended: Vec<EntityId> = entities_of(pattern).collect();
    let target = |action, templates: Vec<Template>, entities: Vec<EntityId>| {
        let mut dimensions = Dimensions::new(design, &model.assumptions, index, &entities);
        dimensions.pattern = Some(id);
        Target {
            action,
            ..dimensions.target(&templates)
        }
    };
    let read = |partition: &[String]| {
        let templates = parsed(partition);
        let entities = addressed(design, index, &intended, &templates);
        target(None, templates, entities)
    };
    match &pattern.operation {
        Operation::Query { partition, .. } => vec![read(partition)],
        Operation::Scan { .. } => Vec::new(),
        Operation::Write(_) | Operation::TransactWriteItems { .. } => {
            let actions = pattern.operation.actions().iter().zip(&found.actions);
            let keys = actions.enumerate().filter_map(|(at, (action, units))| {
                let (templates, entities) =
                    written_key(design, index, action, units.entity, &intended)?;
                Some(target(Some(at), templates, entities))
            });
            keys.collect()
        }
        operation => {
            let keys = operation.keys().into_iter();
            keys.map(|key| read(std::slice::from_ref(&key.partition)))
                .collect()
        }
    }
}

/// The partition key that a write action writes in the table or an index, and the entities that have it; `None` if it writes
/// none. `entity` is that of its item, if that is known.
fn written_key(
    design: &Design,
    index: IndexId,
    action: &WriteAction,
    entity: Option<EntityId>,
    intended: &[EntityId],
) -> Option<(Vec<Template>, Vec<EntityId>)> {
    if let (Some(key), true) = (action.key(), index.is_primary()) {
        let templates = parsed(std::slice::from_ref(&key.partition));
        let entities = match entity {
            Some(entity) => vec![entity],
            None => addressed(design, index, intended, &templates),
        };
        return Some((templates, entities));
    }
    let written = |id: EntityId| {
        let templates = partition_templates(design, design.entities.get(&id)?, index)?;
        Some((templates, vec![id]))
    };
    match entity {
        Some(entity) => written(entity),
        None => intended.iter().copied().find_map(written),
    }
}

/// The kind of an entity's partition keys in the table or a GSI; `None` if it has none there.
pub(super) fn kind_of(
    model: &CostModel,
    index: IndexId,
    id: EntityId,
    entity: &Entity,
) -> Option<String> {
    let own = stored_target(model, index, id, entity);
    own.first().map(|target| target.kind.clone())
}

/// The partition key of an entity's items in the table or a GSI; empty if it has none there.
pub(super) fn stored_target(
    model: &CostModel,
    index: IndexId,
    id: EntityId,
    entity: &Entity,
) -> Arc<Vec<Target>> {
    known(&model.targets.of_entities, (index, id), || {
        let templates = partition_templates(&model.design, entity, index);
        let target = templates.map(|templates| {
            let entities = std::slice::from_ref(&id);
            let mut dimensions =
                Dimensions::new(&model.design, &model.assumptions, index, entities);
            dimensions.stored = true;
            dimensions.target(&templates)
        });
        target.into_iter().collect()
    })
}

pub(super) fn text_of(templates: &[Template]) -> String {
    let texts: Vec<String> = templates.iter().map(Template::to_string).collect();
    texts.join(" / ")
}
