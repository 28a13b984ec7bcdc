//! The data of an entity: its items now, in the months ahead, and what leaves.

use super::{DAYS_PER_MONTH, Figure, PatternTraffic};
use crate::forms::entity_of_key;
use keyfold_core::model::{
    AccessPatternId, Design, EntityId, HOURS_PER_MONTH, IndexId, Rate, SortedMap, WriteAction,
};
use serde::Serialize;

/// The data of an entity.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EntityData {
    /// Items now.
    pub items: Figure,
    /// Items added each month, net of those that requests delete. What time to live deletes is not taken off.
    pub growth: Figure,
    /// Days after which time to live deletes an item.
    pub retention: Option<f64>,
    /// Average size of an item, in bytes.
    pub bytes: Figure,
    /// The entries in the table and each index.
    pub entries: SortedMap<IndexId, Entries>,
}

/// The entries of an entity in the table or an index.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Entries {
    /// Share of the items that have an entry, from 0 to 1.
    pub share: f64,
    /// Average size of an entry in bytes, without DynamoDB's overhead.
    pub bytes: f64,
}

impl EntityData {
    /// Entries in the table or an index now.
    pub fn entries_in(&self, index: IndexId) -> f64 {
        let entries = self.entries.get(&index);
        self.items.value * entries.map_or(0.0, |entries| entries.share)
    }

    /// Items after some months. Items that exist now leave evenly over the retention.
    pub fn items_after(&self, months: f64) -> f64 {
        let (now, growth) = (self.items.value, self.growth.value);
        match self.retention.map(kept) {
            None => now + growth * months,
            Some(kept) => now * (1.0 - months / kept).max(0.0) + growth * months.min(kept),
        }
    }

    /// The days whose items are stored, if the workload tells: the retention, or as long as the items took to grow.
    pub fn days_kept(&self) -> Option<f64> {
        let is_grown = self.items.stated && self.growth.stated && self.growth.value > 0.0;
        let grown = || self.items.value / self.growth.value * DAYS_PER_MONTH;
        self.retention.or_else(|| is_grown.then(grown))
    }

    /// Items that time to live deletes in a month: of those that exist now, and of those added in the month.
    pub fn expired_per_month(&self) -> f64 {
        self.retention.map(kept).map_or(0.0, |kept| {
            let added = self.growth.value.max(0.0) * (1.0 - kept).max(0.0);
            self.items.value * (1.0 / kept).min(1.0) + added
        })
    }
}

/// A retention of some days in months, at least an hour.
fn kept(days: f64) -> f64 {
    (days / DAYS_PER_MONTH).max(1.0 / HOURS_PER_MONTH)
}

/// The items that are added to an entity each month: what its puts with a stated rate create, less what requests with a
/// stated rate delete. Without such a put the number of items is steady: as many are added as time to live deletes.
pub(super) fn growth(
    design: &Design,
    entity: EntityId,
    patterns: &SortedMap<AccessPatternId, PatternTraffic>,
    items: f64,
    retention: Option<f64>,
) -> f64 {
    let (mut is_put, mut growth) = (false, 0.0);
    for (id, pattern) in &design.access_patterns {
        let Some(traffic) = patterns.get(id) else {
            continue;
        };
        if !traffic.average.stated && !traffic.peak.stated {
            continue;
        }
        let monthly = Rate::PerSecond(traffic.average.value).per_month();
        let done = monthly * (1.0 - traffic.failed.value);
        for action in pattern.operation.actions() {
            if action.put() == Some(entity) {
                is_put = true;
                growth += done * (traffic.creates.value - traffic.deletes.value);
            } else if let WriteAction::DeleteItem { key, .. } = action
                && entity_of_key(design, pattern, key) == Some(entity)
            {
                growth -= done;
            }
        }
    }
    match is_put {
        true => growth,
        false => retention.map_or(0.0, |days| items / kept(days)),
    }
}
