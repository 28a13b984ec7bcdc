//! Ids for the new parts of their side: those of the same new parts of our side, else ids that neither side has.

use crate::align::{Fresh, Known, Pairs, Rest};
use crate::part::{json, sample_json};
use crate::renumber::{NewIds, numbers};
use keyfold_core::model::{Design, EntityId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Returns these ids, and their design with them.
pub fn adopt(base: &Design, ours: &Design, theirs: &Design) -> (NewIds, Design) {
    let known: FxHashSet<u32> = numbers(base).into_iter().collect();
    let is_new = |part: &Known| !known.contains(&part.id);
    let new = |parts: Vec<Known>| -> Vec<Known> { parts.into_iter().filter(is_new).collect() };
    let mut pairs = Pairs::default();
    let mut same = |ours: Vec<Known>, theirs: Vec<Known>| {
        pairs.add(&new(ours), &new(theirs), Rest::IsOther);
    };
    same(indexes(ours), indexes(theirs));
    same(patterns(ours), patterns(theirs));
    same(notes(ours), notes(theirs));
    same(entities(ours), entities(theirs));
    for (id, entity) in &theirs.entities {
        let own = match known.contains(&id.0) {
            true => Some(id.0),
            false => pairs.old(id.0),
        };
        let own = own.map(EntityId);
        let Some((own, owner)) = own.and_then(|own| Some((own, ours.entities.get(&own)?))) else {
            continue;
        };
        let attributes = |entity: &keyfold_core::model::Entity| -> Vec<Known> {
            let attributes = entity.attributes.iter();
            attributes
                .map(|attribute| named(attribute.id.0, &attribute.name))
                .collect()
        };
        pairs.add(
            &new(attributes(owner)),
            &new(attributes(entity)),
            Rest::IsOther,
        );
        // Of an entity that both had, equal samples are the same only under one id: authors repeat samples.
        let is_old = known.contains(&id.0);
        let samples = |design: &Design, id| -> Vec<Known> {
            let samples = design.samples_of(id).iter();
            let known = |sample: &std::sync::Arc<keyfold_core::model::Sample>| {
                let value = sample_json(sample).to_string();
                match is_old {
                    true => named(sample.id.0, &format!("{} {value}", sample.id)),
                    false => named(sample.id.0, &value),
                }
            };
            samples.map(known).collect()
        };
        pairs.add(
            &new(samples(ours, own)),
            &new(samples(theirs, *id)),
            Rest::IsOther,
        );
    }
    let mut fresh = Fresh::after(ours.next_id, numbers(ours));
    fresh.used(&known);
    let offset = ours.next_id.saturating_sub(base.next_id);
    let mut moved = false;
    let mut assigned: FxHashMap<u32, u32> = FxHashMap::default();
    for id in numbers(theirs) {
        if known.contains(&id) || pairs.old(id).is_some() {
            continue;
        }
        let later = match id >= base.next_id {
            true => id.saturating_add(offset),
            false => id,
        };
        moved |= later != id;
        assigned.insert(id, fresh.prefer(later));
    }
    let number = |id| pairs.old(id).or(assigned.get(&id).copied()).unwrap_or(id);
    let ids = NewIds::of(theirs, &number);
    let mut adopted = ids.renumbered(theirs);
    let most = assigned.values().max().map_or(0, |id| id.saturating_add(1));
    let next = match moved {
        true => theirs.next_id.saturating_add(offset),
        false => theirs.next_id,
    };
    adopted.next_id = next.max(most);
    (ids, adopted)
}

fn named(id: u32, name: &str) -> Known {
    Known::new(id, name, String::new())
}

fn indexes(design: &Design) -> Vec<Known> {
    let indexes = design.indexes.iter();
    indexes
        .map(|(id, index)| named(id.0, &index.name))
        .collect()
}

fn entities(design: &Design) -> Vec<Known> {
    let entities = design.entities.iter();
    entities
        .map(|(id, entity)| named(id.0, &entity.name))
        .collect()
}

fn patterns(design: &Design) -> Vec<Known> {
    let patterns = design.access_patterns.iter();
    patterns
        .map(|(id, pattern)| named(id.0, &pattern.name))
        .collect()
}

/// Notes are the same only under one id.
fn notes(design: &Design) -> Vec<Known> {
    let notes = design.notes.iter();
    notes
        .map(|(id, note)| named(id.0, &format!("{id} {}", json(note))))
        .collect()
}
