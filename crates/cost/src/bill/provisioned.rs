//! Provisioned capacity: what auto scaling provides on average and at the peak, what it cannot carry, and where it breaks
//! even.

use super::{Capacity, Mode, throughput};
use crate::CostModel;
use crate::findings::whole;
use crate::model::Load;
use crate::prices::Prices;
use keyfold_core::model::{
    Autoscaling, Billing, Design, IndexId, ProvisionedThroughput, SortedMap, TableClass,
};
use serde::Serialize;

/// Target utilization of auto scaling that a design does not state, in percent. Source: "Managing throughput capacity
/// automatically with DynamoDB auto scaling", Developer Guide.
const TARGET_PERCENT: u8 = 70;
/// Read units, and write units, that the table with its GSIs can have by default. AWS raises the quota on request. Source:
/// "Quotas in Amazon DynamoDB", Developer Guide.
const DEFAULT_QUOTA: f64 = 40_000.0;

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
    /// The units that the peak needs: with auto scaling, at its target utilization.
    pub needed: f64,
    /// Consumed units per second at the peak that the capacity cannot serve.
    pub throttled: f64,
}

/// Provisioned capacity that cannot carry the load: DynamoDB throttles the rest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shortage {
    /// The table, which also serves its LSIs, or a GSI.
    pub index: IndexId,
    /// Whether read units are short. Otherwise, write units are.
    pub is_read: bool,
    /// The units.
    pub units: Units,
}

impl Shortage {
    /// What the capacity lacks, as a sentence.
    pub fn sentence(&self, design: &Design) -> String {
        let Units {
            peak,
            needed,
            throttled,
            ..
        } = self.units;
        format!(
            "{} of {}: the peak needs {} units, and at most {} are provisioned. DynamoDB throttles {} units per second, so the total is that of a throttled load.",
            if self.is_read {
                "Read capacity"
            } else {
                "Write capacity"
            },
            match self.index.is_primary() {
                true => "the table",
                false => design.index_name(self.index),
            },
            whole(needed),
            whole(peak),
            whole(throttled.ceil()),
        )
    }
}

/// What the provisioned capacity of a design cannot carry; nothing for an on-demand table, whose comparison is sized to its
/// load.
pub(super) fn shortages(model: &CostModel) -> Vec<Shortage> {
    let mut shortages = Vec::new();
    for Provision { index, read, write } in provisions(model) {
        for (is_read, units) in [(true, read), (false, write)] {
            if units.throttled > 0.0 {
                shortages.push(Shortage {
                    index,
                    is_read,
                    units,
                });
            }
        }
    }
    shortages
}

/// The capacity of the table and each GSI. A table that is on-demand scales with a target of 70 percent from 1 unit to
/// what its load needs. A GSI without capacity of its own has that of the table.
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
                    None => scaled(ASSUMED, average, peak),
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
pub fn provision_note(model: &CostModel) -> String {
    if let Billing::Provisioned(_) = model.design.table.billing {
        return "Provisioned: the capacity that the design sets; with auto scaling, the capacity at which the average rate meets the target utilization, from its minimum to its maximum."
            .to_owned();
    }
    let mut note = format!(
        "Provisioned: assumes auto scaling with a target utilization of {TARGET_PERCENT}%. A short peak above the capacity can be throttled."
    );
    let (mut read, mut write) = (0.0, 0.0);
    for provision in provisions(model) {
        read += provision.read.peak;
        write += provision.write.peak;
    }
    if read.max(write) > DEFAULT_QUOTA {
        note += &format!(
            " The peak needs {} read and {} write units for the table and its GSIs; the default quota is {} of each, which AWS raises on request.",
            whole(read),
            whole(write),
            whole(DEFAULT_QUOTA)
        );
    }
    note
}

/// The auto scaling of a table that is on-demand. No maximum: its price is that of the whole load.
const ASSUMED: Autoscaling = Autoscaling {
    min: 1,
    max: u64::MAX,
    target_percent: TARGET_PERCENT,
};

fn fixed_at(units: f64, peak: f64) -> Units {
    Units {
        average: units,
        peak: units,
        needed: peak.ceil(),
        throttled: (peak - units).max(0.0),
    }
}

fn scaled(scaling: Autoscaling, average: f64, peak: f64) -> Units {
    let (min, max) = (scaling.min as f64, scaling.max as f64);
    let target = f64::from(scaling.target_percent.max(1)) / 100.0;
    let needed = |load: f64| (load / target).ceil().max(min);
    let units = |load: f64| needed(load).min(max.max(min));
    Units {
        average: units(average),
        peak: units(peak),
        needed: needed(peak),
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
    /// cheaper at any traffic that the capacity carries, or a price is missing.
    pub factor: Option<f64>,
}

/// The break-even of a table class, with all replicas.
pub fn break_even(model: &CostModel, prices: &Prices, class: TableClass) -> BreakEven {
    let [on_demand, provisioned] = [Capacity::OnDemand, Capacity::Provisioned]
        .map(|capacity| throughput_at(model, prices, Mode::new(capacity, class), 1.0));
    let is_global = !model.design.table.replicas.is_empty();
    let writes = match is_global {
        true => Mode::replicated,
        false => Mode::writes,
    };
    let utilization = |line: fn(Mode) -> crate::prices::Line| {
        let request = line(Mode::new(Capacity::OnDemand, class));
        let hour = prices.price(line(Mode::new(Capacity::Provisioned, class)))?;
        Some(hour / (prices.price(request)? / request.per() * 3600.0))
    };
    BreakEven {
        write_utilization: utilization(writes),
        read_utilization: utilization(Mode::reads),
        on_demand,
        provisioned,
        factor: factor(model, prices, class),
    }
}

/// Throughput in US dollars a month if the traffic is `factor` times as large.
fn throughput_at(model: &CostModel, prices: &Prices, mode: Mode, factor: f64) -> Option<f64> {
    throughput(model, &loads_at(model, factor), prices, mode)
}

/// The loads if the traffic is `factor` times as large.
fn loads_at(model: &CostModel, factor: f64) -> SortedMap<IndexId, Load> {
    let loads = model.loads.iter();
    loads
        .map(|(index, load)| (*index, load.times(factor)))
        .collect()
}

/// Traffic factors that the search for the break-even covers.
const FACTORS: (f64, f64) = (1e-6, 1e6);

fn factor(model: &CostModel, prices: &Prices, class: TableClass) -> Option<f64> {
    let difference = |factor: f64| {
        let of = |capacity| throughput_at(model, prices, Mode::new(capacity, class), factor);
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
    let is_throttled = |one: &Provision| one.read.throttled > 0.0 || one.write.throttled > 0.0;
    let resources = model.resources_of(&loads_at(model, high));
    (!provisions_of(model, resources).iter().any(is_throttled)).then_some(high)
}
