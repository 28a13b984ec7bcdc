//! Generates the requested rows in slices: checks the request and its limit, parents first.

use super::super::EntityPlan;
use super::chosen_references::{ReferenceChoice, references};
use super::graph::Graph;
use super::keys_in_use::key_of;
use super::needed::Guesses;
use super::rows::{NextRow, Rows};
use super::uses::obstacle;
use crate::model::{Design, EntityId, Sample, SampleId, SortedMap, Value, Values};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Maximum number of rows of one request.
pub const MAX_ROWS: u64 = 1_000_000;

/// How many rows to generate for which entities.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Request {
    /// One element per entity to generate rows for.
    pub amounts: Vec<Amount>,
    /// Whether to remove these entities' samples first.
    pub replace: bool,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// How many rows to generate for an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount {
    /// The entity.
    pub entity: EntityId,
    /// The number of rows, in total or per parent.
    pub count: u32,
    /// Generate `count` rows per row, existing or new, of this entity, which must be one of [`parents`](super::parents()).
    pub per: Option<EntityId>,
}

/// The generated rows. A command applies them to the design.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Generated {
    /// Samples to remove.
    pub removed: Vec<(EntityId, Vec<SampleId>)>,
    /// Rows to add, in this order.
    pub added: Vec<(EntityId, Values)>,
    /// What could not be done, one sentence each; for example, that an entity's key has no more values, or that samples refer
    /// to removed ones.
    pub remarks: Vec<String>,
}

/// Generates all requested rows.
///
/// # Errors
///
/// What in the design or the request prevents it.
pub fn generate(design: &Design, request: &Request) -> Result<Generated, String> {
    let mut generator = Generator::new(design, request)?;
    while generator.advance(usize::MAX)? {}
    Ok(generator.finish())
}

/// Generates rows in slices, so that the caller stays responsive.
pub struct Generator {
    design: Design,
    graph: Graph,
    seed: u64,
    /// The entities still to be generated, the last one first.
    waiting: Vec<Amount>,
    current: Option<Rows>,
    /// The rows that can be referred to, kept ones and new ones.
    pool: SortedMap<EntityId, Vec<Arc<Sample>>>,
    /// Number of kept rows at the start of each list in `pool`.
    kept: SortedMap<EntityId, usize>,
    /// Hashes of the primary keys in use.
    keys: FxHashSet<u64>,
    /// The entities whose kept rows' keys are still to be recorded, and the progress in the last one.
    unrecorded: Vec<EntityId>,
    noting: Option<(EntityPlan, usize)>,
    order: Vec<EntityId>,
    removed: Vec<(EntityId, Vec<SampleId>)>,
    remarks: Vec<String>,
    done: u64,
    /// The number of requested rows of each entity.
    requested: SortedMap<EntityId, u64>,
    /// The design with the samples that are removed.
    before: Design,
}

impl Generator {
    /// Checks the request and plans the work; generates nothing yet.
    ///
    /// # Errors
    ///
    /// What in the design or the request prevents it.
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
                return Err(format!("the request contains {} twice", name(id)));
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
        let before = design.clone();
        let design = design_left;
        let graph = Graph::new(&design, Guesses::All);
        let entities: Vec<EntityId> = amounts.keys().copied().collect();
        let has_rows = |id| !design.samples_of(id).is_empty();
        let order = graph.order(&design, &entities, &has_rows)?;

        // The number of rows, parents first.
        let mut counts: SortedMap<EntityId, u64> = SortedMap::new();
        let mut total = 0;
        for id in &order {
            let amount = &amounts[id];
            let kept = |id: EntityId| design.samples_of(id).len() as u64;
            let times = match amount.per {
                None => 1,
                Some(parent) if graph.parents(*id).iter().all(|it| it.entity != parent) => {
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
            if total > MAX_ROWS {
                return Err(format!(
                    "the request exceeds {MAX_ROWS} samples: reduce the number of samples"
                ));
            }
        }
        let samples = (design.samples.iter()).map(|(id, samples)| (*id, samples.to_vec()));
        Ok(Generator {
            keys: FxHashSet::default(),
            unrecorded: design.samples.keys().copied().collect(),
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
            requested: counts,
            before,
            design,
        })
    }

    /// Says which samples refer to removed ones without equals among the rows so far: those of entities that the request does
    /// not have.
    pub fn orphans(&self) -> Vec<String> {
        let mut orphans: SortedMap<(EntityId, EntityId), FxHashSet<SampleId>> = SortedMap::new();
        if self.removed.is_empty() {
            return Vec::new();
        }
        let is_removed = |id: EntityId| self.removed.iter().any(|(removed, _)| *removed == id);
        for reference in references(&self.before) {
            let (child, parent) = (reference.entity, reference.target);
            let refused = reference.choice == ReferenceChoice::Refused;
            if refused || is_removed(child) || !is_removed(parent) {
                continue;
            }
            let value = |sample: &Arc<Sample>, name: &str| sample.values.get(name).cloned();
            let target = &reference.target_attribute;
            let mut lost: FxHashSet<Value> = (self.before.samples_of(parent).iter())
                .filter_map(|sample| value(sample, target))
                .collect();
            for row in self.pool.get(&parent).into_iter().flatten() {
                if let Some(value) = row.values.get(target) {
                    lost.remove(value);
                }
            }
            let samples = self.before.samples_of(child).iter();
            let refers = |sample: &&Arc<Sample>| {
                let own = sample.values.get(&reference.attribute);
                own.is_some_and(|own| lost.contains(own))
            };
            let found = samples.filter(refers).map(|sample| sample.id);
            orphans.entry((child, parent)).or_default().extend(found);
        }
        let mut remarks = Vec::new();
        for ((child, parent), samples) in orphans {
            let [child, parent] = [child, parent].map(|id| name_of(&self.before, id));
            match samples.len() {
                0 => {}
                1 => remarks.push(format!(
                    "1 sample of {child} refers to a removed sample of {parent}: generate {child} too"
                )),
                count => remarks.push(format!(
                    "{count} samples of {child} refer to removed samples of {parent}: generate {child} too"
                )),
            }
        }
        remarks
    }

    /// The number of requested rows of an entity.
    pub fn requested(&self, entity: EntityId) -> u64 {
        self.requested.get(&entity).copied().unwrap_or(0)
    }

    /// Total number of requested rows.
    pub fn total(&self) -> u64 {
        self.requested.values().sum()
    }

    /// Number of rows processed so far.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Records the primary key of the next kept row. Returns false if none is left.
    fn record_key(&mut self) -> bool {
        while let Some(id) = self.unrecorded.last() {
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
            self.unrecorded.pop();
        }
        false
    }

    /// Records the keys of kept rows first, then generates up to `rows` more rows. Returns whether more remain. Do not
    /// use the generator after an error, which says what prevents the rows.
    pub fn advance(&mut self, rows: usize) -> Result<bool, String> {
        for _ in 0..rows {
            if self.record_key() {
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
                NextRow::Row(sample) => {
                    pool.push(sample);
                    self.done += 1;
                }
                NextRow::Nothing => self.done += 1,
                NextRow::End => {
                    self.remarks.extend(current.remarks(&self.design));
                    self.current = None;
                }
            }
        }
        let is_noted = self.unrecorded.is_empty();
        Ok(!is_noted || self.current.is_some() || !self.waiting.is_empty())
    }

    /// The generated rows.
    pub fn finish(mut self) -> Generated {
        self.current = None;
        self.remarks.extend(self.orphans());
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
