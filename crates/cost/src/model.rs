//! The load of a design: what its access patterns read and write in the table and each index, and what is stored.

use crate::assume::{Assumptions, assume};
use crate::units::{PatternUnits, Units, of_pattern};
use keyfold_core::engine::query::{TableSnapshot, write_units};
use keyfold_core::engine::{Items, materialize_all};
use keyfold_core::model::{
    AccessPatternId, Design, EntityId, HOURS_PER_MONTH, IndexId, IndexKind, Rate, SortedMap,
};
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
        let design = stored.design();
        let empty = TableSnapshot::new(design, &[]);
        let assumptions = assume(design, items);
        let mut patterns = SortedMap::new();
        for (id, pattern) in &design.access_patterns {
            let traffic = &assumptions.patterns[id];
            let units = of_pattern(stored, &empty, pattern, traffic, &assumptions);
            patterns.insert(*id, units);
        }
        let mut model = CostModel {
            design: design.clone(),
            assumptions,
            patterns,
            loads: SortedMap::new(),
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
        let mut loads: SortedMap<IndexId, Load> = SortedMap::new();
        let Some(traffic) = self.assumptions.patterns.get(&id) else {
            return loads;
        };
        let (average, peak) = (traffic.average.value, traffic.peak.value);
        for (index, units) in &units.read {
            let load = loads.entry(*index).or_default();
            load.read += units * average;
            load.peak_read += units * peak;
        }
        for (index, units) in &units.write {
            let load = loads.entry(*index).or_default();
            load.write += units * average;
            load.peak_write += units * peak;
        }
        for (index, units) in &units.replicated {
            loads.entry(*index).or_default().replicated += units * average;
        }
        loads
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
        let mut table = Load::default();
        let mut resources = Vec::new();
        for (index, load) in &self.loads {
            match self.is_local(*index) {
                true => table.add(*load),
                false => resources.push((*index, *load)),
            }
        }
        resources.insert(0, (IndexId::PRIMARY, table));
        resources
    }
}

/// Units in a month of 730 hours at a rate per second.
pub(crate) fn monthly(per_second: f64) -> f64 {
    per_second * HOURS_PER_MONTH * 3600.0
}
