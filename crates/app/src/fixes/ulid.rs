//! A ULID instead of a time and an id.

use super::apply::gone;
use super::patterns;
use crate::command::Refused;
use keyfold_core::engine::generate::ulid_at;
use keyfold_core::model::{Design, EntityId, Format, IndexId, Sample, Value};
use keyfold_core::template::{self, Segment};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Removes the time before the ID from all templates of the entity and makes the ID a ULID, also in the samples (with
/// time that they have), and lets whatever refers to it follow. The attribute with the time stays.
pub(super) fn use_ulid(
    design: &mut Design,
    entity: EntityId,
    time: &str,
    id: &str,
) -> Result<(), Refused> {
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
    values(design, entity, time, id);
    Ok(())
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

/// Gives the samples their ULIDs, and those of other entities that refer to them, and the access patterns' parameters.
fn values(design: &mut Design, entity: EntityId, time: &str, id: &str) {
    let mut new: FxHashMap<String, String> = FxHashMap::default();
    for sample in design.samples_of(entity) {
        if let (Some(Value::S(old)), Some(Value::S(at))) =
            (sample.values.get(id), sample.values.get(time))
        {
            new.insert(old.clone(), ulid_at(at, old));
        }
    }
    let mut holders: Vec<(EntityId, String)> = vec![(entity, id.to_owned())];
    for (other, holder) in &design.entities {
        for attribute in &holder.attributes {
            let refers = matches!(
                &attribute.format,
                Some(Format::Reference { entity: e, attribute: a, .. }) if *e == entity && a == id
            );
            if refers {
                holders.push((*other, attribute.name.clone()));
            }
        }
    }
    let renew = |value: Option<&mut Value>| {
        if let Some(Value::S(text)) = value
            && let Some(ulid) = new.get(text)
        {
            text.clone_from(ulid);
        }
    };
    for (holder, name) in holders {
        let Some(samples) = design.samples.get_mut(&holder) else {
            continue;
        };
        for sample in Arc::make_mut(samples) {
            if matches!(sample.values.get(&name), Some(Value::S(text)) if new.contains_key(text)) {
                let sample: &mut Sample = Arc::make_mut(sample);
                renew(sample.values.get_mut(&name));
            }
        }
    }
    for pattern in design.access_patterns.values_mut() {
        let about = pattern.entities.contains(&entity);
        if about && pattern.parameters.contains_key(id) {
            renew(Arc::make_mut(pattern).parameters.get_mut(id));
        }
    }
}
