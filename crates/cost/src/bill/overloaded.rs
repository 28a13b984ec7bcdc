//! What one overloaded index in place of several costs.

use super::{Capacity, Mode, throughput};
use crate::CostModel;
use crate::prices::Prices;
use keyfold_core::model::{IndexId, TableClass};
use serde::Serialize;

/// Indexes that can be one overloaded index, and what that saves. An item has as many entries as before, so requests and
/// storage cost the same. Provisioned capacity is rounded up once instead of once for each index.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Overloaded {
    /// The indexes; the first one takes the entries of the others.
    pub indexes: Vec<IndexId>,
    /// US dollars a month that it saves on demand; `None` if a price is missing.
    pub on_demand: Option<f64>,
    /// US dollars a month that it saves with provisioned capacity; `None` if a price is missing.
    pub provisioned: Option<f64>,
}

/// What overloading saves, for each group of indexes that can be one.
pub fn overloaded(model: &CostModel, prices: &Prices, class: TableClass) -> Vec<Overloaded> {
    let of = |indexes: &Vec<IndexId>| {
        let mut loads = model.loads.clone();
        for from in &indexes[1..] {
            if let (Some(load), Some(into)) = (loads.remove(from), loads.get_mut(&indexes[0])) {
                into.add(load);
            }
        }
        let saved = |capacity| {
            let mode = Mode::new(capacity, class);
            let cost = |loads| throughput(model, loads, prices, mode);
            Some(cost(&model.loads)? - cost(&loads)?)
        };
        Overloaded {
            indexes: indexes.clone(),
            on_demand: saved(Capacity::OnDemand),
            provisioned: saved(Capacity::Provisioned),
        }
    };
    model.mergeable.iter().map(of).collect()
}
