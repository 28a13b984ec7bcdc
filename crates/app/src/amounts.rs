//! The form for generating samples: what it offers, what it begins with, how many rows it asks for, and how the result
//! is told.

use keyfold_core::engine::generate::{Amount, Generated, Request, generate, obstacle, parents};
use keyfold_core::model::{Design, Entity, EntityId, IndexId};
use keyfold_core::template;

/// How many rows an entity that refers to no other begins with.
const IN_ALL: u32 = 10;
/// How many for each row that an entity refers to.
const PER_PARENT: u32 = 3;

/// An entity as the form offers it.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// What the form begins with.
    pub start: Amount,
    /// The entities for each of whose rows so many can be generated.
    pub parents: Vec<EntityId>,
    /// Why no rows can be generated, if so.
    pub obstacle: Option<String>,
}

/// All entities in the order of their ids, each with what the form begins with.
pub fn offers(design: &Design) -> Vec<Offer> {
    let mut offers: Vec<Offer> = Vec::new();
    for id in design.entities.keys() {
        let parents = parents(design, *id).into_iter();
        offers.push(Offer {
            start: Amount {
                entity: *id,
                count: IN_ALL,
                per: None,
            },
            parents: parents.map(|(parent, _)| parent).collect(),
            obstacle: obstacle(design, *id),
        });
    }
    for at in 0..offers.len() {
        let id = offers[at].start.entity;
        let find = |id: EntityId| offers.iter().find(|offer| offer.start.entity == id);
        // A line of an order refers to its order and its customer: it belongs to the order.
        let is_child = |id: &&EntityId| find(**id).is_some_and(|offer| !offer.parents.is_empty());
        let of = &offers[at].parents;
        let Some(parent) = of.iter().find(is_child).or(of.first()).copied() else {
            continue;
        };
        // Two that refer to each other do not both wait.
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
                true => PER_PARENT,
                false => 1,
            };
        }
    }
    offers
}

/// Whether the primary key of a child is made of anything that no key of its parent is made of; else each parent can
/// have one.
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

/// The attributes that an entity's key of an index is made of.
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

/// How many rows a request asks for of each of its entities, in its order. A circle of parents, which the generator
/// refuses, is gone round a few times.
pub fn rows(design: &Design, request: &Request) -> Vec<u64> {
    let amounts = request.amounts.iter();
    amounts
        .map(|amount| rows_of(design, request, amount, request.amounts.len()))
        .collect()
}

fn rows_of(design: &Design, request: &Request, amount: &Amount, most: usize) -> u64 {
    let Some(parent) = amount.per else {
        return u64::from(amount.count);
    };
    let also = (request.amounts.iter()).find(|amount| amount.entity == parent);
    let kept = match also {
        Some(_) if request.replace => 0,
        _ => design.samples_of(parent).len() as u64,
    };
    let new = match (also, most.checked_sub(1)) {
        (Some(also), Some(most)) => rows_of(design, request, also, most),
        _ => 0,
    };
    u64::from(amount.count).saturating_mul(kept.saturating_add(new))
}

/// Up to so many rows are made to count them, beside up to so many samples.
const COUNTED: u64 = 1000;

/// What a request will bring.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Coming {
    /// How many rows of each of its entities, in its order.
    pub rows: Vec<u64>,
    /// Why there are fewer than are asked for, a sentence each.
    pub remarks: Vec<String>,
}

/// What a request will bring: counted by generating it where that is quick, else as much as it asks for.
pub fn coming(design: &Design, request: &Request) -> Coming {
    let rows = rows(design, request);
    let asked = rows
        .iter()
        .fold(0, |sum: u64, rows| sum.saturating_add(*rows));
    let there: usize = design.samples.values().map(|samples| samples.len()).sum();
    let few = asked <= COUNTED && there as u64 <= COUNTED;
    match few.then(|| generate(design, request)) {
        Some(Ok(generated)) => {
            let of = |amount: &Amount| {
                let added = generated.added.iter();
                added.filter(|(entity, _)| *entity == amount.entity).count() as u64
            };
            Coming {
                rows: request.amounts.iter().map(of).collect(),
                remarks: generated.remarks,
            }
        }
        // What is in the way is said when it is generated.
        _ => Coming {
            rows,
            remarks: Vec::new(),
        },
    }
}

/// What was generated, as a message: `1050 rows generated: 1000 Order, 50 User. Undo takes them back.`
pub fn told(design: &Design, generated: &Generated) -> String {
    let mut counts: Vec<(EntityId, usize)> = Vec::new();
    for (id, _) in &generated.added {
        match counts.last_mut() {
            Some((last, count)) if last == id => *count += 1,
            _ => counts.push((*id, 1)),
        }
    }
    // What was asked for stands at the end of the order in which it is made.
    counts.reverse();
    listed(design, &counts, "generated")
}

/// How many rows of which entities were `done`, in one sentence with how to take it back.
pub fn listed(design: &Design, counts: &[(EntityId, usize)], done: &str) -> String {
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    let of = |(id, count): &(EntityId, usize)| {
        let name = design.entities.get(id).map_or("", |e| e.name.as_str());
        format!("{count} {name}")
    };
    let names: Vec<String> = counts.iter().map(of).collect();
    let rows = if total == 1 { "row" } else { "rows" };
    format!(
        "{total} {rows} {done}: {}. Undo takes them back.",
        names.join(", ")
    )
}
