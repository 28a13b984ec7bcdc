//! Items by the thousand: neighbouring samples of one entity, and what its plan writes for them, attribute by
//! attribute. After an edit only the attributes whose templates changed are rendered anew; the others are shared.

use super::item::{Item, Problem, ProblemKind};
use super::materialise::Draft;
use super::plan::{EntityPlan, EntryPlan, WritePlan};
use super::written::Column;
use crate::model::{AttributeType, EntityId, KeyType, Sample, SampleId, Value, limits};
use crate::template::{Lookup, RenderError, render_into, render_value};
use std::sync::Arc;

/// Most items of a chunk.
pub(super) const MOST: usize = 1024;

/// Some neighbouring items of one entity.
#[derive(Debug)]
pub(super) struct Chunk {
    pub entity: EntityId,
    /// Names of the attributes that the plan can write, sorted.
    pub names: Arc<[String]>,
    pub facts: Arc<Facts>,
    /// What the plan wrote, for each of `names`.
    pub columns: Vec<Arc<Column>>,
    /// The items that have problems, in order. A mistake in a template is that of many: they share what is said of it.
    pub problems: Vec<(u32, Arc<[Problem]>)>,
}

/// No size: no sample is so large.
const UNKNOWN: u32 = u32::MAX;

/// What is known of samples apart from templates.
#[derive(Debug)]
pub(super) struct Facts {
    pub samples: Box<[Arc<Sample>]>,
    /// Their identities, close together.
    pub ids: Box<[SampleId]>,
    /// The lists of attributes that they have, each sorted.
    pub shapes: Vec<Arc<[String]>>,
    /// For each sample the place of its list.
    pub shape: Box<[u16]>,
    /// For each sample its size in bytes; [`UNKNOWN`] if only a [`Draft`] knows what its item has and lacks.
    sizes: Box<[u32]>,
}

impl Chunk {
    /// The items of these samples.
    pub fn new(plan: &EntityPlan, samples: Box<[Arc<Sample>]>) -> Chunk {
        Chunk::anew(plan, Arc::new(Facts::new(plan, samples)))
    }

    fn anew(plan: &EntityPlan, facts: Arc<Facts>) -> Chunk {
        let columns = plan.names.iter().map(|_| None).collect();
        Chunk::with(plan, facts, columns, true).0
    }

    /// As [`Chunk::new`] for the same samples, if this was made by the plan `before`.
    pub fn again(&self, before: &EntityPlan, plan: &EntityPlan) -> Chunk {
        if !plan.differs_in_entries_only(before) {
            return Chunk::new(plan, self.facts.samples.clone());
        }
        if !self.only_lacks_what_changed(before, plan) {
            return Chunk::anew(plan, self.facts.clone());
        }
        // What a changed entry writes is written anew. Provided that no item needs a draft, a column is kept or made of the
        // one before where only a literal changed; but if the entry's other one has to be rendered, only a full one is,
        // because an item has both or none.
        let mut spared = false;
        let mut all: Vec<Option<Arc<Column>>> = self.columns.iter().cloned().map(Some).collect();
        let mut few = all.clone();
        for (entry, old) in plan.entries.iter().zip(&before.entries) {
            if entry == old {
                continue;
            }
            let sound = entry.when == old.when;
            let mut whole = true;
            for (write, old) in entry.writes.iter().zip(&old.writes) {
                let column = &self.columns[write.slot];
                all[write.slot] = None;
                few[write.slot] = match write == old {
                    _ if !sound => None,
                    true => Some(column.clone()),
                    false => column.spliced(write, old, &plan.policy).map(Arc::new),
                };
                whole &= few[write.slot].is_some();
            }
            for write in &entry.writes {
                let column = &mut few[write.slot];
                if !whole && column.as_ref().is_some_and(|column| !column.is_full()) {
                    *column = None;
                }
                spared |= column.is_some();
            }
        }
        if spared {
            let (chunk, done) = Chunk::with(plan, self.facts.clone(), few, false);
            if done {
                return chunk;
            }
        }
        Chunk::with(plan, self.facts.clone(), all, true).0
    }

    /// Whether nothing is wrong with the items but that templates had a mistake which are other ones now.
    fn only_lacks_what_changed(&self, before: &EntityPlan, plan: &EntityPlan) -> bool {
        let is_other = |problem: &Problem| {
            (plan.entries.iter().zip(&before.entries))
                .filter(|(entry, _)| entry.index == problem.index)
                .flat_map(|(entry, old)| entry.writes.iter().zip(&old.writes))
                .any(|(write, old)| write.part == problem.part && write != old)
        };
        let lacks = |problem: &Problem| problem.kind == ProblemKind::Template && is_other(problem);
        // Neighbours mostly have the same ones.
        (self.problems)
            .chunk_by(|(_, one), (_, other)| Arc::ptr_eq(one, other))
            .all(|run| run[0].1.iter().all(lacks))
    }

    /// Fills the columns that are not there; of those that are no item has a problem. Without `drafts` it ends at the
    /// first item that has a problem or needs a draft; the answer is whether it got through.
    fn with(
        plan: &EntityPlan,
        facts: Arc<Facts>,
        mut columns: Vec<Option<Arc<Column>>>,
        drafts: bool,
    ) -> (Chunk, bool) {
        if let Some((slot, value)) = &plan.type_attribute {
            columns[*slot] = Some(Arc::new(Column::Same(Some(value.clone()))));
        }
        let count = facts.samples.len();
        let changed =
            |entry: &&EntryPlan| (entry.writes.iter()).any(|write| columns[write.slot].is_none());
        let entries: Vec<&EntryPlan> = plan.entries.iter().filter(changed).collect();
        let mut new: Vec<Option<Column>> = (columns.iter())
            .map(|column| column.is_none().then(|| Column::with_capacity(count)))
            .collect();
        let ranks = Ranks::new(&entries, &facts);
        // Whatever the plan writes, a sample of this size makes no item that is too large.
        let keys = plan
            .names
            .iter()
            .map(|name| name.len() + limits::PARTITION_KEY_BYTES);
        let most = (limits::ITEM_BYTES / plan.copies()).saturating_sub(keys.sum());
        let mut found: Vec<(u32, Arc<[Problem]>)> = Vec::new();
        // Which templates could not be rendered last, for samples with which attributes.
        let mut known = (0, 0);
        let mut done = true;
        let mut buffer = String::new();
        for (at, sample) in facts.samples.iter().enumerate() {
            let lookup = |name: &str| ranks.get(plan, &facts, at, name);
            let plain = plan.plain && facts.size(at).is_some_and(|size| size <= most);
            let failed = match plain {
                true => write_entries(&entries, plan, &lookup, &mut new, at, &mut buffer),
                false => None,
            };
            if failed == Some(0) {
                continue;
            }
            done = drafts;
            if !drafts {
                break;
            }
            let now = (failed.unwrap_or(0), facts.shape[at]);
            if let Some((_, problems)) = found.last()
                && failed.is_some()
                && known == now
            {
                let problems = problems.clone();
                found.push((at as u32, problems));
                continue;
            }
            let (written, problems) = Draft::of(plan, sample);
            for (column, value) in new.iter_mut().zip(written) {
                if let Some(column) = column {
                    column.truncate(at);
                    column.push(value);
                }
            }
            if !problems.is_empty() {
                found.push((at as u32, problems.into()));
                known = now;
            }
        }
        let columns = columns.into_iter().zip(new).map(|(kept, new)| {
            kept.unwrap_or_else(|| Arc::new(new.map_or(Column::Same(None), Column::shrunk)))
        });
        let chunk = Chunk {
            entity: plan.entity,
            names: plan.names.clone(),
            columns: columns.collect(),
            facts,
            problems: found,
        };
        (chunk, done)
    }

    /// A chunk of one item that has these values.
    pub fn of_one(plan: &EntityPlan, sample: &Arc<Sample>, written: &[Option<Value>]) -> Chunk {
        let columns = (written.iter()).map(|value| Arc::new(Column::Same(value.clone())));
        Chunk {
            entity: plan.entity,
            names: plan.names.clone(),
            facts: Arc::new(Facts::new(plan, Box::new([sample.clone()]))),
            columns: columns.collect(),
            problems: Vec::new(),
        }
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.facts.samples.len()
    }

    /// What is wrong with an item.
    pub fn problems(&self, at: usize) -> &[Problem] {
        let found = (self.problems).binary_search_by_key(&(at as u32), |(at, _)| *at);
        found.map_or(&[], |found| &self.problems[found].1)
    }

    /// Whether DynamoDB would take a put of an item.
    #[inline(always)]
    pub fn is_stored(&self, at: usize) -> bool {
        self.problems.is_empty() || !self.problems(at).iter().any(Problem::stops)
    }

    /// An item's size in bytes, if that of its sample is known.
    pub fn size(&self, at: usize) -> Option<usize> {
        let mut size = self.facts.size(at)?;
        for (name, column) in self.names.iter().zip(&self.columns) {
            size += (column.get(at)).map_or(0, |value| name.len() + value.size());
        }
        Some(size)
    }

    /// The place of an attribute among those that the plan can write.
    pub fn slot(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }
}

/// One of the items.
pub(super) fn item(chunk: &Arc<Chunk>, at: usize) -> Item {
    Item {
        entity: chunk.entity,
        chunk: chunk.clone(),
        at: at as u32,
    }
}

/// Renders what the entries write for the sample at this place, into those columns that are to be filled. The bits of the
/// answer are the templates that have a mistake, or lack an attribute that the sample does not have: what is wrong with
/// other samples with the same attributes is the same. `None` if anything else is amiss; then some columns may have got
/// the item's value and others not.
fn write_entries(
    entries: &[&EntryPlan],
    plan: &EntityPlan,
    lookup: Lookup,
    columns: &mut [Option<Column>],
    at: usize,
    buffer: &mut String,
) -> Option<u64> {
    let mut failed = 0;
    let mut number = 0;
    for entry in entries {
        let mut whole =
            (entry.when.iter()).all(|condition| condition.holds(lookup(&condition.attribute)));
        let mut own = 0;
        let bits = number..;
        number += entry.writes.len() as u32;
        for (write, bit) in entry.writes.iter().zip(bits).filter(|_| whole) {
            let Some(column) = &mut columns[write.slot] else {
                continue;
            };
            match render(plan, write, lookup, buffer, column) {
                Rendered::Written => {}
                Rendered::Absent | Rendered::Missing if !entry.index.is_primary() => {
                    whole = false;
                    break;
                }
                Rendered::Missing | Rendered::Broken => own |= 1_u64.checked_shl(bit)?,
                Rendered::Absent | Rendered::Refused => return None,
            }
        }
        if whole && own == 0 {
            continue;
        }
        if whole {
            failed |= own;
        }
        // Of the table's key what there is, of another one all or nothing.
        for write in &entry.writes {
            match &mut columns[write.slot] {
                Some(column) if entry.index.is_primary() && whole => column.fill(at + 1),
                Some(column) if !write.needed => {
                    column.truncate(at);
                    column.push(None);
                }
                _ => return None,
            }
        }
    }
    Some(failed)
}

/// What came of a template.
enum Rendered {
    /// Its value is in the column.
    Written,
    /// The sample does not have an attribute.
    Missing,
    /// An attribute is empty or NULL.
    Absent,
    /// The template has a mistake.
    Broken,
    /// The key would be one that DynamoDB refuses, or there is another reason.
    Refused,
}

/// Adds the value that a template writes to a column, if it writes one.
fn render(
    plan: &EntityPlan,
    write: &WritePlan,
    lookup: Lookup,
    buffer: &mut String,
    column: &mut Column,
) -> Rendered {
    let template = &write.parsed.template;
    let fits = |size: usize| (1..=write.most).contains(&size);
    let rendered = match write.kind {
        KeyType::S => {
            buffer.clear();
            render_into(template, &plan.policy, lookup, buffer).map(|()| {
                let fits = fits(buffer.len());
                if fits {
                    column.push_text(buffer);
                }
                fits
            })
        }
        kind => {
            render_value(template, kind.into(), &plan.policy, lookup, write.most).map(|value| {
                let fits = fits(value.size());
                if fits {
                    column.push(Some(value));
                }
                fits
            })
        }
    };
    match rendered {
        Ok(true) => Rendered::Written,
        Err(RenderError::Missing { .. }) => Rendered::Missing,
        Err(RenderError::Malformed) => Rendered::Broken,
        Err(error) if error.is_absent() => Rendered::Absent,
        _ => Rendered::Refused,
    }
}

impl Facts {
    fn new(plan: &EntityPlan, samples: Box<[Arc<Sample>]>) -> Facts {
        let mut shapes: Vec<Arc<[String]>> = Vec::new();
        let mut known: Vec<Shape> = Vec::new();
        let mut shape = Vec::with_capacity(samples.len());
        let mut sizes = Vec::with_capacity(samples.len());
        for sample in &samples {
            let own = sample.values.names();
            let same = |names: &Arc<[String]>| names == own;
            let found = match shape.last() {
                Some(last) if same(&shapes[usize::from(*last)]) => *last,
                _ => {
                    let found = shapes.iter().position(same).unwrap_or_else(|| {
                        let names = own.clone();
                        known.push(Shape::new(plan, &names));
                        shapes.push(names);
                        shapes.len() - 1
                    });
                    found as u16
                }
            };
            shape.push(found);
            let size = known[usize::from(found)].size(plan, sample);
            sizes.push(size.unwrap_or(UNKNOWN));
        }
        Facts {
            ids: samples.iter().map(|sample| sample.id).collect(),
            shapes,
            shape: shape.into(),
            sizes: sizes.into(),
            samples,
        }
    }

    /// A sample's size in bytes, if it is known.
    fn size(&self, at: usize) -> Option<usize> {
        let size = self.sizes[at];
        (size != UNKNOWN).then_some(size as usize)
    }

    /// The value that a sample has for an attribute, which is in its list at this place.
    pub fn value(&self, at: usize, rank: usize) -> Option<&Value> {
        self.samples[at].values.nth(rank)
    }
}

/// What a plan means for samples with the same attributes.
struct Shape {
    /// Size of the names in bytes; `None` if the plan writes one of these attributes, or lacks one.
    names: Option<usize>,
    /// For each attribute the type that its entity gives it.
    types: Vec<Option<AttributeType>>,
    /// Whether a sample's own values are keys, which have to be checked.
    keys: bool,
}

impl Shape {
    fn new(plan: &EntityPlan, names: &[String]) -> Shape {
        let written = names.iter().any(|name| plan.names.contains(name));
        let has = |name: &String| names.contains(name);
        let lacks = (plan.keys.iter())
            .any(|key| key.index.is_primary() && key.slot.is_none() && !has(&key.name));
        let kind = |name: &String| {
            let found = plan.types.iter().find(|(other, _)| other == name);
            found.map(|(_, kind)| *kind)
        };
        Shape {
            names: (!written && !lacks).then(|| names.iter().map(String::len).sum()),
            types: names.iter().map(kind).collect(),
            keys: (plan.keys.iter()).any(|key| key.slot.is_none() && has(&key.name)),
        }
    }

    fn size(&self, plan: &EntityPlan, sample: &Sample) -> Option<u32> {
        let mut size = self.names?;
        for (value, wanted) in sample.values.values().zip(&self.types) {
            let kind = value.kind();
            if wanted.is_some_and(|wanted| wanted != kind && kind != AttributeType::Null) {
                return None;
            }
            size += value.size();
        }
        let is_key = |key: &super::plan::KeyPlan| {
            sample.values.get(&key.name).is_none_or(|value| {
                value.kind() == key.kind.into() && (1..=key.max_bytes).contains(&value.size())
            })
        };
        let sound = !self.keys || plan.keys.iter().all(is_key);
        u32::try_from(size).ok().filter(|_| sound)
    }
}

/// Where samples have the attributes that some entries read: comparing a few names that are at hand is quicker than
/// finding them in each sample.
struct Ranks<'a> {
    /// For each list of attributes, the names that are read, as often as they are, and their places.
    shapes: Vec<Vec<(&'a str, Option<usize>)>>,
}

impl<'a> Ranks<'a> {
    fn new(entries: &[&'a EntryPlan], facts: &Facts) -> Ranks<'a> {
        let mut names: Vec<&str> = Vec::new();
        for entry in entries {
            let conditions = entry
                .when
                .iter()
                .map(|condition| condition.attribute.as_str());
            let writes = (entry.writes.iter()).flat_map(|write| write.parsed.template.attributes());
            for name in conditions.chain(writes) {
                names.push(name);
            }
        }
        let ranks = |shape: &[String]| {
            let rank = |name: &&'a str| (*name, shape.iter().position(|other| other == name));
            names.iter().map(rank).collect()
        };
        Ranks {
            shapes: facts.shapes.iter().map(|shape| ranks(shape)).collect(),
        }
    }

    /// What a template sees under a name: the sample's value, or the type attribute.
    fn get<'b>(
        &self,
        plan: &'b EntityPlan,
        facts: &'b Facts,
        at: usize,
        name: &str,
    ) -> Option<&'b Value> {
        let ranks = &self.shapes[usize::from(facts.shape[at])];
        // The template that asks gave the name: it is the very same text.
        match ranks
            .iter()
            .find(|(other, _)| std::ptr::eq(*other, name))?
            .1
        {
            Some(rank) => facts.value(at, rank),
            None => plan.type_value(name),
        }
    }
}
