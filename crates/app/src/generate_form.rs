//! The form that generates samples: its entities and defaults, how many rows a request makes, and the message with
//! the result.

use super::suggest;
use keyfold_core::engine::generate::{
    Amount, Generated, Generator, Parent, Request, generate, obstacle, parents,
};
use keyfold_core::model::{Design, Entity, EntityId, IndexId, SortedMap};
use keyfold_core::template;

/// Default number of rows for an entity without parents.
const DEFAULT_COUNT: u32 = 10;
/// Default number of rows per row of the parent.
const DEFAULT_PER_PARENT: u32 = 3;

/// An entity in the form.
#[derive(Debug, Clone, PartialEq)]
pub struct EntityOption {
    /// Default amount.
    pub start: Amount,
    /// Entities that can be the parent: the amount then counts rows per row of the parent.
    pub parents: Vec<EntityId>,
    /// Why no rows can be generated; `None` if they can.
    pub obstacle: Option<String>,
}

/// Returns all entities in id order, with their defaults.
pub fn entity_options(design: &Design) -> Vec<EntityOption> {
    let all = parents(design);
    // An attribute that is in no key, and refers only by its name, does not say how many rows there are.
    let certain = |(_, parents): &(EntityId, Vec<Parent>)| -> Vec<EntityId> {
        let certain = parents.iter().filter(|parent| parent.is_certain);
        certain.map(|parent| parent.entity).collect()
    };
    let certain_parents: Vec<Vec<EntityId>> = all.iter().map(certain).collect();
    let offer = |(id, parents): (EntityId, Vec<Parent>)| EntityOption {
        start: Amount {
            entity: id,
            count: DEFAULT_COUNT,
            per: None,
        },
        parents: parents.into_iter().map(|parent| parent.entity).collect(),
        obstacle: obstacle(design, id),
    };
    let mut offers: Vec<EntityOption> = all.into_iter().map(offer).collect();
    for (at, of) in certain_parents.iter().enumerate() {
        let id = offers[at].start.entity;
        let find = |id: EntityId| {
            let place = offers.binary_search_by_key(&id, |offer| offer.start.entity);
            place.ok().and_then(|place| offers.get(place))
        };
        // An order line refers to its order and its customer: it belongs to the order, which itself has a parent.
        let is_child = |id: &&EntityId| find(**id).is_some_and(|offer| !offer.parents.is_empty());
        let Some(parent) = of.iter().find(is_child).or(of.first()).copied() else {
            continue;
        };
        // Two entities that refer to each other must not be parents of each other.
        let mut above = parent;
        while let Some(next) = find(above).and_then(|offer| offer.start.per) {
            above = next;
            if above == id {
                break;
            }
        }
        if above != id {
            let start = &mut offers[at].start;
            start.per = Some(parent);
            start.count = match has_key_of_its_own(design, id, parent) {
                true => DEFAULT_PER_PARENT,
                false => 1,
            };
        }
    }
    offers
}

/// Whether no entity has more than the one sample that it was added with, and nobody entered a value there.
pub fn has_only_first_samples(design: &Design) -> bool {
    design.samples.values().all(|samples| {
        let mut values = samples.iter().flat_map(|sample| sample.values.values());
        samples.len() < 2 && values.all(suggest::is_placeholder)
    })
}

/// Whether the child's primary key uses an attribute that no key of the parent uses. If not, each parent can have
/// one child only.
fn has_key_of_its_own(design: &Design, child: EntityId, parent: EntityId) -> bool {
    let (Some(child), Some(parent)) = (design.entities.get(&child), design.entities.get(&parent))
    else {
        return true;
    };
    let of_parent: Vec<String> = (parent.keys.keys())
        .flat_map(|index| in_key(parent, *index))
        .collect();
    let own = in_key(child, IndexId::PRIMARY);
    own.is_empty() || own.iter().any(|name| !of_parent.contains(name))
}

/// The attributes in an entity's key templates of an index.
fn in_key(entity: &Entity, index: IndexId) -> Vec<String> {
    let entry = entity.keys.get(&index).into_iter();
    let texts = entry.flat_map(|entry| entry.partition.iter().chain(&entry.sort));
    let mut names = Vec::new();
    for text in texts {
        let template = template::parse(text).template;
        names.extend(template.attributes().map(str::to_owned));
    }
    names
}

/// Returns the number of rows requested per amount, in the order of `request.amounts`. A cycle of parents, which the
/// generator refuses, is cut off.
pub fn requested_rows(design: &Design, request: &Request) -> Vec<u64> {
    let amounts = request.amounts.iter();
    let by_entity = SortedMap::from_iter(amounts.clone().map(|amount| (amount.entity, amount)));
    amounts
        .map(|amount| rows_of(design, request, &by_entity, amount, by_entity.len()))
        .collect()
}

fn rows_of(
    design: &Design,
    request: &Request,
    by_entity: &SortedMap<EntityId, &Amount>,
    amount: &Amount,
    most: usize,
) -> u64 {
    let Some(parent) = amount.per else {
        return u64::from(amount.count);
    };
    let also = by_entity.get(&parent);
    let kept = match also {
        Some(_) if request.replace => 0,
        _ => design.samples_of(parent).len() as u64,
    };
    let new = match (also, most.checked_sub(1)) {
        (Some(also), Some(most)) => rows_of(design, request, by_entity, also, most),
        _ => 0,
    };
    u64::from(amount.count).saturating_mul(kept.saturating_add(new))
}

/// [`preview`] generates rows to count them if neither the new rows nor the existing samples exceed this number.
const MAX_COUNTED: u64 = 1000;

/// What a request will generate.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Preview {
    /// Number of rows per amount, in the order of the request.
    pub rows: Vec<u64>,
    /// Why there will be fewer rows than requested, and which samples will refer to nothing, one sentence each.
    pub remarks: Vec<String>,
}

/// Returns what a request will generate. Small requests are generated and counted; for large ones the requested
/// numbers are returned.
pub fn preview(design: &Design, request: &Request) -> Preview {
    let rows = requested_rows(design, request);
    let requested = rows
        .iter()
        .fold(0, |sum: u64, rows| sum.saturating_add(*rows));
    let there: usize = design.samples.values().map(|samples| samples.len()).sum();
    let few = requested <= MAX_COUNTED && there as u64 <= MAX_COUNTED;
    match few.then(|| generate(design, request)) {
        Some(Ok(generated)) => {
            let of = |amount: &Amount| {
                let added = generated.added.iter();
                added.filter(|(entity, _)| *entity == amount.entity).count() as u64
            };
            Preview {
                rows: request.amounts.iter().map(of).collect(),
                remarks: generated.remarks,
            }
        }
        // The generator knows the order: a parent that comes later has only the rows that it has now. It reports errors
        // when it runs.
        _ => match Generator::new(design, request) {
            Ok(generator) => Preview {
                rows: (request.amounts.iter())
                    .map(|amount| generator.requested(amount.entity))
                    .collect(),
                remarks: Vec::new(),
            },
            Err(_) => Preview {
                rows,
                remarks: Vec::new(),
            },
        },
    }
}

/// Returns the message after generating: `1050 samples generated: 1000 Order, 50 User.`
pub fn summary(design: &Design, generated: &Generated) -> String {
    let mut counts: Vec<(EntityId, usize)> = Vec::new();
    for (id, _) in &generated.added {
        match counts.last_mut() {
            Some((last, count)) if last == id => *count += 1,
            _ => counts.push((*id, 1)),
        }
    }
    // Parents are generated first; list the requested entities first.
    counts.reverse();
    rows_summary(design, &counts, "generated")
}

/// Returns a message with the number of rows per entity. `done` is the participle of what was done to them, such as
/// `generated`.
pub fn rows_summary(design: &Design, counts: &[(EntityId, usize)], done: &str) -> String {
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    let of = |(id, count): &(EntityId, usize)| {
        let name = design.entities.get(id).map_or("", |e| e.name.as_str());
        format!("{count} {name}")
    };
    let names: Vec<String> = counts.iter().map(of).collect();
    let rows = if total == 1 { "sample" } else { "samples" };
    format!("{total} {rows} {done}: {}.", names.join(", "))
}
