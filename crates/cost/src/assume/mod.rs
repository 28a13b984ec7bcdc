//! What the workload states, completed by assumptions from the samples. Each figure tells which of the two it is.
//!
//! | figure | assumed |
//! |---|---|
//! | peak rate | the average rate divided by [`AVERAGE_SHARE`], or else [`ASSUMED_PEAK`] |
//! | average rate | [`AVERAGE_SHARE`] of the peak rate |
//! | puts | every put creates its item |
//! | items of an entity | as many as it has samples |
//! | growth of an entity | what puts with a stated rate create less what requests with a stated rate delete; without such a put as many as time to live deletes |
//! | items that a Query reads | those of its item collection, as the heat has it, if the number of items of the entity is stated, or else those of the samples; of them the share that its sort key condition reads |
//! | item size | the average of the samples, or [`ASSUMED_BYTES`] without samples |
//! | values of a parameter | as its format allows, or as many as the entity that owns it has items, or as the samples show |
//! | how requests and items fall on the values of a parameter | by the weights of its choices, or evenly |

mod data;
mod values;

pub use data::{EntityData, Entries};
pub(crate) use values::key_attributes;

use data::growth;
use keyfold_core::engine::{IndexContent, Item, Items};
use keyfold_core::model::{
    AccessPattern, AccessPatternId, Design, Entity, EntityId, HOURS_PER_MONTH, IndexId, Operation,
    PutShares, Rate, SortedMap,
};
use serde::Serialize;
use std::sync::Arc;

/// The average rate of an access pattern as a share of its peak rate, if only one of them is stated.
pub const AVERAGE_SHARE: f64 = 0.3;
/// The peak rate of an access pattern without any rate, in requests per second.
pub const ASSUMED_PEAK: f64 = 1.0;
/// The size of an item of an entity without samples, in bytes.
pub const ASSUMED_BYTES: f64 = 256.0;
/// Days in a month of 730 hours.
pub const DAYS_PER_MONTH: f64 = HOURS_PER_MONTH / 24.0;

/// A figure, and whether the workload states it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figure {
    /// The figure.
    pub value: f64,
    /// Whether the workload states it. Otherwise it is assumed.
    pub stated: bool,
}

impl Figure {
    /// A stated figure.
    pub fn stated(value: f64) -> Figure {
        Figure {
            value,
            stated: true,
        }
    }

    /// An assumed figure.
    pub fn assumed(value: f64) -> Figure {
        Figure {
            value,
            stated: false,
        }
    }

    fn or(stated: Option<f64>, assumed: impl FnOnce() -> f64) -> Figure {
        stated.map_or_else(|| Figure::assumed(assumed()), Figure::stated)
    }
}

/// The traffic of an access pattern.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PatternTraffic {
    /// Average rate, in requests per second.
    pub average: Figure,
    /// Peak rate, in requests per second; at least the average rate.
    pub peak: Figure,
    /// Share of the puts that create an item, from 0 to 1.
    pub creates: Figure,
    /// Share of the puts that replace an item by one with other values.
    pub updates: Figure,
    /// Share of deletes.
    pub deletes: Figure,
    /// Share of the writes whose condition fails.
    pub failed: Figure,
    /// Items that a Query or Scan reads, if stated.
    pub items: Option<f64>,
}

/// The workload of a design without gaps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Assumptions {
    /// The traffic of each access pattern.
    pub patterns: SortedMap<AccessPatternId, PatternTraffic>,
    /// The data of each entity.
    pub entities: SortedMap<EntityId, EntityData>,
    /// Figures of the workload that cannot be used, and count as not stated: one sentence for each, with its place.
    pub faults: Vec<String>,
}

/// The number of samples of an entity that averages look at: the first ones.
const SAMPLES: usize = 1000;

/// What the samples of an entity say.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sampled {
    /// Average size of an item, in bytes.
    bytes: f64,
    /// The entries in the table and each index, and whether they have all attributes of an item.
    entries: SortedMap<IndexId, (Entries, bool)>,
}

/// What the samples of each entity say. It does not depend on the workload.
pub(crate) fn sampled(
    design: &Design,
    items: &SortedMap<EntityId, Arc<Items>>,
) -> SortedMap<EntityId, Sampled> {
    let mut all = SortedMap::new();
    for (id, entity) in &design.entities {
        let samples: Vec<_> = (items.get(id).into_iter())
            .flat_map(|items| items.iter().take(SAMPLES))
            .filter(Item::is_stored)
            .collect();
        let sizes = samples.iter().map(|item| item.size() as f64);
        let bytes = match samples.len() {
            0 => ASSUMED_BYTES,
            count => sizes.sum::<f64>() / count as f64,
        };
        let entries = entries(design, entity, &samples);
        all.insert(*id, Sampled { bytes, entries });
    }
    all
}

/// Completes the workload of a design with what its samples say.
pub(crate) fn assume(design: &Design, sampled: &SortedMap<EntityId, Sampled>) -> Assumptions {
    let mut faults = Vec::new();
    let mut patterns = SortedMap::new();
    for (id, pattern) in &design.access_patterns {
        patterns.insert(*id, traffic(design, *id, pattern, &mut faults));
    }
    let mut entities = SortedMap::new();
    for (id, entity) in &design.entities {
        let place = format!("entity `{}`", entity.name);
        let mut check = |what, figure, most| usable(&place, what, figure, most, &mut faults);
        let volume = design
            .workload
            .entities
            .get(id)
            .copied()
            .unwrap_or_default();
        let bytes = check(
            "size",
            volume.bytes,
            keyfold_core::model::limits::ITEM_BYTES as f64,
        );
        let samples = &sampled[id];
        let stated_growth = match volume.growth {
            // Deletes may exceed what is added.
            Some(growth) if growth.is_finite() => Some(growth),
            stated => check("growth", stated, f64::MAX),
        };
        let items = Figure::or(check("items", volume.items, f64::MAX), || {
            design.samples_of(*id).len() as f64
        });
        let retention = check("retention", volume.retention, f64::MAX);
        let data = EntityData {
            items,
            growth: Figure::or(stated_growth, || {
                growth(design, *id, &patterns, items.value, retention)
            }),
            retention,
            bytes: Figure::or(bytes, || samples.bytes),
            entries: (samples.entries.iter())
                .map(|(index, (entries, is_whole))| {
                    let bytes = bytes.filter(|_| *is_whole).unwrap_or(entries.bytes);
                    (*index, Entries { bytes, ..*entries })
                })
                .collect(),
        };
        entities.insert(*id, data);
    }
    Assumptions {
        patterns,
        entities,
        faults,
    }
}

/// The figure, if it is between 0 and `most`; otherwise adds a fault.
fn usable(
    place: &str,
    what: &str,
    figure: Option<f64>,
    most: f64,
    faults: &mut Vec<String>,
) -> Option<f64> {
    let figure = figure?;
    if figure.is_finite() && (0.0..=most).contains(&figure) {
        return Some(figure);
    }
    let range = match most {
        f64::MAX => "at least 0".to_owned(),
        most => format!("from 0 to {most}"),
    };
    faults.push(format!(
        "{place}: {what} {figure} is not usable. Give a number {range}"
    ));
    None
}

fn traffic(
    design: &Design,
    id: AccessPatternId,
    pattern: &AccessPattern,
    faults: &mut Vec<String>,
) -> PatternTraffic {
    let place = format!("access pattern `{}`", pattern.name);
    let mut check = |what, figure, most| usable(&place, what, figure, most, faults);
    let stated = design.workload.patterns.get(&id);
    let peak = check("peak rate", pattern.rate, f64::MAX);
    let average = stated.and_then(|traffic| traffic.average);
    let average = check("average rate", average.map(Rate::per_second), f64::MAX);
    let peak = Figure::or(peak, || {
        average.map_or(ASSUMED_PEAK, |average| average / AVERAGE_SHARE)
    });
    let average = Figure::or(average, || peak.value * AVERAGE_SHARE);
    let puts = stated.and_then(|traffic| traffic.puts);
    let share = |part: fn(&PutShares) -> f64| puts.as_ref().map(part);
    let mut percent = |what, figure: Option<f64>, assumed: f64| {
        let figure = check(what, figure, 100.0);
        Figure::or(figure.map(|figure| figure / 100.0), || assumed)
    };
    let traffic = PatternTraffic {
        average,
        peak: Figure {
            value: peak.value.max(average.value),
            ..peak
        },
        creates: percent("share of creates", share(|puts| puts.creates), 1.0),
        updates: percent("share of updates", share(|puts| puts.updates), 0.0),
        deletes: percent("share of deletes", share(|puts| puts.deletes), 0.0),
        failed: percent("share of failed writes", stated.and_then(|t| t.failed), 0.0),
        items: check("items", stated.and_then(|traffic| traffic.items), f64::MAX),
    };
    if peak.value < average.value {
        faults.push(format!(
            "{place}: peak rate {} is below the average rate {}, which counts as the peak. Give a higher peak rate",
            peak.value, average.value
        ));
    }
    traffic
}

fn entries(
    design: &Design,
    entity: &Entity,
    samples: &[Item],
) -> SortedMap<IndexId, (Entries, bool)> {
    let mut entries = SortedMap::new();
    for index in design.index_ids() {
        let Some(content) = IndexContent::new(design, index) else {
            continue;
        };
        let held: Vec<_> = samples.iter().filter(|item| content.holds(item)).collect();
        let share = match samples.len() {
            0 => f64::from(u8::from(entity.keys.contains_key(&index))),
            count => held.len() as f64 / count as f64,
        };
        let bytes = match held.len() {
            0 => ASSUMED_BYTES,
            count => {
                held.iter()
                    .map(|item| content.size(item) as f64)
                    .sum::<f64>()
                    / count as f64
            }
        };
        if share > 0.0 {
            entries.insert(index, (Entries { share, bytes }, content.shows_all()));
        }
    }
    entries
}

impl Assumptions {
    /// How many of the figures that every bill needs are assumed, and how many there are: the rates of each access pattern,
    /// what its puts do and how many items its Query reads, and the items, the growth and the item size of each entity.
    pub fn assumed(&self, design: &Design) -> (usize, usize) {
        let mut figures = Vec::new();
        for (id, traffic) in &self.patterns {
            figures.extend([traffic.average, traffic.peak]);
            let Some(pattern) = design.access_patterns.get(id) else {
                continue;
            };
            if matches!(pattern.operation, Operation::Query { .. }) {
                figures.push(Figure::or(traffic.items, || 0.0));
            }
            let actions = pattern.operation.actions();
            if actions.iter().any(|action| action.put().is_some()) {
                figures.push(traffic.creates);
            }
        }
        for data in self.entities.values() {
            figures.extend([data.items, data.growth, data.bytes]);
        }
        let assumed = figures.iter().filter(|figure| !figure.stated).count();
        (assumed, figures.len())
    }
}
