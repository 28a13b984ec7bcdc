//! Generates the rows of one entity, one after the other.

use super::generator::Amount;
use super::graph::Graph;
use super::keys_in_use::{counts, first_number, key_of};
use super::needed::Needed;
use super::parents::{Earlier, Group, Source, plan};
use super::rng::{Rng, scattered};
use super::value::{self, Context, converted};
use crate::engine::{EntityPlan, ProblemKind};
use crate::model::{Design, EntityId, Format, Sample, SampleId, SortedMap, Value};
use crate::template::fnv1a_64;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Maximum number of attempts for a row whose primary key is taken or that DynamoDB would refuse.
const ATTEMPTS: u64 = 64;
/// Maximum number of attempts for a row that is missing from an index because of an error, or whose references do not
/// match; also the number of attempts before all key values are enumerated, if they can be.
const FEW_ATTEMPTS: u64 = 8;
/// Percentage of rows without a given optional attribute.
const MISSING_PERCENT: u64 = 15;

/// The result of [`Rows::next`].
pub(super) enum NextRow {
    /// A row.
    Row(Arc<Sample>),
    /// This parent has no more rows.
    Nothing,
    /// All rows have been made.
    End,
}

/// Generates an entity's rows.
pub(super) struct Rows {
    entity: EntityId,
    plan: EntityPlan,
    needed: Vec<Needed>,
    sources: Vec<Source>,
    groups: Vec<Group>,
    earlier: Option<Earlier>,
    /// The order in which values are generated: times and names first, because others depend on them; references to
    /// earlier rows last.
    turns: Vec<usize>,
    /// The next number of each sequence in the primary key; for other sequences the first number.
    numbers: Vec<u64>,
    streams: Vec<u64>,
    delimiter: String,
    seed: u64,
    salt: u64,
    /// Index of the next row in the entity.
    row: u64,
    /// Index of the first new row.
    first_row: u64,
    /// Requested rows, per parent or in total.
    each: u64,
    per: Option<EntityId>,
    parents: Option<usize>,
    at: u64,
    missing: u64,
    /// Number of possible values of each part of the primary key, if countable: one for each reference, then one for
    /// each attribute.
    counts: Option<Vec<u64>>,
    /// Position in the enumeration, and the number of failures in it.
    counted: u64,
    failures: u64,
    exhausted: bool,
    /// Whether every row has the same error in an index.
    always_fails: bool,
    /// By attribute, the number of rows whose references do not match because of it.
    mismatched: Vec<u64>,
    /// The attribute that no row fits for all rows of this parent, and by attribute the number of rows that are missing
    /// because of that.
    unfit: Option<usize>,
    unfitted: Vec<u64>,
}

/// A row that may still be refused.
struct Draft {
    sample: Arc<Sample>,
    /// Whether another choice of rows to refer to may match better.
    may_match_better: bool,
    /// The required attributes that refer to rows which do not match this one.
    mismatched: Vec<usize>,
}

impl Rows {
    /// Prepares the rows of an entity. `pool` contains all rows that can be referred to.
    pub fn new(
        design: &Design,
        graph: &Graph,
        pool: &SortedMap<EntityId, Vec<Arc<Sample>>>,
        amount: &Amount,
        seed: u64,
    ) -> Result<Rows, String> {
        let id = amount.entity;
        let name = design.entities.get(&id).map_or("", |e| e.name.as_str());
        let needed = graph.needed.get(&id).cloned().unwrap_or_default();
        for attribute in &needed {
            if let Some(format) = &attribute.format {
                value::check(format)
                    .map_err(|why| format!("{name}: `{}`: {why}", attribute.name))?;
            }
        }
        let (groups, sources) = plan(design, graph, pool, id, amount.per)?;
        let existing = pool.get(&id).map_or(&[][..], |rows| rows);
        let salt = Rng::new(&[seed, fnv1a_64(name.as_bytes())]).next();
        let numbers = needed
            .iter()
            .map(|attribute| first_number(attribute, existing));
        let turn = |at: usize| match (&sources[at], &needed[at].format) {
            (Source::Before(_), _) => 4,
            (_, Some(Format::Date { .. } | Format::Timestamp { .. })) => {
                u8::from(!needed[at].name.starts_with("creat"))
            }
            (_, Some(Format::PersonName)) => 2,
            _ => 3,
        };
        let mut turns: Vec<usize> = Vec::new();
        for wanted in 0..5 {
            turns.extend((0..needed.len()).filter(|at| turn(*at) == wanted));
        }
        let parents = (amount.per).map(|per| match groups.first() {
            Some(first) if first.entity == per => first.rows.len(),
            _ => 0,
        });
        Ok(Rows {
            entity: id,
            plan: EntityPlan::new(design, id),
            numbers: numbers.collect(),
            streams: needed.iter().map(|a| fnv1a_64(a.name.as_bytes())).collect(),
            counts: counts(&needed, &sources, &groups, parents.is_some()),
            delimiter: design.delimiter.delimiter.clone(),
            earlier: Earlier::new(design, &needed, &sources),
            mismatched: vec![0; needed.len()],
            unfit: None,
            unfitted: vec![0; needed.len()],
            turns,
            needed,
            sources,
            groups,
            seed: salt,
            salt,
            row: existing.len() as u64,
            first_row: existing.len() as u64,
            each: u64::from(amount.count),
            per: amount.per,
            parents,
            at: 0,
            missing: 0,
            counted: 0,
            failures: 0,
            exhausted: false,
            always_fails: false,
        })
    }

    /// The entity of the rows.
    pub fn entity(&self) -> EntityId {
        self.entity
    }

    /// Generates the next row. `before` are the rows that the entity already has, `keys` the hashes of the primary keys
    /// in use. The error says which values cannot be stored.
    pub fn next(
        &mut self,
        design: &Design,
        before: &[Arc<Sample>],
        keys: &mut FxHashSet<u64>,
    ) -> Result<NextRow, String> {
        let parent = self.parents.map(|_| self.at / self.each);
        if self.at == self.each * self.parents.unwrap_or(1) as u64 {
            return Ok(NextRow::End);
        }
        if parent.is_some() && self.at.is_multiple_of(self.each) {
            (self.counted, self.exhausted, self.unfit) = (0, false, None);
        }
        self.at += 1;
        if self.exhausted {
            return Ok(self.miss());
        }
        if let Some(earlier) = &mut self.earlier {
            earlier.add(&self.needed, before);
        }
        let mut refused = None;
        for attempt in 0..ATTEMPTS {
            let draft = self.draw(before, parent, attempt, None);
            let item = self.plan.item(&draft.sample);
            let mistaken =
                (item.problems().iter()).any(|problem| problem.kind == ProblemKind::Render);
            let may_improve = draft.may_match_better || (mistaken && !self.always_fails);
            if may_improve && item.is_stored() && attempt < FEW_ATTEMPTS {
                continue;
            }
            if let Some(wrong) = self.wrong_in_key(&draft) {
                if parent.is_some() && !draft.may_match_better {
                    // All rows of this parent are like that.
                    self.unfit = Some(wrong);
                    return Ok(self.miss());
                }
                if self.counts.is_some() {
                    break;
                }
            }
            if !item.is_stored() {
                refused = Some(item);
                continue;
            }
            if keys.insert(key_of(design, &item)) {
                self.always_fails |= mistaken;
                return Ok(self.accept(draft));
            }
            refused = None;
            if attempt >= FEW_ATTEMPTS && self.counts.is_some() {
                break;
            }
        }
        if let Some(draft) = self.enumerate_keys(design, before, parent, keys) {
            return Ok(self.accept(draft));
        }
        if let Some(item) = refused {
            let problem = item.problems().iter().find(|problem| problem.stops());
            let why = problem.map_or(String::new(), |problem| {
                problem.describe(design.index_name(problem.index))
            });
            let name = design
                .entities
                .get(&self.entity)
                .map_or("", |e| e.name.as_str());
            return Err(format!("{name}: no sample could be stored: {why}"));
        }
        Ok(self.miss())
    }

    /// Gives up the other rows of this parent.
    fn miss(&mut self) -> NextRow {
        self.exhausted = true;
        self.missing += 1;
        if let Some(at) = self.unfit {
            self.unfitted[at] += 1;
        }
        NextRow::Nothing
    }

    fn accept(&mut self, draft: Draft) -> NextRow {
        self.row += 1;
        for at in draft.mismatched {
            self.mismatched[at] += 1;
        }
        NextRow::Row(draft.sample)
    }

    /// An attribute of the primary key that refers to a row which does not match the others.
    fn wrong_in_key(&self, draft: &Draft) -> Option<usize> {
        let mut mismatched = draft.mismatched.iter().copied();
        mismatched.find(|at| self.needed[*at].uses.in_primary)
    }

    /// What could not be done, once everything is done.
    pub fn remarks(&self, design: &Design) -> Vec<String> {
        let mut remarks = Vec::from_iter(self.shortage(design));
        let name_of = |id| design.entities.get(&id).map_or("", |e| e.name.as_str());
        let counts = self.mismatched.iter().zip(&self.unfitted).enumerate();
        for (at, (count, missing)) in counts.filter(|(_, (a, b))| **a + **b > 0) {
            let Source::Parent(of, _) = &self.sources[at] else {
                continue;
            };
            let group = &self.groups[*of];
            let mut instead = group.instead.iter();
            let group = instead.find(|other| other.at == at).unwrap_or(group);
            let fixed = group.fixed.iter();
            let fixed: Vec<String> = fixed
                .map(|(at, _)| format!("`{}`", self.needed[*at].name))
                .collect();
            let (name, own) = (name_of(self.entity), &self.needed[at].name);
            let (fixed, other) = (fixed.join(" and "), name_of(group.entity));
            let why = format!("because no {other} fits: generate more samples of {other}");
            let all = self.at - self.missing;
            if *count > 0 {
                remarks.push(format!(
                    "{name}: `{own}` of {count} of {all} samples does not match {fixed}, {why}"
                ));
            }
            if *missing > 0 {
                remarks.push(format!(
                    "{name}: {missing} samples without a `{own}` that matches {fixed} are left out, {why}"
                ));
            }
        }
        remarks
    }

    /// Why there are fewer rows than requested.
    fn shortage(&self, design: &Design) -> Option<String> {
        let name_of = |id| design.entities.get(&id).map_or("", |e| e.name.as_str());
        let name = name_of(self.entity);
        if let (Some(per), Some(0)) = (self.per, self.parents) {
            let parent = name_of(per);
            return Some(format!("{name}: no samples, because {parent} has none"));
        }
        let missing = self.missing - self.unfitted.iter().sum::<u64>();
        if missing == 0 {
            return None;
        }
        let names = self.needed.iter().filter(|a| a.uses.in_primary);
        let names: Vec<String> = names.map(|a| format!("`{}`", a.name)).collect();
        let of = match names.as_slice() {
            [] => "is the same for every sample".to_owned(),
            [name] => format!("consists of {name}, which has no more values"),
            names => format!(
                "consists of {}, which have no more values",
                names.join(", ")
            ),
        };
        Some(format!(
            "{name}: {} of {} samples, because its primary key {of}",
            self.at - missing,
            self.at
        ))
    }

    /// Enumerates all values that the primary key can have until one is free. Each is tried once: a key that is in use
    /// stays in use.
    fn enumerate_keys(
        &mut self,
        design: &Design,
        before: &[Arc<Sample>],
        parent: Option<u64>,
        keys: &mut FxHashSet<u64>,
    ) -> Option<Draft> {
        // A refused row tells more than one whose key is in use.
        const MAX_FAILURES: u64 = 200_000;
        const REFUSED_WEIGHT: u64 = 200;
        let counts = self.counts.clone()?;
        let all = counts.iter().product();
        while self.counted < all && self.failures < MAX_FAILURES {
            let mut rest = scattered(self.counted, all, self.salt);
            self.counted += 1;
            let mut choices = Vec::with_capacity(counts.len());
            for count in &counts {
                choices.push((*count > 1).then_some(rest % count));
                rest /= count;
            }
            let draft = self.draw(before, parent, 0, Some(&choices));
            let item = self.plan.item(&draft.sample);
            if !item.is_stored() {
                self.failures += REFUSED_WEIGHT;
            } else if self.wrong_in_key(&draft).is_none() && keys.insert(key_of(design, &item)) {
                return Some(draft);
            } else {
                self.failures += 1;
            }
        }
        None
    }

    /// Generates a row. An optional reference for which no row matches stays empty. `choices` fixes the references and
    /// attributes, as in [`counts`]; without it they are random.
    fn draw(
        &mut self,
        before: &[Arc<Sample>],
        parent: Option<u64>,
        attempt: u64,
        choices: Option<&[Option<u64>]>,
    ) -> Draft {
        let choice = |at: usize| choices.and_then(|choices| choices[at]);
        let mut values: Vec<Option<Value>> = vec![None; self.needed.len()];
        let mut may_match_better = false;
        let mut mismatched: Vec<usize> = Vec::new();
        for (number, group) in self.groups.iter_mut().enumerate() {
            let stream = [self.seed, self.row, attempt];
            let (place, fits) = match parent.filter(|_| number == 0) {
                Some(parent) => (parent as usize, true),
                None => group.choose(&values, stream, choice(number)),
            };
            let is_given = |at: usize| matches!(self.sources[at], Source::Parent(0, _));
            let is_settled = parent.is_some() && group.fixed.iter().all(|(at, _)| is_given(*at));
            may_match_better |= !(fits || is_settled);
            let row = &group.rows[place];
            for (at, source) in self.sources.iter().enumerate() {
                let Source::Parent(of, name) = source else {
                    continue;
                };
                let needed = &self.needed[at];
                if *of != number || !(fits || needed.required) {
                    continue;
                }
                let mut instead = group.instead.iter_mut().filter(|_| !fits);
                let value = match instead.find(|other| other.at == at) {
                    Some(other) => {
                        let (place, fits) = other.choose(&values, stream, None);
                        mismatched.extend((!fits).then_some(at));
                        other.rows[place].values.get(&other.name)
                    }
                    None => {
                        let is_told = at != group.at && self.needed[group.at].required;
                        mismatched.extend((!fits && !is_told).then_some(at));
                        row.values.get(name)
                    }
                };
                values[at] = value.and_then(|value| converted(needed.kind, value));
            }
        }
        let (mut person, mut since) = (None, None);
        for turn in 0..self.turns.len() {
            let at = self.turns[turn];
            let attribute = &self.needed[at];
            // Only key attributes change between attempts.
            let attempt = if attribute.uses.in_key { attempt } else { 0 };
            let place = [self.seed, self.streams[at], self.row, attempt];
            let mut rng = Rng::new(&place);
            if !attribute.required {
                let is_missing = rng.below(100) < MISSING_PERCENT;
                let is_parent =
                    parent.is_some() && matches!(self.sources[at], Source::Parent(0, _));
                if is_missing && !is_parent {
                    values[at] = None;
                    continue;
                }
            }
            let rng = rng.preset(choice(self.groups.len() + at));
            values[at] = match &self.sources[at] {
                Source::Parent(..) => continue,
                Source::Nothing => None,
                Source::Before(name) => self.earlier(before, &values, at, name, rng),
                Source::Own => {
                    let mut number = self.numbers[at];
                    if !attribute.uses.in_primary {
                        number = number.saturating_add(self.row - self.first_row);
                    } else {
                        self.numbers[at] = number.saturating_add(1);
                    }
                    let attribute = &self.needed[at];
                    let context = Context {
                        rng,
                        row: self.row + attempt * 1_000_003,
                        salt: self.salt,
                        person: person.clone(),
                        since,
                        delimiter: if attribute.uses.delimited {
                            &self.delimiter
                        } else {
                            ""
                        },
                        capital: attribute.name.ends_with("ame"),
                    };
                    Some(self.own(at, number, context))
                }
            };
            match (&self.needed[at].format, &values[at]) {
                (Some(Format::PersonName), Some(Value::S(name))) => {
                    person.get_or_insert_with(|| name.clone());
                }
                (Some(Format::Date { .. } | Format::Timestamp { .. }), Some(Value::S(text))) => {
                    let time = super::calendar::seconds(text);
                    since = since.or(time);
                }
                _ => {}
            }
        }
        // A required reference to the own entity is to the row itself if no earlier row has its tenant and parents.
        for at in 0..values.len() {
            if let (Source::Before(name), None, true) =
                (&self.sources[at], &values[at], self.needed[at].required)
            {
                let own = self.needed.iter().position(|needed| needed.name == *name);
                values[at] = own.and_then(|own| values[own].clone());
            }
        }
        let pairs = self.needed.iter().zip(values);
        let values = pairs.filter_map(|(needed, value)| Some((needed.name.clone(), value?)));
        let sample = Sample {
            id: SampleId(0),
            values: SortedMap::from_iter(values).into(),
        };
        Draft {
            sample: Arc::new(sample),
            may_match_better,
            mismatched,
        }
    }

    /// The value of an attribute that depends on no other row. `number` is its next number, if it is a sequence.
    fn own(&self, at: usize, number: u64, context: Context) -> Value {
        let attribute = &self.needed[at];
        let kind = attribute.kind;
        let mut fallback = Rng::new(&[self.seed, self.streams[at], self.row, ATTEMPTS]);
        let value = match &attribute.format {
            Some(Format::Sequence { prefix, digits, .. }) => {
                let width = usize::from(*digits);
                converted(kind, &Value::S(format!("{prefix}{number:0width$}")))
            }
            Some(format) => value::of_format(format, kind, context),
            None => None,
        };
        value.unwrap_or_else(|| value::of_type(kind, &mut fallback))
    }

    /// A value of an earlier row with the same tenant and parents.
    fn earlier(
        &self,
        before: &[Arc<Sample>],
        values: &[Option<Value>],
        at: usize,
        name: &str,
        mut rng: Rng,
    ) -> Option<Value> {
        let places = self.earlier.as_ref()?.places(values);
        let mut tries = 0..FEW_ATTEMPTS;
        tries.find_map(|_| {
            let place = places.get(rng.below(places.len() as u64) as usize)?;
            let row = before.get(*place as usize)?;
            converted(self.needed[at].kind, row.values.get(name)?)
        })
    }
}
