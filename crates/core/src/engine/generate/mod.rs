//! Sample data from a seed: rows whose references join up, whose primary keys differ and which DynamoDB would store.
//!
//! The same design, request and seed give the same rows on every platform. Each value has a stream of chance of its
//! own, so more rows or another attribute leave the values of the others as they are. What an entity refers to is
//! generated before it; a row takes everything that it has in common with a row it refers to from that row.
//! Nothing here changes a design: the rows are handed over as data.

mod calendar;
mod examples;
mod graph;
mod guess;
pub mod names;
mod parents;
mod refer;
mod rng;
mod rows;
mod uses;
mod value;

pub use examples::examples;
pub use graph::parents;
pub use guess::guess;
pub use uses::obstacle;

use super::EntityPlan;
use crate::model::{Design, EntityId, Sample, SampleId, SortedMap, Values};
use crate::template;
use graph::Graph;
use rows::{Made, Rows, key_of};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A ULID for an id that was given at a time, a date or a timestamp in UTC: the same for the same two. A time that
/// cannot be read counts as 1970.
pub fn ulid_at(time: &str, id: &str) -> String {
    let seconds = calendar::seconds(time).unwrap_or(0).max(0);
    let random = u128::from(template::fnv1a_64(id.as_bytes()));
    value::ulid_of(seconds as u64 * 1000, random << 8)
}

/// The most rows of one request.
pub const MOST_ROWS: u64 = 1_000_000;

/// How many rows to generate of which entities.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Request {
    /// One for each entity of which rows are wanted.
    pub amounts: Vec<Amount>,
    /// Whether these entities' samples are taken away first.
    pub replace: bool,
    /// What chance begins with.
    pub seed: u64,
}

/// How many rows to generate of an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount {
    /// The entity.
    pub entity: EntityId,
    /// So many in all, or for each parent.
    pub count: u32,
    /// The entity for each of whose rows, new or not, so many are generated; it is one of [`parents`].
    pub per: Option<EntityId>,
}

/// What was generated. A command makes it part of the design.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Generated {
    /// Samples to be taken away.
    pub removed: Vec<(EntityId, Vec<SampleId>)>,
    /// Rows to be added, in this order.
    pub added: Vec<(EntityId, Values)>,
    /// What could not be done, a sentence each, such as that an entity's key has no more values.
    pub remarks: Vec<String>,
}

/// All that was asked for. The error says what in the design or the request is in the way.
pub fn generate(design: &Design, request: &Request) -> Result<Generated, String> {
    let mut generator = Generator::new(design, request)?;
    while generator.advance(usize::MAX)? {}
    Ok(generator.finish())
}

/// Generates in slices, for those who must not be kept waiting.
pub struct Generator {
    design: Design,
    graph: Graph,
    seed: u64,
    /// What is still to be generated, the last one first.
    waiting: Vec<Amount>,
    current: Option<Rows>,
    /// The rows that can be referred to, kept ones and new ones.
    pool: SortedMap<EntityId, Vec<Arc<Sample>>>,
    /// How many of `pool` are not new.
    kept: SortedMap<EntityId, usize>,
    /// The primary keys in use.
    keys: FxHashSet<u64>,
    /// The entities whose kept rows' keys are still to be noted, and how far that is with the last one.
    unnoted: Vec<EntityId>,
    noting: Option<(EntityPlan, usize)>,
    order: Vec<EntityId>,
    removed: Vec<(EntityId, Vec<SampleId>)>,
    remarks: Vec<String>,
    done: u64,
    total: u64,
}

impl Generator {
    /// Looks at the request as a whole. The error says what is in the way; nothing is generated yet.
    pub fn new(design: &Design, request: &Request) -> Result<Generator, String> {
        let name = |id: EntityId| design.entities.get(&id).map_or("", |e| e.name.as_str());
        let mut design_left = design.clone();
        let mut removed = Vec::new();
        let mut amounts: SortedMap<EntityId, Amount> = SortedMap::new();
        for amount in &request.amounts {
            let id = amount.entity;
            if !design.entities.contains_key(&id) {
                return Err(format!("there is no entity {id}"));
            }
            if amounts.insert(id, *amount).is_some() {
                return Err(format!("{} is asked for twice", name(id)));
            }
            if amount.count == 0 {
                amounts.remove(&id);
            } else if let Some(obstacle) = obstacle(design, id) {
                return Err(obstacle);
            }
            if let Some(samples) = design_left.samples.remove(&id).filter(|_| request.replace) {
                removed.push((id, samples.iter().map(|sample| sample.id).collect()));
            } else if let Some(samples) = design.samples.get(&id) {
                design_left.samples.insert(id, samples.clone());
            }
        }
        let design = design_left;
        let graph = Graph::new(&design);
        let entities: Vec<EntityId> = amounts.keys().copied().collect();
        let has_rows = |id| !design.samples_of(id).is_empty();
        let order = graph.order(&design, &entities, &has_rows)?;

        // How many rows that makes, parents first.
        let mut counts: SortedMap<EntityId, u64> = SortedMap::new();
        let mut total = 0;
        for id in &order {
            let amount = &amounts[id];
            let kept = |id: EntityId| design.samples_of(id).len() as u64;
            let times = match amount.per {
                None => 1,
                Some(parent) if parents(&design, *id).iter().all(|(id, _)| *id != parent) => {
                    return Err(format!(
                        "{} cannot be generated per {parent}: none of its attributes refers to {parent}",
                        name_of(&design, *id),
                        parent = name_of(&design, parent)
                    ));
                }
                Some(parent) => kept(parent) + counts.get(&parent).copied().unwrap_or(0),
            };
            let rows = times * u64::from(amount.count);
            counts.insert(*id, rows);
            total += rows;
            if total > MOST_ROWS {
                return Err(format!(
                    "that would be more than {MOST_ROWS} rows: ask for fewer"
                ));
            }
        }
        let samples = (design.samples.iter()).map(|(id, samples)| (*id, samples.to_vec()));
        Ok(Generator {
            keys: FxHashSet::default(),
            unnoted: design.samples.keys().copied().collect(),
            noting: None,
            pool: SortedMap::from_iter(samples),
            kept: SortedMap::from_iter(
                design
                    .samples
                    .iter()
                    .map(|(id, samples)| (*id, samples.len())),
            ),
            waiting: order.iter().rev().map(|id| amounts[id]).collect(),
            current: None,
            graph,
            seed: request.seed,
            order,
            removed,
            remarks: Vec::new(),
            done: 0,
            total,
            design,
        })
    }

    /// How many rows were asked for in all.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many of them have been looked after.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Notes the primary key of the next row that is kept; says whether there was one left.
    fn note_key(&mut self) -> bool {
        while let Some(id) = self.unnoted.last() {
            let samples = self.design.samples_of(*id);
            let (plan, at) =
                (self.noting).get_or_insert_with(|| (EntityPlan::new(&self.design, *id), 0));
            if let Some(sample) = samples.get(*at) {
                let item = plan.item(sample);
                if item.is_stored() {
                    self.keys.insert(key_of(&self.design, &item));
                }
                *at += 1;
                return true;
            }
            self.noting = None;
            self.unnoted.pop();
        }
        false
    }

    /// Generates up to so many more rows, once it has looked at those that are kept; says whether there is more to do. After an error, which says what is in the
    /// way, the generator is of no more use.
    pub fn advance(&mut self, rows: usize) -> Result<bool, String> {
        for _ in 0..rows {
            if self.note_key() {
                continue;
            }
            if self.current.is_none() {
                let Some(amount) = self.waiting.pop() else {
                    return Ok(false);
                };
                let rows = Rows::new(&self.design, &self.graph, &self.pool, &amount, self.seed)?;
                self.current = Some(rows);
            }
            let Some(current) = &mut self.current else {
                continue;
            };
            let pool = self.pool.entry(current.entity()).or_default();
            match current.next(&self.design, pool, &mut self.keys)? {
                Made::Row(sample) => {
                    pool.push(sample);
                    self.done += 1;
                }
                Made::Nothing => self.done += 1,
                Made::End => {
                    self.remarks.extend(current.remark(&self.design));
                    self.current = None;
                }
            }
        }
        let is_noted = self.unnoted.is_empty();
        Ok(!is_noted || self.current.is_some() || !self.waiting.is_empty())
    }

    /// What has been generated.
    pub fn finish(mut self) -> Generated {
        self.current = None;
        let mut added = Vec::new();
        for id in &self.order {
            let kept = self.kept.get(id).copied().unwrap_or(0);
            let rows = self.pool.remove(id).unwrap_or_default();
            added.extend(rows.into_iter().skip(kept).map(|sample| {
                let sample = Arc::try_unwrap(sample).unwrap_or_else(|shared| (*shared).clone());
                (*id, sample.values)
            }));
        }
        Generated {
            removed: self.removed,
            added,
            remarks: self.remarks,
        }
    }
}

fn name_of(design: &Design, id: EntityId) -> &str {
    design.entities.get(&id).map_or("", |e| e.name.as_str())
}
