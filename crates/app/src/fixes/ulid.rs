//! A ULID instead of a time and an id.

use super::apply::gone;
use super::patterns;
use crate::command::Refused;
use keyfold_core::engine::generate::{ReferenceChoice, references, ulid_at};
use keyfold_core::model::{Design, EntityId, Format, IndexId, Sample, Value};
use keyfold_core::template::{self, Segment};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Removes the time before the ID from all templates of the entity and makes the ID a ULID, also in the samples (with
/// time that they have), and lets whatever refers to it follow. The attribute with the time stays. Refused if a reference
/// could belong to samples of different times.
pub(super) fn use_ulid(
    design: &mut Design,
    entity: EntityId,
    time: &str,
    id: &str,
) -> Result<(), Refused> {
    // Before the templates change: guesses read them.
    let holders = holders(design, entity, id);
    let own = design.entities.get(&entity).ok_or_else(|| gone("entity"))?;
    let indexes: Vec<IndexId> = own.keys.keys().copied().collect();
    for index in indexes {
        patterns::rewrite(design, entity, index, &mut |_, text, _, _| {
            without(text, time, id)
        });
    }
    let own = design
        .entities
        .get_mut(&entity)
        .ok_or_else(|| gone("entity"))?;
    let own = Arc::make_mut(own);
    for entry in own.keys.values_mut() {
        for text in [entry.partition.as_mut(), entry.sort.as_mut()]
            .into_iter()
            .flatten()
        {
            if let Some(new) = without(text, time, id) {
                *text = new;
            }
        }
    }
    let attribute = (own.attributes.iter_mut()).find(|attribute| attribute.name == id);
    attribute.ok_or_else(|| gone("attribute"))?.format = Some(Format::Ulid);
    values(design, &holders, time)
}

/// The template without the time and the literal between it and the id; `None` if it has them not.
fn without(text: &str, time: &str, id: &str) -> Option<String> {
    let template = template::parse(text).template;
    let (start, end) = template.segments.windows(3).find_map(|three| match three {
        [
            Segment::Placeholder(first),
            Segment::Literal { .. },
            Segment::Placeholder(second),
        ] if first.attribute == time && second.attribute == id => {
            Some((first.span.start, second.span.start))
        }
        _ => None,
    })?;
    let mut text = text.to_owned();
    text.replace_range(start..end, "");
    Some(text)
}

/// The attributes that hold ids of the entity: the id itself and all that refer to it, also by a guess, and also to
/// another one of them.
fn holders(design: &Design, entity: EntityId, id: &str) -> Vec<(EntityId, String)> {
    let mut references = references(design);
    references.retain(|reference| reference.choice != ReferenceChoice::Refused);
    let mut holders = vec![(entity, id.to_owned())];
    let mut at = 0;
    while let Some((target, attribute)) = holders.get(at).cloned() {
        for reference in &references {
            let holder = (reference.entity, reference.attribute.clone());
            let refers = reference.target == target && reference.target_attribute == attribute;
            if refers && !holders.contains(&holder) {
                holders.push(holder);
            }
        }
        at += 1;
    }
    holders
}

/// Gives the samples their ULIDs, and with them what holds their ids: samples that refer to them, and values of access
/// patterns.
fn values(design: &mut Design, holders: &[(EntityId, String)], time: &str) -> Result<(), Refused> {
    let Some(((entity, id), others)) = holders.split_first() else {
        return Ok(());
    };
    // An old id of samples with different times has several ULIDs.
    let mut new: FxHashMap<String, Option<String>> = FxHashMap::default();
    if let Some(samples) = design.samples.get_mut(entity) {
        for sample in Arc::make_mut(samples) {
            let (Some(Value::S(old)), Some(Value::S(at))) =
                (sample.values.get(id), sample.values.get(time))
            else {
                continue;
            };
            let (old, ulid) = (old.clone(), ulid_at(at, old));
            let known = (new.entry(old)).or_insert_with(|| Some(ulid.clone()));
            if known.as_ref() != Some(&ulid) {
                *known = None;
            }
            let sample: &mut Sample = Arc::make_mut(sample);
            sample.values.insert(id.clone(), Value::S(ulid));
        }
    }
    let renewed = |value: Option<&Value>| match value {
        Some(Value::S(old)) => match new.get(old) {
            Some(Some(ulid)) => Ok(Some(Value::S(ulid.clone()))),
            Some(None) => Err(Refused(format!(
                "several samples have the `{id}` {old} with different times, and what refers to them fits only one: give each an ID of its own"
            ))),
            None => Ok(None),
        },
        _ => Ok(None),
    };
    for (holder, name) in others {
        let Some(samples) = design.samples.get_mut(holder) else {
            continue;
        };
        for sample in Arc::make_mut(samples) {
            if let Some(value) = renewed(sample.values.get(name))? {
                let sample: &mut Sample = Arc::make_mut(sample);
                sample.values.insert(name.clone(), value);
            }
        }
    }
    for pattern in design.access_patterns.values_mut() {
        for (holder, name) in holders {
            if pattern.entities.contains(holder)
                && let Some(value) = renewed(pattern.parameters.get(name))?
            {
                let pattern = Arc::make_mut(pattern);
                pattern.parameters.insert(name.clone(), value);
            }
        }
    }
    Ok(())
}
