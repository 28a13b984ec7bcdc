//! Chunks: up to about 1000 neighboring items of one entity, and the attributes that its plan writes for them, column
//! by column. After an edit only the attributes whose templates changed are rendered again; the others are shared.

use super::item::Item;
use super::materialize::{Draft, has_empty_set};
use super::plan::{EntityPlan, EntryPlan, WritePlan};
use super::problem::{Problem, ProblemKind};
use super::written::Column;
use crate::model::{AttributeType, EntityId, KeyType, Sample, SampleId, Value, limits};
use crate::template::{Lookup, RenderError, render_into, render_value};
use std::sync::Arc;

/// Maximum number of items in a chunk.
pub(super) const MAX_ITEMS: usize = 1024;

/// Neighboring items of one entity.
#[derive(Debug)]
pub(super) struct Chunk {
    pub entity: EntityId,
    /// Names of the attributes that the plan can write, sorted.
    pub names: Arc<[String]>,
    /// The key-only attributes of the entity: samples can have them, items do not.
    pub key_only: Arc<[String]>,
    pub facts: Arc<Facts>,
    /// The written values, one column for each of `names`.
    pub columns: Vec<Arc<Column>>,
    /// The items that have problems, in order. An error in a template affects many items, so they share the list.
    pub problems: Vec<(u32, Arc<[Problem]>)>,
}

/// Marks an unknown size: no sample is so large.
const UNKNOWN: u32 = u32::MAX;

/// What is known of samples independently of templates.
#[derive(Debug)]
pub(super) struct Facts {
    pub samples: Box<[Arc<Sample>]>,
    /// Their ids, stored contiguously.
    pub ids: Box<[SampleId]>,
    /// The distinct sorted attribute lists of the samples.
    pub shapes: Vec<Arc<[String]>>,
    /// For each sample the position of its list in `shapes`.
    pub shape: Box<[u16]>,
    /// For each sample the size in bytes of what its item stores; [`UNKNOWN`] if only a [`Draft`] can tell which attributes its item has.
    sizes: Box<[u32]>,
}

impl Chunk {
    /// Renders the items of these samples.
    pub fn new(plan: &EntityPlan, samples: Box<[Arc<Sample>]>) -> Chunk {
        Chunk::anew(plan, Arc::new(Facts::new(plan, samples)))
    }

    fn anew(plan: &EntityPlan, facts: Arc<Facts>) -> Chunk {
        let columns = plan.names.iter().map(|_| None).collect();
        Chunk::with(plan, facts, columns, true).0
    }

    /// Like [`Chunk::new`] for the same samples, reusing columns of this chunk, which the plan `before` made.
    pub fn recompute(&self, before: &EntityPlan, plan: &EntityPlan) -> Chunk {
        if !plan.differs_in_entries_only(before) {
            return Chunk::new(plan, self.facts.samples.clone());
        }
        if !self.only_lacks_what_changed(before, plan) {
            return Chunk::anew(plan, self.facts.clone());
        }
        // Columns of changed entries are rendered again. If no item needs a draft, a column is kept, or spliced where
        // only a literal changed. If the entry's other column has to be rendered, only a full column is kept, because
        // an item has both or neither.
        let mut reuses_columns = false;
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
                    false => column
                        .spliced(
                            &old.parsed.template,
                            &write.parsed.template,
                            write.most,
                            &plan.policy,
                        )
                        .map(Arc::new),
                };
                whole &= few[write.slot].is_some();
            }
            for write in &entry.writes {
                let column = &mut few[write.slot];
                if !whole && column.as_ref().is_some_and(|column| !column.is_full()) {
                    *column = None;
                }
                reuses_columns |= column.is_some();
            }
        }
        if reuses_columns {
            let (chunk, done) = Chunk::with(plan, self.facts.clone(), few, false);
            if done {
                return chunk;
            }
        }
        Chunk::with(plan, self.facts.clone(), all, true).0
    }

    /// Whether the only problems are errors of templates that have changed since.
    fn only_lacks_what_changed(&self, before: &EntityPlan, plan: &EntityPlan) -> bool {
        let is_other = |problem: &Problem| {
            (plan.entries.iter().zip(&before.entries))
                .filter(|(entry, _)| entry.index == problem.index)
                .flat_map(|(entry, old)| entry.writes.iter().zip(&old.writes))
                .any(|(write, old)| Some(write.part) == problem.part && write != old)
        };
        let lacks = |problem: &Problem| problem.kind == ProblemKind::Template && is_other(problem);
        // Neighbors usually share the same list.
        (self.problems)
            .chunk_by(|(_, one), (_, other)| Arc::ptr_eq(one, other))
            .all(|run| run[0].1.iter().all(lacks))
    }

    /// Fills the missing columns; no item has a problem in the others. Without `drafts` it stops at the first item that
    /// has a problem or needs a draft. Returns whether it reached the end.
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
        let ranks = Ranks::new(plan, &entries, &facts);
        // A sample of at most this size cannot make an item that is too large, whatever the plan writes.
        let keys = plan
            .names
            .iter()
            .map(|name| name.len() + limits::PARTITION_KEY_BYTES);
        let most = (limits::ITEM_BYTES / plan.copies()).saturating_sub(keys.sum());
        let mut found: Vec<(u32, Arc<[Problem]>)> = Vec::new();
        // The templates that failed last, and the attribute list of the samples for which they failed.
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
            key_only: plan.key_only.clone(),
            columns: columns.collect(),
            facts,
            problems: found,
        };
        (chunk, done)
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.facts.samples.len()
    }

    /// The problems of an item.
    pub fn problems(&self, at: usize) -> &[Problem] {
        let found = (self.problems).binary_search_by_key(&(at as u32), |(at, _)| *at);
        found.map_or(&[], |found| &self.problems[found].1)
    }

    /// Whether DynamoDB would accept a put of the item.
    #[inline(always)]
    pub fn is_stored(&self, at: usize) -> bool {
        self.problems.is_empty() || !self.problems(at).iter().any(Problem::stops)
    }

    /// The size of an item in bytes; `None` if its sample's size is unknown.
    pub fn size(&self, at: usize) -> Option<usize> {
        let mut size = self.facts.size(at)?;
        for (name, column) in self.names.iter().zip(&self.columns) {
            size += (column.get(at)).map_or(0, |value| name.len() + value.size());
        }
        Some(size)
    }

    /// Whether the attribute is key-only: items lack the sample's value.
    pub fn is_key_only(&self, name: &str) -> bool {
        self.key_only.iter().any(|other| other == name)
    }

    /// The position of an attribute among those that the plan can write.
    pub fn slot(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }
}

/// The item at this position of the chunk.
pub(super) fn item(chunk: &Arc<Chunk>, at: usize) -> Item {
    Item {
        entity: chunk.entity,
        chunk: chunk.clone(),
        at: at as u32,
    }
}

/// Renders what the entries write for the sample at this position into the requested columns. The result is a bit set
/// of the templates that have an error or need an attribute that the sample does not have; it is the same for every
/// sample with the same attributes. Returns `None` for any other problem; some columns may then contain the item's
/// value and others not.
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
        // The table's key may be partial; an index key is written completely or not at all.
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

/// The result of rendering a template.
enum Rendered {
    /// The column contains the value.
    Written,
    /// The sample does not have an attribute.
    Missing,
    /// An attribute is empty or NULL.
    Absent,
    /// The template has an error.
    Broken,
    /// DynamoDB would refuse the key, or there is another reason.
    Refused,
}

/// Appends the value that a template writes to a column, if it writes one.
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

    /// The size of a sample in bytes, if known.
    fn size(&self, at: usize) -> Option<usize> {
        let size = self.sizes[at];
        (size != UNKNOWN).then_some(size as usize)
    }

    /// A sample's value for the attribute at position `rank` of its attribute list.
    pub fn value(&self, at: usize, rank: usize) -> Option<&Value> {
        self.samples[at].values.nth(rank)
    }
}

/// What a plan does with samples that have the same attributes.
struct Shape {
    /// Size of the stored names in bytes; `None` if the plan writes or needs one of these attributes, or one has no name.
    names: Option<usize>,
    /// For each attribute whether items store it: it is not key-only.
    stored: Vec<bool>,
    /// For each attribute the type that the entity declares.
    types: Vec<Option<AttributeType>>,
    /// Whether values of the sample are key attributes, which must be checked.
    keys: bool,
}

impl Shape {
    fn new(plan: &EntityPlan, names: &[String]) -> Shape {
        let is_stored = |name: &&String| !plan.is_key_only(name);
        let stored = || names.iter().filter(is_stored);
        let written = stored().any(|name| plan.names.contains(name));
        let has = |name: &String| stored().any(|other| other == name);
        let nameless = stored().any(String::is_empty);
        let lacks = (plan.keys.iter())
            .any(|key| key.index.is_primary() && key.slot.is_none() && !has(&key.name));
        let kind = |name: &String| {
            let found = plan.types.iter().find(|(other, _)| other == name);
            found.map(|(_, kind)| *kind)
        };
        Shape {
            names: (!written && !lacks && !nameless).then(|| stored().map(String::len).sum()),
            stored: names.iter().map(|name| is_stored(&name)).collect(),
            types: names.iter().map(kind).collect(),
            keys: (plan.keys.iter()).any(|key| key.slot.is_none() && has(&key.name)),
        }
    }

    fn size(&self, plan: &EntityPlan, sample: &Sample) -> Option<u32> {
        let mut size = self.names?;
        let values = sample.values.values().zip(&self.stored);
        for ((value, is_stored), wanted) in values.zip(&self.types) {
            let kind = value.kind();
            let is_other =
                wanted.is_some_and(|wanted| wanted != kind && kind != AttributeType::Null);
            if is_other || *is_stored && has_empty_set(value) {
                return None;
            }
            size += if *is_stored { value.size() } else { 0 };
        }
        let is_key = |key: &super::plan::KeyPlan| {
            let value = (sample.values.get(&key.name)).filter(|_| !plan.is_key_only(&key.name));
            value.is_none_or(|value| {
                value.kind() == key.kind.into() && (1..=key.max_bytes).contains(&value.size())
            })
        };
        let sound = !self.keys || plan.keys.iter().all(is_key);
        u32::try_from(size).ok().filter(|_| sound)
    }
}

/// Positions of the attributes that entries read, per attribute list. Comparing a few names here is faster than
/// searching each sample.
struct Ranks<'a> {
    /// For each attribute list, the names that templates read, in order and with repetitions, and their positions.
    shapes: Vec<Vec<(&'a str, Option<usize>)>>,
}

impl<'a> Ranks<'a> {
    fn new(plan: &EntityPlan, entries: &[&'a EntryPlan], facts: &Facts) -> Ranks<'a> {
        let mut names: Vec<(&str, bool)> = Vec::new();
        for entry in entries {
            // A condition reads what items store, a template what samples have.
            for condition in &entry.when {
                let name = condition.attribute.as_str();
                names.push((name, !plan.is_key_only(name)));
            }
            let writes = (entry.writes.iter()).flat_map(|write| write.parsed.template.attributes());
            names.extend(writes.map(|name| (name, true)));
        }
        let ranks = |shape: &[String]| {
            let rank = |(name, is_seen): &(&'a str, bool)| {
                let at = shape.iter().position(|other| other == name);
                (*name, at.filter(|_| *is_seen))
            };
            names.iter().map(rank).collect()
        };
        Ranks {
            shapes: facts.shapes.iter().map(|shape| ranks(shape)).collect(),
        }
    }

    /// The value that a template or a condition reads under a name: the sample's value, or the type attribute.
    fn get<'b>(
        &self,
        plan: &'b EntityPlan,
        facts: &'b Facts,
        at: usize,
        name: &str,
    ) -> Option<&'b Value> {
        let ranks = &self.shapes[usize::from(facts.shape[at])];
        // The name comes from the template itself, so it is the same string in memory.
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
