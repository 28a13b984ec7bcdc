//! What each access pattern and each index takes of the bill.

use super::{Mode, throughput};
use crate::CostModel;
use crate::bill::Capacity;
use crate::model::{Load, monthly};
use crate::prices::Prices;
use keyfold_core::model::{AccessPatternId, IndexId, SortedMap};
use serde::Serialize;

/// The share of an access pattern.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PatternShare {
    /// The access pattern.
    pub pattern: AccessPatternId,
    /// Read units in a month.
    pub read_units: f64,
    /// Write units in a month, in the table and its indexes.
    pub write_units: f64,
    /// US dollars in a month at on-demand prices, with all replicas; `None` if a price is missing.
    pub amount: Option<f64>,
    /// US dollars of a million requests at on-demand prices, with all replicas; `None` if a price is missing.
    pub million: Option<f64>,
    /// Write units in all for each write unit of the table alone; `None` for reads.
    pub amplification: Option<f64>,
    /// US dollars a month more in the design's own mode if its rate were 10 % higher; `None` if a price is missing.
    pub sensitivity: Option<f64>,
}

/// The share of the table or an index.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct IndexShare {
    /// The table or the index.
    pub index: IndexId,
    /// Read units in a month.
    pub read_units: f64,
    /// Write units in a month.
    pub write_units: f64,
    /// Storage in GB, with DynamoDB's overhead.
    pub gb: f64,
    /// US dollars in a month at on-demand prices, with storage before the free GB and with all replicas; `None` if a price
    /// is missing.
    pub amount: Option<f64>,
}

/// The share of each access pattern that can be counted, the most expensive first.
pub fn pattern_shares(model: &CostModel, prices: &Prices) -> Vec<PatternShare> {
    let mut shares = Vec::new();
    let own = Mode::of(model);
    let now = throughput(model, &model.loads, prices, own);
    for (id, found) in &model.patterns {
        let Ok(found) = found else { continue };
        let (mut read, mut write) = (0.0, 0.0);
        let mut more = model.loads.clone();
        let loads = model.pattern_loads(*id, &found.units);
        for (index, load) in &loads {
            read += monthly(load.read);
            write += monthly(load.write);
            more.entry(*index).or_default().add(load.times(0.1));
        }
        // The rate of a million requests in a month.
        let rate = 1e6 / monthly(1.0);
        let million = found.units.loads(rate, rate);
        let more = throughput(model, &more, prices, own);
        shares.push(PatternShare {
            pattern: *id,
            read_units: read,
            write_units: write,
            amount: amount(model, &loads, prices),
            million: amount(model, &million, prices),
            amplification: found.units.amplification(),
            sensitivity: more.zip(now).map(|(more, now)| more - now),
        });
    }
    let key = |share: &PatternShare| share.amount.unwrap_or(share.read_units + share.write_units);
    shares.sort_by(|left, right| key(right).total_cmp(&key(left)));
    shares
}

/// The share of the table and each index.
pub fn index_shares(model: &CostModel, prices: &Prices) -> Vec<IndexShare> {
    let line = Mode::of(model).storage();
    let replicas = model.design.table.replicas.iter();
    let mut storage = prices.price(line);
    for replica in replicas {
        let own = prices.of_replica(&replica.region).price(line);
        storage = storage.zip(own).map(|(all, own)| all + own);
    }
    let of = |(index, load): (&IndexId, &Load)| {
        let gb = model.storage(*index, 0.0);
        let throughput = amount(model, &SortedMap::from([(*index, *load)]), prices);
        IndexShare {
            index: *index,
            read_units: monthly(load.read),
            write_units: monthly(load.write),
            gb,
            amount: (throughput.zip(storage)).map(|(amount, price)| amount + gb * price),
        }
    };
    model.loads.iter().map(of).collect()
}

/// The on-demand price of loads in the class of the table; a kind without units needs no price.
fn amount(model: &CostModel, loads: &SortedMap<IndexId, Load>, prices: &Prices) -> Option<f64> {
    let mode = Mode::new(Capacity::OnDemand, model.design.table.class);
    throughput(model, loads, prices, mode)
}
