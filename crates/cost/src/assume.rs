//! What the workload states, completed by assumptions from the samples. Each figure tells which of the two it is.
//!
//! | figure | assumed |
//! |---|---|
//! | peak rate | the average rate divided by [`AVERAGE_SHARE`], or else [`ASSUMED_PEAK`] |
//! | average rate | [`AVERAGE_SHARE`] of the peak rate |
//! | puts | every put creates its item |
//! | items of an entity | as many as it has samples |
//! | growth of an entity | what puts with a stated rate create less what they delete |
//! | item size | the average of the samples, or [`ASSUMED_BYTES`] without samples |
//! | values of a parameter | as its format allows, or as many as the entity that owns it has items, or as the samples show |
//! | how requests and items fall on the values of a parameter | by the weights of its choices, or evenly |

use keyfold_core::engine::{IndexContent, Item, Items};
use keyfold_core::model::{
    AccessPattern, AccessPatternId, Design, Entity, EntityId, Format, HOURS_PER_MONTH, IndexId,
    PutShares, Rate, Skew, SortedMap, SortedSet, Value,
};
use keyfold_core::template;
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

/// The data of an entity.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EntityData {
    /// Items now.
    pub items: Figure,
    /// Items added each month, net of those that requests delete.
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
    /// Items after some months. Items that exist now leave evenly over the retention.
    pub fn items_after(&self, months: f64) -> f64 {
        let (now, growth) = (self.items.value, self.growth.value);
        let Some(days) = self.retention else {
            return now + growth * months;
        };
        let kept = (days / DAYS_PER_MONTH).max(f64::MIN_POSITIVE);
        now * (1.0 - months / kept).max(0.0) + growth * months.min(kept)
    }

    /// Items that time to live deletes in a month.
    pub fn expired_per_month(&self) -> f64 {
        self.retention.map_or(0.0, |days| {
            self.items.value / (days / DAYS_PER_MONTH).max(1.0)
        })
    }
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
        let growth = match volume.growth {
            // Deletes may exceed what is added.
            Some(growth) if growth.is_finite() => Figure::stated(growth),
            stated => {
                check("growth", stated, f64::MAX);
                Figure::assumed(created(design, *id, &patterns))
            }
        };
        let data = EntityData {
            items: Figure::or(check("items", volume.items, f64::MAX), || {
                design.samples_of(*id).len() as f64
            }),
            growth,
            retention: check("retention", volume.retention, f64::MAX),
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

/// The items that puts with a stated rate add each month to an entity, less those that they delete.
fn created(
    design: &Design,
    entity: EntityId,
    patterns: &SortedMap<AccessPatternId, PatternTraffic>,
) -> f64 {
    let mut created = 0.0;
    for (id, pattern) in &design.access_patterns {
        let Some(traffic) = patterns.get(id) else {
            continue;
        };
        if traffic.average.stated || traffic.peak.stated {
            let puts = pattern.operation.actions().iter();
            let puts = puts.filter(|action| action.put() == Some(entity)).count() as f64;
            let net = traffic.creates.value - traffic.deletes.value;
            let monthly = Rate::PerSecond(traffic.average.value).per_month();
            created += puts * net * (1.0 - traffic.failed.value) * monthly;
        }
    }
    created
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
    /// How many of the figures that every bill needs are assumed, and how many there are: the rates of each access pattern
    /// and what its puts do, and the items, the growth and the item size of each entity.
    pub fn assumed(&self, design: &Design) -> (usize, usize) {
        let mut figures = Vec::new();
        for (id, traffic) in &self.patterns {
            figures.extend([traffic.average, traffic.peak]);
            let pattern = design.access_patterns.get(id);
            let actions = pattern.map_or(&[][..], |pattern| pattern.operation.actions());
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

    /// How the requests of an access pattern fall on the values of a parameter.
    pub fn skew(&self, design: &Design, pattern: AccessPatternId, parameter: &str) -> Option<Skew> {
        let traffic = design.workload.patterns.get(&pattern)?;
        traffic.parameters.get(parameter).copied()
    }

    /// The number of different values of an attribute of these entities, and whether it is a guess from the samples.
    pub fn values(&self, design: &Design, entities: &[EntityId], attribute: &str) -> Figure {
        let mut most = Figure::assumed(1.0);
        for id in entities {
            if let Some(entity) = design.entities.get(id) {
                let found = self.values_in(design, *id, entity, attribute);
                if found.value >= most.value {
                    most = found;
                }
            }
        }
        most
    }

    fn values_in(&self, design: &Design, id: EntityId, entity: &Entity, attribute: &str) -> Figure {
        let declared = entity.attribute(attribute);
        match declared.and_then(|declared| declared.format.as_ref()) {
            Some(Format::OneOf(choices)) => return Figure::stated(choices.len().max(1) as f64),
            Some(Format::Constant(_)) => return Figure::stated(1.0),
            _ => {}
        }
        if let Some(owner) = owner(design, attribute) {
            return self.items(owner);
        }
        self.values_of_samples(design, id, &[attribute])
    }

    /// The number of different combinations of values that these attributes have in a sample of an entity.
    fn values_of_samples(&self, design: &Design, id: EntityId, attributes: &[&str]) -> Figure {
        let samples = design.samples_of(id).iter().take(SAMPLES);
        let values = samples.filter_map(|sample| {
            let values = attributes.iter().map(|name| sample.values.get(name));
            let texts = values.map(|value| value.map(Value::to_text));
            texts.collect::<Option<Vec<String>>>()
        });
        let mut distinct: SortedSet<Vec<String>> = SortedSet::new();
        let mut count = 0;
        for value in values {
            distinct.insert(value);
            count += 1;
        }
        match distinct.len() {
            0 => Figure::assumed(1.0),
            // Every sample has another one: as many as items.
            many if many == count => self.items(id),
            many => Figure::assumed(many as f64),
        }
    }

    /// At most this many different combinations of values that several attributes of these entities have. `are_guessed`:
    /// the number of values of each is a guess from the samples.
    pub fn combinations(
        &self,
        design: &Design,
        entities: &[EntityId],
        attributes: &[&str],
        are_guessed: bool,
    ) -> f64 {
        let is_key = |entity: &Entity| {
            let names = key_attributes(entity);
            names.len() == attributes.len()
                && attributes
                    .iter()
                    .all(|name| names.iter().any(|own| own == name))
        };
        // One of these entities is its own owner.
        let own = entities
            .iter()
            .filter(|id| design.entities.get(id).is_some_and(|entity| is_key(entity)));
        let others = design.entities.iter().filter(|(_, entity)| is_key(entity));
        let owner = own.chain(others.map(|(id, _)| id)).next();
        if let Some(items) = owner.map(|id| self.items(*id))
            && (items.stated || are_guessed)
        {
            return items.value;
        }
        let most = entities.iter().map(|id| {
            let items = self.items(*id);
            match () {
                () if are_guessed => self.values_of_samples(design, *id, attributes).value,
                // An item has one combination.
                () if items.stated => items.value,
                () => f64::INFINITY,
            }
        });
        most.reduce(f64::max).unwrap_or(f64::INFINITY)
    }

    /// Items of an entity now, at least one.
    fn items(&self, entity: EntityId) -> Figure {
        let items = self.entities.get(&entity).map(|data| data.items);
        items.map_or(Figure::assumed(1.0), |items| Figure {
            value: items.value.max(1.0),
            ..items
        })
    }
}

/// The entity that an attribute identifies: the one with the fewest attributes in its primary key, this one last.
fn owner(design: &Design, attribute: &str) -> Option<EntityId> {
    let mut best: Option<(usize, EntityId)> = None;
    for (id, entity) in &design.entities {
        let names = key_attributes(entity);
        let is_last = names.last().is_some_and(|name| name == attribute);
        if is_last && best.is_none_or(|(count, _)| names.len() < count) {
            best = Some((names.len(), *id));
        }
    }
    best.map(|(_, id)| id)
}

/// The attributes in the primary key of an entity, each once, in order.
pub(crate) fn key_attributes(entity: &Entity) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let entry = entity.keys.get(&IndexId::PRIMARY);
    let texts = entry.map(|entry| [&entry.partition, &entry.sort]);
    for text in texts.into_iter().flatten().flatten() {
        for name in template::parse(text).template.attributes() {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}
