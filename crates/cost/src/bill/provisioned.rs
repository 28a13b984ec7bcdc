//! Provisioned capacity: what auto scaling provides on average and at the peak, and where it breaks even.

use super::{Capacity, Mode};
use crate::CostModel;
use crate::model::{Load, monthly};
use crate::prices::Prices;
use keyfold_core::model::{
    Autoscaling, Billing, Design, HOURS_PER_MONTH, IndexId, ProvisionedThroughput, TableClass,
};
use serde::Serialize;

/// Target utilization of auto scaling that a design does not state, in percent. Source: "Managing throughput capacity
/// automatically with DynamoDB auto scaling", Developer Guide.
const TARGET_PERCENT: u8 = 70;
/// Capacity of a table or index by default, in units. Source: "Quotas in Amazon DynamoDB", Developer Guide.
const DEFAULT_MAX: u64 = 40_000;

/// The provisioned capacity of the table or a GSI.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Provision {
    /// The table, which also serves its LSIs, or a GSI.
    pub index: IndexId,
    /// Read capacity.
    pub read: Units,
    /// Write capacity.
    pub write: Units,
}

/// Capacity units of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Units {
    /// The units that are charged, on average over the month.
    pub average: f64,
    /// The units at the peak.
    pub peak: f64,
    /// Consumed units per second at the peak that the capacity cannot serve.
    pub throttled: f64,
}

/// The capacity of the table and each GSI. A table that is on-demand, and an index without capacity of its own, scales
/// with a target of 70 percent from 1 unit to the default quota.
pub fn provisions(model: &CostModel) -> Vec<Provision> {
    provisions_of(model, model.resources())
}

/// As [`provisions`], for other loads of the table and each GSI.
pub(super) fn provisions_of(model: &CostModel, resources: Vec<(IndexId, Load)>) -> Vec<Provision> {
    let table = match &model.design.table.billing {
        Billing::Provisioned(provisioned) => Some(provisioned),
        Billing::OnDemand(_) => None,
    };
    let of = |(index, load): (IndexId, Load)| {
        let own = model.design.indexes.get(&index);
        let own = own.and_then(|index| index.provisioned.as_ref());
        let stated = table.map(|table| own.unwrap_or(table));
        let side =
            |fixed: fn(&ProvisionedThroughput) -> (u64, Option<Autoscaling>), average, peak| {
                match stated.map(fixed) {
                    Some((units, None)) => fixed_at(units as f64, peak),
                    Some((_, Some(scaling))) => scaled(scaling, average, peak),
                    None => scaled(assumed(), average, peak),
                }
            };
        Provision {
            index,
            read: side(
                |own| (own.read, own.read_scaling),
                load.read,
                load.peak_read,
            ),
            write: side(
                |own| (own.write, own.write_scaling),
                load.write,
                load.peak_write,
            ),
        }
    };
    resources.into_iter().map(of).collect()
}

/// What provisioned capacity is taken to be: that of the design, or what is assumed without it.
pub fn provision_note(design: &Design) -> String {
    match &design.table.billing {
        Billing::Provisioned(_) => {
            "Provisioned: the capacity that the design sets; with auto scaling, the capacity at which the average rate meets the target utilization."
                .to_owned()
        }
        Billing::OnDemand(_) => format!(
            "Provisioned: assumes auto scaling with a target utilization of {TARGET_PERCENT}%. A short peak above the capacity can be throttled."
        ),
    }
}

fn assumed() -> Autoscaling {
    Autoscaling {
        min: 1,
        max: DEFAULT_MAX,
        target_percent: TARGET_PERCENT,
    }
}

fn fixed_at(units: f64, peak: f64) -> Units {
    Units {
        average: units,
        peak: units,
        throttled: (peak - units).max(0.0),
    }
}

fn scaled(scaling: Autoscaling, average: f64, peak: f64) -> Units {
    let (min, max) = (scaling.min as f64, scaling.max as f64);
    let target = f64::from(scaling.target_percent.max(1)) / 100.0;
    let units = |load: f64| (load / target).ceil().max(min).min(max.max(min));
    Units {
        average: units(average),
        peak: units(peak),
        throttled: (peak - units(peak)).max(0.0),
    }
}

/// Where on-demand and provisioned capacity cost the same.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BreakEven {
    /// Utilization of provisioned write capacity at which both cost the same, from 0 to 1.
    pub write_utilization: Option<f64>,
    /// Utilization of provisioned read capacity at which both cost the same.
    pub read_utilization: Option<f64>,
    /// On-demand throughput in US dollars a month.
    pub on_demand: Option<f64>,
    /// Provisioned throughput in US dollars a month.
    pub provisioned: Option<f64>,
    /// How many times the traffic must grow (above 1) or shrink (below 1) until both cost the same. `None`: one is
    /// cheaper at any traffic, or a price is missing.
    pub factor: Option<f64>,
}

/// The break-even of a table class, without replicas.
pub fn break_even(model: &CostModel, prices: &Prices, class: TableClass) -> BreakEven {
    let [on_demand, provisioned] = [Capacity::OnDemand, Capacity::Provisioned]
        .map(|capacity| throughput(model, prices, Mode::new(capacity, class), 1.0));
    let utilization = |line: fn(Mode) -> crate::prices::Line| {
        let request = line(Mode::new(Capacity::OnDemand, class));
        let hour = prices.price(line(Mode::new(Capacity::Provisioned, class)))?;
        Some(hour / (prices.price(request)? / request.per() * 3600.0))
    };
    BreakEven {
        write_utilization: utilization(Mode::writes),
        read_utilization: utilization(Mode::reads),
        on_demand,
        provisioned,
        factor: factor(model, prices, class),
    }
}

/// Throughput in US dollars a month if the traffic is `factor` times as large.
fn throughput(model: &CostModel, prices: &Prices, mode: Mode, factor: f64) -> Option<f64> {
    let mut sum = 0.0;
    let price = |line: crate::prices::Line| Some(prices.price(line)? / line.per());
    let (read, write) = (price(mode.reads())?, price(mode.writes())?);
    if mode.capacity == Capacity::OnDemand {
        for (_, load) in model.resources() {
            sum += monthly(load.read * factor) * read + monthly(load.write * factor) * write;
        }
        return Some(sum);
    }
    let mut scaled = model.resources();
    for (_, load) in &mut scaled {
        load.read *= factor;
        load.write *= factor;
    }
    for provision in provisions_of(model, scaled) {
        let units = provision.read.average * read + provision.write.average * write;
        sum += units * HOURS_PER_MONTH;
    }
    Some(sum)
}

/// Traffic factors that the search for the break-even covers.
const FACTORS: (f64, f64) = (1e-6, 1e6);

fn factor(model: &CostModel, prices: &Prices, class: TableClass) -> Option<f64> {
    let difference = |factor: f64| {
        let of = |capacity| throughput(model, prices, Mode::new(capacity, class), factor);
        Some(of(Capacity::OnDemand)? - of(Capacity::Provisioned)?)
    };
    let (mut low, mut high) = FACTORS;
    // At little traffic the minimum capacity costs more; the search needs a change of sign.
    if difference(low)? >= 0.0 || difference(high)? <= 0.0 {
        return None;
    }
    for _ in 0..60 {
        let middle = (low * high).sqrt();
        match difference(middle)? < 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    Some(high)
}
