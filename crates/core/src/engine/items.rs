//! The items of one entity, computed chunk by chunk.

use super::chunk::{self, Chunk};
use super::item::Item;
use super::plan::EntityPlan;
use crate::model::{Design, EntityId, Sample, SortedMap};
use std::collections::VecDeque;
use std::sync::Arc;

/// The items of one entity's samples, one per sample, in the same order.
#[derive(Debug, Clone)]
pub struct Items {
    plan: Arc<EntityPlan>,
    chunks: Vec<Arc<Chunk>>,
    /// Work that is still to be done.
    left: VecDeque<Left>,
}

#[derive(Debug, Clone)]
enum Left {
    /// Recompute a chunk of the same samples, which the old plan made.
    Again(Arc<Chunk>, Arc<EntityPlan>),
    New(Box<[Arc<Sample>]>),
}

/// Computes the items of an entity's samples, one per sample, in the same order.
pub fn materialize(plan: &EntityPlan, samples: &[Arc<Sample>]) -> Items {
    let mut items = Items::new(Arc::new(plan.clone()), samples, None);
    while items.step() {}
    items
}

/// Computes the items of all entities of a design.
///
/// # Example
///
/// ```
/// use keyfold_core::engine::{materialize_all, view};
/// use keyfold_core::library;
/// use keyfold_core::model::IndexId;
///
/// let design = library::find("saas-multi-tenant").unwrap().design()?;
/// let items = materialize_all(&design);
/// let lists: Vec<_> = items.values().cloned().collect();
/// let table = view(&design, IndexId::PRIMARY, &lists);
/// assert_eq!(table.rows.len(), table.total);
///
/// let first = table.rows.get(0).unwrap().item;
/// assert!(first.get("pk").unwrap().to_text().starts_with("TENANT#"));
/// # Ok::<(), keyfold_core::persist::FileError>(())
/// ```
pub fn materialize_all(design: &Design) -> SortedMap<EntityId, Arc<Items>> {
    let items = |entity: &EntityId| {
        let plan = EntityPlan::new(design, *entity);
        let items = materialize(&plan, design.samples_of(*entity));
        (*entity, Arc::new(items))
    };
    SortedMap::from_iter(design.entities.keys().map(items))
}

impl EntityPlan {
    /// The item of one sample.
    pub fn item(&self, sample: &Arc<Sample>) -> Item {
        chunk::item(&Arc::new(Chunk::new(self, Box::new([sample.clone()]))), 0)
    }
}

impl Items {
    /// The items of an entity without samples.
    pub fn none(entity: EntityId) -> Items {
        let plan = EntityPlan::new(&Design::new(""), entity);
        Items::new(Arc::new(plan), &[], None)
    }

    /// Starts to compute items, reusing `before` where possible. They are complete once [`Items::step`] returns false.
    pub(super) fn new(
        plan: Arc<EntityPlan>,
        samples: &[Arc<Sample>],
        before: Option<&Arc<Items>>,
    ) -> Items {
        let old = before.map_or(&[][..], |items| &items.chunks);
        // Share one plan if both are equal.
        let equal = before.filter(|before| before.plan == plan);
        let plan = equal.map_or(plan, |before| before.plan.clone());
        // An edit leaves most samples unchanged: those before and those after it.
        let mut rest = samples;
        let (mut first, mut last) = (0, old.len());
        while let Some(tail) = (old.get(first)).and_then(|chunk| begins_with(rest, chunk)) {
            rest = tail;
            first += 1;
        }
        while last > first
            && let Some(head) = ends_with(rest, &old[last - 1])
        {
            rest = head;
            last -= 1;
        }
        // A few new samples join their neighbors, or each added sample would become a chunk.
        let mut few = rest.len();
        let mut start = samples.len() - rest.len() - length(&old[last..]);
        let mut end = start + rest.len();
        if few > 0 {
            while first > 0 && few + old[first - 1].len() <= chunk::MAX_ITEMS {
                first -= 1;
                few += old[first].len();
                start -= old[first].len();
            }
            while last < old.len() && few + old[last].len() <= chunk::MAX_ITEMS {
                few += old[last].len();
                end += old[last].len();
                last += 1;
            }
        }
        let again = |chunk: &Arc<Chunk>| {
            before.map(|before| Left::Again(chunk.clone(), before.plan.clone()))
        };
        let new = (samples[start..end].chunks(chunk::MAX_ITEMS)).map(|part| Left::New(part.into()));
        let left = (old[..first].iter().filter_map(again))
            .chain(new)
            .chain(old[last..].iter().filter_map(again))
            .collect();
        Items {
            plan,
            chunks: Vec::new(),
            left,
        }
    }

    /// Whether a template writes the attribute or a sample has it.
    pub(super) fn has_attribute(&self, name: &str) -> bool {
        let facts = self.chunks.iter().map(|chunk| &chunk.facts);
        let mut lists = facts.flat_map(|facts| &facts.shapes);
        self.plan.names.iter().any(|own| own == name)
            || lists.any(|names| names.iter().any(|own| own == name))
    }

    /// The same items under another plan, if that plan makes them unchanged.
    pub(super) fn reuse_with_plan(self: &Arc<Self>, plan: &Arc<EntityPlan>) -> Option<Arc<Items>> {
        if self.plan == *plan {
            return Some(self.clone());
        }
        let same = plan.makes_the_same_as(&self.plan, &|name| self.has_attribute(name));
        same.then(|| {
            Arc::new(Items {
                plan: plan.clone(),
                chunks: self.chunks.clone(),
                left: VecDeque::new(),
            })
        })
    }

    /// Whether `other` shares the same chunks.
    pub fn same_as(&self, other: &Items) -> bool {
        self.chunks.len() == other.chunks.len()
            && (self.chunks.iter().zip(&other.chunks)).all(|(one, other)| Arc::ptr_eq(one, other))
    }

    /// Computes about a thousand more items. Returns false once none are left.
    pub(super) fn step(&mut self) -> bool {
        while let Some(left) = self.left.pop_front() {
            let (chunk, took_time) = match left {
                Left::Again(chunk, plan) if Arc::ptr_eq(&plan, &self.plan) => (chunk, false),
                Left::Again(chunk, plan) => (Arc::new(chunk.recompute(&plan, &self.plan)), true),
                Left::New(samples) => (Arc::new(Chunk::new(&self.plan, samples)), true),
            };
            self.chunks.push(chunk);
            if took_time {
                break;
            }
        }
        !self.left.is_empty()
    }

    /// The plan of the items.
    pub fn plan(&self) -> &Arc<EntityPlan> {
        &self.plan
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        length(&self.chunks)
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// All items, in the order of their samples.
    pub fn iter(&self) -> impl Iterator<Item = Item> {
        let of = |chunk: &Arc<Chunk>| {
            let chunk = chunk.clone();
            (0..chunk.len()).map(move |at| chunk::item(&chunk, at))
        };
        self.chunks.iter().flat_map(of)
    }

    /// The items with problems, as runs of neighbors with the same problems: the first item and the length of the run.
    pub fn runs_with_problems(&self) -> impl Iterator<Item = (Item, usize)> {
        self.chunks.iter().flat_map(|chunk| {
            let runs = chunk
                .problems
                .chunk_by(|(_, one), (_, other)| Arc::ptr_eq(one, other));
            runs.map(|run| (chunk::item(chunk, run[0].0 as usize), run.len()))
        })
    }

    /// Number of items that have problems.
    pub fn with_problems(&self) -> usize {
        (self.chunks.iter()).map(|chunk| chunk.problems.len()).sum()
    }

    pub(super) fn chunks(&self) -> &[Arc<Chunk>] {
        &self.chunks
    }
}

fn length(chunks: &[Arc<Chunk>]) -> usize {
    chunks.iter().map(|chunk| chunk.len()).sum()
}

fn same(samples: &[Arc<Sample>], chunk: &Chunk) -> bool {
    (samples.iter().zip(&chunk.facts.samples)).all(|(left, right)| Arc::ptr_eq(left, right))
}

/// The samples after those of the chunk, if the list starts with them.
fn begins_with<'a>(samples: &'a [Arc<Sample>], chunk: &Chunk) -> Option<&'a [Arc<Sample>]> {
    let (head, tail) = samples.split_at_checked(chunk.len())?;
    same(head, chunk).then_some(tail)
}

/// The samples before those of the chunk, if the list ends with them.
fn ends_with<'a>(samples: &'a [Arc<Sample>], chunk: &Chunk) -> Option<&'a [Arc<Sample>]> {
    let (head, tail) = samples.split_at_checked(samples.len().checked_sub(chunk.len())?)?;
    same(tail, chunk).then_some(head)
}
