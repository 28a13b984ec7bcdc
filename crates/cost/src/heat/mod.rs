//! Heat: the load of the hottest partition key and the hottest partition of the table and each GSI, against what a
//! partition serves. All access patterns are at their peaks.
//!
//! [`simulate`] distributes the keys over partitions that split, [`IndexHeat::bound`] is the analytic bound beside it,
//! and [`cure`] proposes write sharding. A Scan loads all keys alike, and is not in the load of a key.

mod collection;
mod cure;
mod dimensions;
mod keys;
mod layer;
mod popularity;
mod simulate;
mod targets;

pub(crate) use collection::{Fixed, Found, fixed, found, mean};
pub use cure::{Cure, Followed, NoShards, PatternEdit, TemplateEdit, cure, needed_shards, shards};
pub use keys::{Contributor, KeyHeat};
pub use layer::{HeatLayer, HeatLevel, HeatMark, layer};
pub use popularity::{Level, Popularity};
pub use simulate::{Simulation, simulate, simulate_in_slices};
pub(crate) use targets::Targets;

use crate::CostModel;
use keyfold_core::model::limits::{
    NEW_TABLE_READ_UNITS, NEW_TABLE_WRITE_UNITS, PARTITION_BYTES, PARTITION_READ_UNITS,
    PARTITION_WRITE_UNITS,
};
use keyfold_core::model::{Billing, IndexId, IndexKind};
use serde::Serialize;

/// Keys that take the same load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct KeyLevel {
    /// Number of keys.
    pub count: f64,
    /// Read units per second of each.
    pub read: f64,
    /// Write units per second of each.
    pub write: f64,
    /// Bytes of each item collection.
    pub bytes: f64,
}

impl KeyLevel {
    /// The larger of the shares that the load takes of a partition's read and write units: above 1 it throttles.
    pub fn utilization(&self) -> f64 {
        utilization(self.read, self.write)
    }
}

/// The larger of the shares that a load takes of what one partition serves.
pub fn utilization(read: f64, write: f64) -> f64 {
    (read / PARTITION_READ_UNITS).max(write / PARTITION_WRITE_UNITS)
}

/// The units per second beyond what one partition serves.
pub fn excess(read: f64, write: f64) -> f64 {
    (read - PARTITION_READ_UNITS).max(0.0) + (write - PARTITION_WRITE_UNITS).max(0.0)
}

/// The heat of the table or a GSI.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IndexHeat {
    /// The table with its LSIs, or the GSI.
    pub index: IndexId,
    /// Read units per second at the peak.
    pub read: f64,
    /// Write units per second at the peak.
    pub write: f64,
    /// Kinds of partition keys, the hottest first.
    pub keys: Vec<KeyHeat>,
    /// Whether an item collection can be larger than a partition: the key has a sort key and the table no LSI.
    pub splits_collections: bool,
    /// The analytic bound.
    pub bound: Bound,
    /// Whether a new on-demand table cannot serve the peak at once. `false` for a provisioned table.
    pub exceeds_new_table: bool,
    /// Whether the writes of a hot GSI key throttle the writes of the table. Source: "GSI write throttling and back
    /// pressure", Developer Guide.
    pub back_pressure: bool,
    /// Whether an item collection exceeds 10 GB, which a table with LSIs refuses.
    pub collection_too_large: bool,
}

/// What any distribution of the keys over partitions comes to at least.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Bound {
    /// Number of partitions, at least.
    pub partitions: f64,
    /// Share that the hottest partition takes of what it can serve, at least: of the hottest key, or of the average
    /// partition.
    pub utilization: f64,
    /// Units per second that throttle after all splits: what single keys take beyond a partition.
    pub throttled: f64,
}

/// The heat of the table and each GSI.
pub fn heat(model: &CostModel) -> Vec<IndexHeat> {
    let design = &model.design;
    let has_lsi = design
        .indexes
        .values()
        .any(|index| index.kind == IndexKind::Lsi);
    let mut all = Vec::new();
    for (index, load) in model.resources() {
        let keys = keys::keys(model, index);
        let has_sort = design.key(index).is_some_and(|key| !key.sort.is_empty());
        let is_table = index.is_primary();
        let splits_collections = has_sort && !(is_table && has_lsi);
        let warm = match is_table {
            true => design.table.warm_throughput,
            false => design
                .indexes
                .get(&index)
                .and_then(|index| index.warm_throughput),
        };
        let warm_read = warm.and_then(|warm| warm.read).unwrap_or_default() as f64;
        let warm_write = warm.and_then(|warm| warm.write).unwrap_or_default() as f64;
        let exceeds = load.peak_read > NEW_TABLE_READ_UNITS.max(warm_read)
            || load.peak_write > NEW_TABLE_WRITE_UNITS.max(warm_write);
        let hottest_write = keys.iter().map(|key| key.hottest.write).fold(0.0, f64::max);
        let largest = keys.iter().map(|key| key.hottest.bytes).fold(0.0, f64::max);
        all.push(IndexHeat {
            index,
            read: load.peak_read,
            write: load.peak_write,
            bound: bound(&keys, splits_collections),
            keys,
            splits_collections,
            exceeds_new_table: exceeds && matches!(design.table.billing, Billing::OnDemand(_)),
            back_pressure: !is_table && hottest_write > PARTITION_WRITE_UNITS,
            collection_too_large: is_table && has_lsi && largest > PARTITION_BYTES,
        });
    }
    all
}

/// The bound of these keys. A partition serves no more of a key than it can, and holds a collection that does not split
/// whatever its size.
pub fn bound(keys: &[KeyHeat], splits_collections: bool) -> Bound {
    let mut bound = Bound {
        partitions: 1.0,
        utilization: 0.0,
        throttled: 0.0,
    };
    let (mut read, mut write, mut bytes) = (0.0, 0.0, 0.0);
    for level in keys.iter().flat_map(|key| &key.levels) {
        read += level.count * level.read.min(PARTITION_READ_UNITS);
        write += level.count * level.write.min(PARTITION_WRITE_UNITS);
        bytes += level.count
            * match splits_collections {
                true => level.bytes,
                false => level.bytes.min(PARTITION_BYTES),
            };
        bound.utilization = bound.utilization.max(level.utilization());
        bound.throttled += level.count * excess(level.read, level.write);
    }
    let served = utilization(read, write);
    bound.partitions = (bytes / PARTITION_BYTES).max(served).ceil().max(1.0);
    bound.utilization = bound.utilization.max(served / bound.partitions);
    bound
}
