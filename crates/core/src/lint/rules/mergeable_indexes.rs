//! GSIs that can be merged.

use super::list;
use super::projection::returned;
use crate::engine::overlap;
use crate::lint::entity_facts::{EntityFacts, EntryFacts};
use crate::lint::expression::names;
use crate::lint::{Check, Context, Fix, Found, NewFinding, Place, Rule, Severity};
use crate::model::{
    Design, Entity, EntityId, Index, IndexId, IndexKind, KeyType, Operation, SortedMap, limits,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Several GSIs with one entity each can be one overloaded GSI.
pub const RULE: Rule = Rule {
    code: "I003",
    name: "mergeable-indexes",
    severity: Severity::Info,
    check: Check::Design(check),
};

/// A GSI that could take the entries of another, or give up its own.
#[derive(Clone)]
struct Candidate<'a> {
    id: IndexId,
    index: &'a Index,
    entries: Vec<(EntityId, &'a EntryFacts)>,
}

fn check(context: &Context, found: &mut Found) {
    for members in groups(context) {
        report(&members, found);
    }
}

/// Returns the GSIs of a design that can be one overloaded GSI, in groups; the first one of each can take the others.
pub fn mergeable_indexes(design: &Design) -> Vec<Vec<IndexId>> {
    let facts = |(id, entity): (&EntityId, &Arc<Entity>)| {
        (*id, Arc::new(EntityFacts::new(design, *id, entity)))
    };
    let context = Context {
        design,
        entities: &design.entities.iter().map(facts).collect(),
        patterns: &SortedMap::new(),
        tenant: None,
    };
    let ids = |members: Vec<Candidate>| members.iter().map(|member| member.id).collect();
    groups(&context).into_iter().map(ids).collect()
}

fn groups<'a>(context: &'a Context) -> Vec<Vec<Candidate<'a>>> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let named = Named::by_patterns(context.design);
    for (id, index) in &context.design.indexes {
        if !named.has(*id, index) {
            candidates.extend(candidate(context, *id, index));
        }
    }
    let mut groups = Vec::new();
    let mut taken = vec![false; candidates.len()];
    for into in 0..candidates.len() {
        if taken[into] {
            continue;
        }
        let mut group = vec![into];
        for other in into + 1..candidates.len() {
            // Keep indexes that several entities share already.
            let dedicated = candidates[other].entries.len() == 1;
            let fits = |member: &usize| share(&candidates[*member], &candidates[other]);
            if !taken[other] && dedicated && group.iter().all(fits) {
                taken[other] = true;
                group.push(other);
            }
        }
        if group.len() > 1 {
            groups.push(group.iter().map(|at| candidates[*at].clone()).collect());
        }
    }
    groups
}

fn report(members: &[Candidate], found: &mut Found) {
    let names: Vec<&str> = members
        .iter()
        .map(|member| member.index.name.as_str())
        .collect();
    let (first, others) = (&members[0], &members[1..]);
    let message = format!(
        "{} never share a partition key, so one overloaded index can hold them all: items keep the same number of index entries, and you have fewer indexes to provision and monitor (quota: {3} GSIs). Merge {1} into {2}.",
        list(&names),
        list(&names[1..]),
        names[0],
        limits::GSIS_PER_TABLE,
    );
    let fix = Fix::MergeIndexes {
        into: first.id,
        from: others.iter().map(|member| member.id).collect(),
    };
    found.add(NewFinding::at(Place::Index(first.id), message).fix(fix));
}

/// Returns the index if it is a GSI with one text partition key and one text sort key, and every entity in it has its
/// own templates for both.
fn candidate<'a>(context: &'a Context, id: IndexId, index: &'a Index) -> Option<Candidate<'a>> {
    let text = |kind: KeyType| kind == KeyType::S;
    let plain = index.kind == IndexKind::Gsi
        && matches!(index.key.partition.as_slice(), [key] if text(key.kind))
        && matches!(index.key.sort.as_slice(), [key] if text(key.kind));
    if !plain {
        return None;
    }
    let mut entries = Vec::new();
    for facts in context.entities.values() {
        let Some(entry) = facts.entry(id) else {
            continue;
        };
        if !entry.is_whole() || !entry.keys.iter().all(|key| key.own) {
            return None;
        }
        entries.push((facts.id, entry));
    }
    (!entries.is_empty()).then_some(Candidate { id, index, entries })
}

/// What access patterns name: a pattern that scans an index, or names a key attribute of it in an expression or a projection,
/// would read other items, or write another attribute.
struct Named {
    scanned: Vec<IndexId>,
    attributes: FxHashSet<String>,
}

impl Named {
    fn by_patterns(design: &Design) -> Named {
        let mut named = Named {
            scanned: Vec::new(),
            attributes: FxHashSet::default(),
        };
        for pattern in design.access_patterns.values() {
            let operation = &pattern.operation;
            if let Operation::Scan { index, .. } = operation {
                named.scanned.push(*index);
            }
            let names = names(operation).into_iter().map(|name| name.text);
            named.attributes.extend(names.chain(returned(operation)));
        }
        named
    }

    fn has(&self, id: IndexId, index: &Index) -> bool {
        let mut keys = index.key.attributes();
        self.scanned.contains(&id) || keys.any(|key| self.attributes.contains(&key.name))
    }
}

/// Whether both indexes have the same settings, no entity in common, and no partition key in common.
fn share(a: &Candidate, b: &Candidate) -> bool {
    let same = a.index.projection == b.index.projection
        && a.index.provisioned == b.index.provisioned
        && a.index.max_request_units == b.index.max_request_units
        && a.index.warm_throughput == b.index.warm_throughput;
    same && a.entries.iter().all(|(id, entry)| {
        b.entries.iter().all(|(other, others)| {
            id != other
                && match (entry.partition(), others.partition()) {
                    (Some(one), Some(other)) => overlap::meet(one, other) == Ok(false),
                    _ => false,
                }
        })
    })
}
