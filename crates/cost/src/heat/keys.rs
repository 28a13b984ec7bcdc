//! The kinds of partition keys of the table or an index, with the load of each key.
//!
//! Templates that differ only in the names of placeholders write keys of the same kind, such as `USER#{userId}` and
//! `USER#{createdBy}`. The most popular value of each access pattern is the same key.

use super::cure::present_shards;
use super::popularity::Popularity;
use super::targets::{pattern_targets, stored_target};
use super::{KeyLevel, utilization};
use crate::CostModel;
use crate::units::PatternUnits;
use keyfold_core::engine::query::read_units;
use keyfold_core::model::{AccessPatternId, Entity, EntityId, IndexId, Operation, SortedMap};
use serde::Serialize;
use std::sync::Arc;

/// Partition keys of one kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyHeat {
    /// The template of the first entity or access pattern that has it: `TENANT#{tenantId}`.
    pub template: String,
    /// The kind: the template without names.
    pub kind: String,
    /// The first entity whose items have such keys; `None` if only an access pattern asks for them.
    pub entity: Option<EntityId>,
    /// The first attribute whose number of values is a guess from the samples.
    pub guessed: Option<String>,
    /// The load of the hottest key.
    pub hottest: KeyLevel,
    /// All keys, the hottest first.
    pub levels: Vec<KeyLevel>,
    /// The access patterns that load it.
    pub contributors: Vec<Contributor>,
    /// How many times the traffic can grow until the hottest key throttles: below 1 it does. `None` without load.
    pub throttles_at: Option<f64>,
    /// The smallest number of shards that the hottest key needs, together with those that it has; `None` if no number
    /// helps.
    pub shards: Option<u32>,
    /// The number of shards that the keys have already; 1 without.
    pub present_shards: u32,
}

/// What an access pattern loads the hottest key with.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Contributor {
    /// The access pattern.
    pub pattern: AccessPatternId,
    /// Read units per second.
    pub read: f64,
    /// Write units per second.
    pub write: f64,
    /// Requests per second for the hottest key.
    pub requests: f64,
    /// Read units that one more request for another shard costs at least; 0 if a request needs one shard only.
    pub least_read: f64,
}

/// The kinds of partition keys of the table with its LSIs, or of a GSI, the hottest first.
pub fn keys(model: &CostModel, index: IndexId) -> Vec<KeyHeat> {
    let mut kinds: SortedMap<String, Kind> = SortedMap::new();
    for (id, found) in &model.patterns {
        if let Ok(units) = found {
            pattern(model, index, *id, units, &mut kinds);
        }
    }
    for (id, entity) in &model.design.entities {
        stored(model, index, *id, entity, &mut kinds);
    }
    let mut all: Vec<KeyHeat> = kinds
        .into_iter()
        .map(|(kind, of)| of.finish(kind))
        .collect();
    all.sort_by(|left, right| {
        let key = |heat: &KeyHeat| heat.hottest.utilization();
        key(right).total_cmp(&key(left))
    });
    all
}

#[derive(Default)]
struct Kind {
    template: String,
    entity: Option<EntityId>,
    guessed: Option<String>,
    present_shards: u32,
    /// Each popularity with the read units, write units and bytes that fall on it.
    parts: Vec<(Arc<Popularity>, [f64; 3])>,
    contributors: Vec<Contributor>,
}

impl Kind {
    fn finish(self, kind: String) -> KeyHeat {
        let levels = aligned(&self.parts);
        let hottest = levels
            .iter()
            .copied()
            .fold(KeyLevel::default(), |one, other| KeyLevel {
                count: 1.0,
                read: one.read.max(other.read),
                write: one.write.max(other.write),
                bytes: one.bytes.max(other.bytes),
            });
        let share = utilization(hottest.read, hottest.write);
        let present_shards = self.present_shards.max(1);
        KeyHeat {
            shards: super::shards(&self.contributors)
                .map(|parts| parts.saturating_mul(present_shards)),
            present_shards,
            template: self.template,
            entity: self.entity,
            guessed: self.guessed,
            kind,
            hottest,
            levels,
            throttles_at: (share > 0.0).then(|| 1.0 / share),
            contributors: self.contributors,
        }
    }
}

/// The keys of several distributions, rank by rank.
pub(super) fn aligned(parts: &[(Arc<Popularity>, [f64; 3])]) -> Vec<KeyLevel> {
    // The position in each part: its level, and the values of that level that are left.
    let mut at: Vec<(usize, f64)> = parts
        .iter()
        .map(|(popularity, _)| {
            (
                0,
                popularity.levels().first().map_or(0.0, |level| level.count),
            )
        })
        .collect();
    let mut all = Vec::new();
    loop {
        let left = at.iter().map(|(_, left)| *left).filter(|left| *left > 0.0);
        let count = left.fold(f64::INFINITY, f64::min);
        if count.is_infinite() {
            return all;
        }
        let mut level = KeyLevel {
            count,
            ..KeyLevel::default()
        };
        for ((popularity, [read, write, bytes]), (number, left)) in parts.iter().zip(&mut at) {
            if *left <= 0.0 {
                continue;
            }
            let share = popularity.levels()[*number].share;
            level.read += read * share;
            level.write += write * share;
            level.bytes += bytes * share;
            *left -= count;
            if *left <= 0.0 {
                *number += 1;
                *left = popularity
                    .levels()
                    .get(*number)
                    .map_or(0.0, |level| level.count);
            }
        }
        all.push(level);
    }
}

/// Adds the load of an access pattern.
fn pattern(
    model: &CostModel,
    index: IndexId,
    id: AccessPatternId,
    found: &PatternUnits,
    kinds: &mut SortedMap<String, Kind>,
) {
    let design = &model.design;
    let pattern = &design.access_patterns[&id];
    let peak = model.assumptions.patterns[&id].peak.value;
    let sum = |units: &SortedMap<IndexId, f64>| -> f64 {
        let own = units
            .iter()
            .filter(|(other, _)| served_by(model, **other) == index);
        own.map(|(_, units)| units).sum()
    };
    let read = sum(&found.units.read) * peak;
    if read + sum(&found.units.write) * peak <= 0.0 {
        return;
    }
    let is_query = matches!(pattern.operation, Operation::Query { .. });
    let targets = pattern_targets(model, index, id, found);
    let each = 1.0 / targets.len().max(1) as f64;
    for target in targets.iter() {
        let (read, write) = match target.action {
            Some(action) => (0.0, sum(&found.actions[action].write) * peak),
            None => (read * each, 0.0),
        };
        if read + write <= 0.0 {
            continue;
        }
        let kind = kinds.entry(target.kind.clone()).or_default();
        if kind.template.is_empty() {
            kind.template.clone_from(&target.template);
        }
        kind.present_shards = kind.present_shards.max(present_shards(&target.template));
        kind.guessed = kind.guessed.take().or_else(|| target.guessed.clone());
        let top = target.popularity.top();
        let consistent = pattern.operation.read().is_some_and(|read| read.consistent);
        kind.contributors.push(Contributor {
            pattern: id,
            read: read * top,
            write: write * top,
            requests: peak * top,
            least_read: if is_query {
                read_units(0, consistent)
            } else {
                0.0
            },
        });
        kind.parts
            .push((target.popularity.clone(), [read, write, 0.0]));
    }
}

/// The table with its LSIs, or the GSI, whose partitions serve an index.
pub(super) fn served_by(model: &CostModel, index: IndexId) -> IndexId {
    if model.is_local(index) {
        IndexId::PRIMARY
    } else {
        index
    }
}

/// Adds the item collections of an entity.
fn stored(
    model: &CostModel,
    index: IndexId,
    id: EntityId,
    entity: &Entity,
    kinds: &mut SortedMap<String, Kind>,
) {
    let data = &model.assumptions.entities[&id];
    let locals = (data.entries.iter()).filter(|(other, _)| served_by(model, **other) == index);
    let each: f64 = locals
        .map(|(_, entries)| entries.share * (entries.bytes + crate::model::OVERHEAD_BYTES))
        .sum();
    if each <= 0.0 {
        return;
    }
    let bytes = data.items.value * each;
    for target in stored_target(model, index, id, entity).iter() {
        let kind = kinds.entry(target.kind.clone()).or_default();
        if kind.template.is_empty() {
            kind.template.clone_from(&target.template);
        }
        kind.present_shards = kind.present_shards.max(present_shards(&target.template));
        kind.entity.get_or_insert(id);
        kind.parts
            .push((target.popularity.clone(), [0.0, 0.0, bytes]));
    }
}
