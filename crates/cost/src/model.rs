//! The load of a design: what its access patterns read and write in the table and each index, and what is stored.

use crate::assume::{Assumptions, PatternTraffic, Sampled, assume, sampled};
use crate::heat::Targets;
use crate::units::{PatternUnits, Units, of_pattern};
use keyfold_core::engine::query::{TableSnapshot, write_units};
use keyfold_core::engine::{Items, materialize_all};
use keyfold_core::lint::mergeable_indexes;
use keyfold_core::model::{
    AccessPattern, AccessPatternId, Design, EntityId, HOURS_PER_MONTH, IndexId, IndexKind,
    Operation, Rate, SortedMap,
};
use keyfold_core::slices::{finish, pause};
use serde::Serialize;
use std::sync::Arc;

/// DynamoDB's overhead for each item and each index entry, in bytes. Source: "Best practices for using secondary indexes:
/// General guidelines" and "Item sizes and formats", Developer Guide.
pub const OVERHEAD_BYTES: f64 = 100.0;
/// Bytes of a GB in prices and limits.
pub const GB: f64 = (1u64 << 30) as f64;

/// What a design loads its table and indexes with.
#[derive(Debug, Clone)]
pub struct CostModel {
    /// The design.
    pub design: Design,
    /// The workload without gaps.
    pub assumptions: Assumptions,
    /// Each access pattern with what a request costs, or why it cannot be counted.
    pub patterns: SortedMap<AccessPatternId, Result<PatternUnits, String>>,
    /// The load of the table and each index.
    pub loads: SortedMap<IndexId, Load>,
    /// The GSIs that can be one overloaded GSI, in groups; the first one of each can take the others.
    pub mergeable: Arc<Vec<Vec<IndexId>>>,
    sampled: Arc<SortedMap<EntityId, Sampled>>,
    /// The partition keys that the heat knows already.
    pub(crate) targets: Arc<Targets>,
}

/// The load of the table or an index, in units per second.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Load {
    /// Average read units.
    pub read: f64,
    /// Average write units.
    pub write: f64,
    /// Average write units in each replica Region.
    pub replicated: f64,
    /// Read units if all access patterns are at their peaks.
    pub peak_read: f64,
    /// Write units if all access patterns are at their peaks.
    pub peak_write: f64,
}

impl Load {
    pub(crate) fn times(self, factor: f64) -> Load {
        Load {
            read: self.read * factor,
            write: self.write * factor,
            replicated: self.replicated * factor,
            peak_read: self.peak_read * factor,
            peak_write: self.peak_write * factor,
        }
    }

    pub(crate) fn add(&mut self, other: Load) {
        self.read += other.read;
        self.write += other.write;
        self.replicated += other.replicated;
        self.peak_read += other.peak_read;
        self.peak_write += other.peak_write;
    }
}

impl CostModel {
    /// The model of a design and its samples.
    pub fn of(design: &Design) -> CostModel {
        let items = materialize_all(design);
        let lists: Vec<_> = items.values().cloned().collect();
        CostModel::new(&TableSnapshot::new(design, &lists), &items)
    }

    /// The model of the design of a snapshot and its items.
    pub fn new(stored: &TableSnapshot, items: &SortedMap<EntityId, Arc<Items>>) -> CostModel {
        finish(CostModel::build(stored, items, stored.design(), None))
    }

    /// Like [`CostModel::new`], with pauses, for a design that has the keys, the entities and the samples of the
    /// snapshot. `before` is a model of the same snapshot: what its workload and its access patterns have in common with
    /// those of the design is taken over.
    pub async fn in_slices(
        stored: Arc<TableSnapshot>,
        items: SortedMap<EntityId, Arc<Items>>,
        design: Design,
        before: Option<Arc<CostModel>>,
    ) -> CostModel {
        CostModel::build(&stored, &items, &design, before.as_deref()).await
    }

    async fn build(
        stored: &TableSnapshot,
        items: &SortedMap<EntityId, Arc<Items>>,
        design: &Design,
        before: Option<&CostModel>,
    ) -> CostModel {
        let sampled = match before {
            Some(before) => before.sampled.clone(),
            None => Arc::new(sampled(design, items)),
        };
        let is_same = |before: &&CostModel| {
            has_same_keys(&before.design, design)
                && before.design.access_patterns == design.access_patterns
        };
        let mergeable = match before.filter(is_same) {
            Some(before) => before.mergeable.clone(),
            None => {
                pause().await;
                Arc::new(mergeable_indexes(design))
            }
        };
        let assumptions = assume(design, &sampled);
        let empty = TableSnapshot::new(design, &[]);
        let before = before.map(|before| (before, Same::new(before, design, &assumptions)));
        let targets = match &before {
            Some((before, same)) if same.items && same.requests => before.targets.clone(),
            _ => Arc::default(),
        };
        let mut patterns = SortedMap::new();
        for (id, pattern) in &design.access_patterns {
            let traffic = &assumptions.patterns[id];
            let known = before.as_ref().and_then(|(before, same)| {
                let is_known = same.units(before, *id, pattern, traffic);
                before.patterns.get(id).filter(|_| is_known)
            });
            let units = match known {
                Some(known) => known.clone(),
                None => {
                    pause().await;
                    of_pattern(stored, &empty, design, *id, &assumptions)
                }
            };
            patterns.insert(*id, units);
        }
        let mut model = CostModel {
            design: design.clone(),
            assumptions,
            patterns,
            loads: SortedMap::new(),
            mergeable,
            sampled,
            targets,
        };
        model.loads = model.load();
        model
    }

    fn load(&self) -> SortedMap<IndexId, Load> {
        let mut loads: SortedMap<IndexId, Load> = SortedMap::new();
        for index in self.design.index_ids() {
            loads.insert(index, Load::default());
        }
        for (id, found) in &self.patterns {
            let Ok(found) = found else { continue };
            for (index, load) in self.pattern_loads(*id, &found.units) {
                loads.entry(index).or_default().add(load);
            }
        }
        for (index, load) in loads.iter_mut() {
            load.replicated += self.expired(*index);
        }
        loads
    }

    /// The load of an access pattern on the table and each index.
    pub fn pattern_loads(&self, id: AccessPatternId, units: &Units) -> SortedMap<IndexId, Load> {
        let Some(traffic) = self.assumptions.patterns.get(&id) else {
            return SortedMap::new();
        };
        units.loads(traffic.average.value, traffic.peak.value)
    }

    /// Write units per second for deletes by time to live in each replica Region. They are free where the item expires.
    /// Source: "Using time to live (TTL) in DynamoDB", Developer Guide.
    fn expired(&self, index: IndexId) -> f64 {
        let mut units = 0.0;
        for data in self.assumptions.entities.values() {
            if let Some(entries) = data.entries.get(&index) {
                let each = write_units(entries.bytes as usize) * entries.share;
                units += Rate::PerMonth(data.expired_per_month()).per_second() * each;
            }
        }
        units
    }

    /// Entries of the table or an index after some months.
    pub fn entries(&self, index: IndexId, months: f64) -> f64 {
        let mut count = 0.0;
        for data in self.assumptions.entities.values() {
            let share = data
                .entries
                .get(&index)
                .map_or(0.0, |entries| entries.share);
            count += data.items_after(months).max(0.0) * share;
        }
        count
    }

    /// Storage of the table or an index after some months, in GB, with DynamoDB's overhead.
    pub fn storage(&self, index: IndexId, months: f64) -> f64 {
        let mut bytes = 0.0;
        for data in self.assumptions.entities.values() {
            if let Some(entries) = data.entries.get(&index) {
                let each = entries.share * (entries.bytes + OVERHEAD_BYTES);
                bytes += data.items_after(months).max(0.0) * each;
            }
        }
        bytes / GB
    }

    /// Whether the table serves the index: the table itself and its LSIs, which share its capacity and partitions.
    pub fn is_local(&self, index: IndexId) -> bool {
        let index = self.design.indexes.get(&index);
        index.is_none_or(|index| index.kind == IndexKind::Lsi)
    }

    /// The table with its LSIs, then each GSI: what has capacity and partitions of its own.
    pub fn resources(&self) -> Vec<(IndexId, Load)> {
        self.resources_of(&self.loads)
    }

    /// As [`CostModel::resources`], of other loads.
    pub(crate) fn resources_of(&self, loads: &SortedMap<IndexId, Load>) -> Vec<(IndexId, Load)> {
        let mut table = Load::default();
        let mut resources = Vec::new();
        for (index, load) in loads {
            match self.is_local(*index) {
                true => table.add(*load),
                false => resources.push((*index, *load)),
            }
        }
        resources.insert(0, (IndexId::PRIMARY, table));
        resources
    }
}

/// Whether two designs share the entities and the indexes.
fn has_same_keys(one: &Design, other: &Design) -> bool {
    fn same<K: PartialEq, V>(one: &SortedMap<K, Arc<V>>, other: &SortedMap<K, Arc<V>>) -> bool {
        one.len() == other.len()
            && (one.iter().zip(other.iter())).all(|(a, b)| a.0 == b.0 && Arc::ptr_eq(a.1, b.1))
    }
    same(&one.entities, &other.entities)
        && same(&one.indexes, &other.indexes)
        && Arc::ptr_eq(&one.table, &other.table)
        && Arc::ptr_eq(&one.delimiter, &other.delimiter)
}

/// Whether two designs share entities and indexes, and requests fall on the same keys. Rates may differ.
fn has_same_requests(one: &Design, other: &Design) -> bool {
    let same = |id: &AccessPatternId, pattern: &AccessPattern| {
        let skews = |design: &Design| {
            let traffic = design.workload.patterns.get(id)?;
            Some(traffic.parameters.clone()).filter(|all| !all.is_empty())
        };
        let before = one.access_patterns.get(id);
        before.is_some_and(|old| {
            old.operation == pattern.operation && old.entities == pattern.entities
        }) && skews(one) == skews(other)
    };
    has_same_keys(one, other)
        && one.access_patterns.len() == other.access_patterns.len()
        && (other.access_patterns.iter()).all(|(id, pattern)| same(id, pattern))
}

/// What the data of two workloads have in common.
struct Same {
    /// The sizes of items.
    sizes: bool,
    /// The numbers of items, and how long they are kept.
    items: bool,
    /// The keys that requests fall on.
    requests: bool,
}

impl Same {
    fn new(before: &CostModel, design: &Design, new: &Assumptions) -> Same {
        let old = &before.assumptions;
        let pairs = || old.entities.iter().zip(new.entities.iter());
        let same = old.entities.len() == new.entities.len() && pairs().all(|(a, b)| a.0 == b.0);
        Same {
            sizes: same
                && pairs().all(|(a, b)| a.1.bytes == b.1.bytes && a.1.entries == b.1.entries),
            items: same
                && pairs()
                    .all(|(a, b)| a.1.items == b.1.items && a.1.days_kept() == b.1.days_kept()),
            requests: has_same_requests(&before.design, design),
        }
    }

    /// Whether a request of an access pattern costs the same units as in the model before. Its rates may differ.
    fn units(
        &self,
        before: &CostModel,
        id: AccessPatternId,
        pattern: &AccessPattern,
        traffic: &PatternTraffic,
    ) -> bool {
        let is_same = |old: &AccessPattern| {
            (&old.operation, &old.entities, old.sample, &old.parameters)
                == (
                    &pattern.operation,
                    &pattern.entities,
                    pattern.sample,
                    &pattern.parameters,
                )
        };
        let rates = |old: &PatternTraffic| PatternTraffic {
            average: traffic.average,
            peak: traffic.peak,
            ..old.clone()
        };
        let old = before.design.access_patterns.get(&id);
        let old_traffic = before.assumptions.patterns.get(&id);
        let is_counted = match pattern.operation {
            Operation::Scan { .. } => self.items,
            Operation::Query { .. } => self.items && self.requests,
            _ => true,
        };
        self.sizes
            && is_counted
            && old.is_some_and(|old| is_same(old))
            && old_traffic.is_some_and(|old| rates(old) == *traffic)
    }
}

/// Units in a month of 730 hours at a rate per second.
pub(crate) fn monthly(per_second: f64) -> f64 {
    per_second * HOURS_PER_MONTH * 3600.0
}
