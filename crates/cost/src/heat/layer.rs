//! The heat as short marks for a picture of the design: on the table and each index, on each entity, on each entity's
//! entry in an index, and on the item collections of its items. Every mark has its figures in words.

use super::keys::{KeyHeat, served_by};
use super::targets::kind_of;
use super::{IndexHeat, KeyLevel};
use crate::CostModel;
use crate::Report;
use crate::report::{percent, short, whole};
use keyfold_core::model::limits::{PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};
use keyfold_core::model::{AccessPatternId, EntityId, IndexId, SortedMap, SortedSet, entities_of};

/// How hot the hottest key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HeatLevel {
    /// Under half of what a partition serves.
    Low,
    /// From half.
    Medium,
    /// From four fifths.
    High,
    /// More than a partition serves.
    Over,
}

impl HeatLevel {
    /// All levels, from the coolest.
    pub const ALL: [HeatLevel; 4] = [
        HeatLevel::Low,
        HeatLevel::Medium,
        HeatLevel::High,
        HeatLevel::Over,
    ];

    /// The level of a share of what a partition serves; 1 is all of it.
    pub fn of(share: f64) -> HeatLevel {
        match share {
            over if over > 1.0 => HeatLevel::Over,
            high if high >= 0.8 => HeatLevel::High,
            medium if medium >= 0.5 => HeatLevel::Medium,
            _ => HeatLevel::Low,
        }
    }

    /// Its name in the style sheet.
    pub fn name(self) -> &'static str {
        match self {
            HeatLevel::Low => "low",
            HeatLevel::Medium => "medium",
            HeatLevel::High => "high",
            HeatLevel::Over => "over",
        }
    }

    /// What it means.
    pub fn words(self) -> &'static str {
        match self {
            HeatLevel::Low => "under 50%",
            HeatLevel::Medium => "50–80%",
            HeatLevel::High => "80–100%",
            HeatLevel::Over => "over 100%: throttles",
        }
    }
}

/// What stands on a card or a wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeatMark {
    /// The level of the hottest key.
    pub level: HeatLevel,
    /// What the hottest key takes of a partition, `84 %`; without such a key the share of the load, `62 % of writes`.
    pub figure: String,
    /// What follows where there is room: `840 of 1,000 write units/s`, of an entity `62 % of writes`; may be empty.
    pub detail: String,
    /// All of it in sentences.
    pub title: String,
}

/// The marks of a design.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeatLayer {
    /// The table and its indexes: the load of the hottest partition key.
    pub indexes: SortedMap<IndexId, HeatMark>,
    /// The entities under load: their hottest key, and the share of all load that they bring.
    pub entities: SortedMap<EntityId, HeatMark>,
    /// The entries under load: their hottest key in that index, and the share of its load.
    pub wires: SortedMap<(EntityId, IndexId), HeatMark>,
    /// The item collections of an entity's items in an index: the load of the hottest one.
    pub collections: SortedMap<(EntityId, IndexId), HeatMark>,
}

/// The marks of a report. A read of several entities counts for each of them, a write for the entity of its item.
pub fn layer(report: &Report) -> HeatLayer {
    let (model, heats) = (&report.model, &report.heat);
    let design = &model.design;
    let mut layer = HeatLayer::default();
    let heat_of = |index| {
        let served = served_by(model, index);
        heats.iter().find(|heat| heat.index == served)
    };
    for index in design.index_ids() {
        if let Some(heat) = heat_of(index) {
            layer.indexes.insert(index, of_index(model, index, heat));
        }
    }
    let loads = Loads::of(model);
    for (id, entity) in &design.entities {
        let mut own = Share::default();
        let mut hottest: Option<(IndexId, &KeyHeat)> = None;
        for index in entity.keys.keys().copied() {
            let kind = kind_of(model, served_by(model, index), *id, entity);
            let key = heat_of(index).zip(kind).and_then(|(heat, kind)| {
                let key = heat.keys.iter().find(|key| key.kind == kind);
                key.filter(|key| !key.contributors.is_empty())
            });
            if let Some(key) = key {
                let place = place(model, index);
                layer.collections.insert((*id, index), of_keys(key, &place));
                let is_hotter = |(_, other): &(IndexId, &KeyHeat)| share(key) > share(other);
                if hottest.as_ref().is_none_or(is_hotter) {
                    hottest = Some((index, key));
                }
            }
            let of = loads.share(*id, index);
            own.add(&of);
            let total = loads.total(index);
            if let Some((figure, detail)) = of.figures(total) {
                let title = format!(
                    "{} causes {} on {}{}.{}{}",
                    entity.name,
                    joined(&figure, &detail),
                    place(model, index),
                    named(model, &of.patterns),
                    key.map_or(String::new(), |key| format!(" {}", sentence("The", key))),
                    of.note(),
                );
                let mark = of_share(key, figure, detail, title);
                layer.wires.insert((*id, index), mark);
            }
        }
        if let Some((figure, detail)) = own.figures(loads.all) {
            let hot = hottest.map_or(String::new(), |(index, key)| {
                format!(" In {}, {}", place(model, index), sentence("the", key))
            });
            let title = format!(
                "{} causes {} in total{}.{hot}{}",
                entity.name,
                joined(&figure, &detail),
                named(model, &own.patterns),
                own.note(),
            );
            let mark = of_share(hottest.map(|(_, key)| key), figure, detail, title);
            layer.entities.insert(*id, mark);
        }
    }
    layer
}

/// The mark of an entity or its entry: as hot as its hottest key, then what it brings of the load. Without a key only that.
fn of_share(key: Option<&KeyHeat>, figure: String, detail: String, title: String) -> HeatMark {
    let (figure, detail) = match key {
        Some(key) => (percent(share(key)), joined(&figure, &detail)),
        None => (figure, detail),
    };
    HeatMark {
        level: HeatLevel::of(key.map_or(0.0, share)),
        figure,
        detail,
        title,
    }
}

fn share(key: &KeyHeat) -> f64 {
    key.hottest.utilization()
}

/// The table or the index, within a sentence.
fn place(model: &CostModel, index: IndexId) -> String {
    match index.is_primary() {
        true => "the table".to_owned(),
        false => model.design.index_name(index).to_owned(),
    }
}

fn of_index(model: &CostModel, index: IndexId, heat: &IndexHeat) -> HeatMark {
    let is_lsi = model.is_local(index) && !index.is_primary();
    let Some(key) = heat.keys.first().filter(|key| share(key) > 0.0) else {
        return HeatMark {
            level: HeatLevel::Low,
            figure: "no load".to_owned(),
            detail: String::new(),
            title: "No access pattern causes load on its partition keys.".to_owned(),
        };
    };
    let mut mark = of_keys(key, &place(model, heat.index));
    if is_lsi {
        mark.detail = "with the table".to_owned();
        mark.title = format!("An LSI is in the table's partitions. {}", mark.title);
    }
    if heat.back_pressure {
        mark.title
            .push_str(" It throttles the writes of the table.");
    }
    mark
}

/// The mark of a kind of partition keys.
fn of_keys(key: &KeyHeat, place: &str) -> HeatMark {
    let hottest = &key.hottest;
    HeatMark {
        level: HeatLevel::of(share(key)),
        figure: percent(share(key)),
        detail: decisive(hottest),
        title: format!("In {place}, {}", sentence("the", key)),
    }
}

/// What takes most of the partition: `840 of 1,000 write units/s`.
fn decisive(level: &KeyLevel) -> String {
    let writes = level.write / PARTITION_WRITE_UNITS >= level.read / PARTITION_READ_UNITS;
    units(level, writes)
}

fn units(level: &KeyLevel, writes: bool) -> String {
    let (units, of, what) = match writes {
        true => (level.write, PARTITION_WRITE_UNITS, "write"),
        false => (level.read, PARTITION_READ_UNITS, "read"),
    };
    let units = match units >= 10.0 {
        true => whole(units),
        false => short(units),
    };
    format!("{units} of {} {what} units/s", whole(of))
}

/// `The hottest key STATUS#{status} takes 84 % of a partition: …`; `the` begins it.
fn sentence(the: &str, key: &KeyHeat) -> String {
    let throttles = match share(key) > 1.0 {
        true => " It throttles.",
        false => "",
    };
    format!(
        "{the} hottest key {} takes {} of a partition: {} and {}.{throttles}",
        key.template,
        percent(share(key)),
        units(&key.hottest, true),
        units(&key.hottest, false),
    )
}

fn joined(figure: &str, detail: &str) -> String {
    match detail {
        "" => figure.to_owned(),
        detail => format!("{figure} and {detail}"),
    }
}

/// ` (Place an order, List the orders of a user and 2 more)`.
fn named(model: &CostModel, patterns: &SortedSet<AccessPatternId>) -> String {
    const MOST: usize = 3;
    let name = |id: &AccessPatternId| model.design.access_patterns[id].name.clone();
    let first: Vec<String> = patterns.iter().take(MOST).map(name).collect();
    let more = match patterns.len() - first.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(" ({}{more})", first.join(", "))
}

/// Read and write units per second.
type ReadWrite = [f64; 2];

/// The load that access patterns bring.
#[derive(Debug, Clone, Default)]
struct Share {
    units: ReadWrite,
    patterns: SortedSet<AccessPatternId>,
    /// Whether one of them is of several entities.
    is_shared: bool,
}

impl Share {
    fn add(&mut self, other: &Share) {
        for (own, other) in self.units.iter_mut().zip(other.units) {
            *own += other;
        }
        self.patterns.extend(other.patterns.iter().copied());
        self.is_shared |= other.is_shared;
    }

    /// The shares of writes and reads as a figure and a detail; `None` without load.
    fn figures(&self, [all_read, all_write]: ReadWrite) -> Option<(String, String)> {
        let [read, write] = self.units;
        let part = |own: f64, all: f64, what: &str| {
            (own > 0.0).then(|| format!("{} of {what}", percent((own / all).min(1.0))))
        };
        let (writes, reads) = (
            part(write, all_write, "writes"),
            part(read, all_read, "reads"),
        );
        match (writes, reads) {
            (None, None) => None,
            (Some(one), None) | (None, Some(one)) => Some((one, String::new())),
            (Some(writes), Some(reads)) => Some((writes, reads)),
        }
    }

    fn note(&self) -> &'static str {
        match self.is_shared {
            true => " A read of several entities counts for each.",
            false => "",
        }
    }
}

/// The peak load by entity and index.
struct Loads {
    shares: SortedMap<(EntityId, IndexId), Share>,
    totals: SortedMap<IndexId, ReadWrite>,
    all: ReadWrite,
}

impl Loads {
    fn of(model: &CostModel) -> Loads {
        let mut loads = Loads {
            shares: SortedMap::new(),
            totals: SortedMap::new(),
            all: [0.0; 2],
        };
        for (id, found) in &model.patterns {
            let Ok(found) = found else { continue };
            let peak = model.assumptions.patterns[id].peak.value;
            let entities: SortedSet<EntityId> =
                entities_of(&model.design.access_patterns[id]).collect();
            for (side, units) in [&found.units.read, &found.units.write]
                .into_iter()
                .enumerate()
            {
                for (index, units) in units {
                    let load = units * peak;
                    if load > 0.0 {
                        loads.totals.entry(*index).or_insert([0.0; 2])[side] += load;
                        loads.all[side] += load;
                    }
                }
            }
            let mut add =
                |entities: &SortedSet<EntityId>, side: usize, units: &SortedMap<IndexId, f64>| {
                    for (index, units) in units {
                        let load: f64 = units * peak;
                        for entity in entities.iter().filter(|_| load > 0.0) {
                            let share = loads.shares.entry((*entity, *index)).or_default();
                            share.units[side] += load;
                            share.patterns.insert(*id);
                            share.is_shared |= entities.len() > 1;
                        }
                    }
                };
            add(&entities, 0, &found.units.read);
            for action in &found.actions {
                let own = action.entity.map(|entity| SortedSet::from_iter([entity]));
                add(own.as_ref().unwrap_or(&entities), 1, &action.write);
            }
        }
        loads
    }

    fn share(&self, entity: EntityId, index: IndexId) -> Share {
        self.shares
            .get(&(entity, index))
            .cloned()
            .unwrap_or_default()
    }

    fn total(&self, index: IndexId) -> ReadWrite {
        self.totals.get(&index).copied().unwrap_or_default()
    }
}
