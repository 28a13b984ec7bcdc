//! What each access pattern and each index takes of the bill.

use super::{Mode, throughput};
use crate::CostModel;
use crate::bill::Capacity;
use crate::model::monthly;
use crate::prices::Prices;
use keyfold_core::model::{AccessPatternId, IndexId};
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
    /// US dollars in a month at on-demand prices; `None` if a price is missing.
    pub amount: Option<f64>,
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
    /// US dollars in a month at on-demand prices, with storage before the free GB; `None` if a price is missing.
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
        for (index, load) in model.pattern_loads(*id, &found.units) {
            read += monthly(load.read);
            write += monthly(load.write);
            more.entry(index).or_default().add(load.times(0.1));
        }
        let more = throughput(model, &more, prices, own);
        shares.push(PatternShare {
            pattern: *id,
            read_units: read,
            write_units: write,
            amount: amount(model, prices, read, write),
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
    let storage = prices.price(Mode::of(model).storage());
    let of = |(index, load): (&IndexId, &crate::model::Load)| {
        let (read, write) = (monthly(load.read), monthly(load.write));
        let gb = model.storage(*index, 0.0);
        let throughput = amount(model, prices, read, write);
        IndexShare {
            index: *index,
            read_units: read,
            write_units: write,
            gb,
            amount: (throughput.zip(storage)).map(|(amount, price)| amount + gb * price),
        }
    };
    model.loads.iter().map(of).collect()
}

/// The on-demand price of units in the class of the table; a kind without units needs no price.
fn amount(model: &CostModel, prices: &Prices, read: f64, write: f64) -> Option<f64> {
    let mode = Mode::new(Capacity::OnDemand, model.design.table.class);
    let mut sum = 0.0;
    for (units, line) in [(read, mode.reads()), (write, mode.writes())] {
        if units > 0.0 {
            sum += units / line.per() * prices.price(line)?;
        }
    }
    Some(sum)
}
