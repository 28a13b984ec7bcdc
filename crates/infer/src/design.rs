//! Adds what was found to a design.

use super::model::{Entity, Inferred};
use keyfold_core::engine::generate::Guesser;
use keyfold_core::model::{
    Attribute, AttributeId, Design, Entity as DesignEntity, EntityId, Format, IndexEntry, IndexId,
    Sample, SampleId, Value,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Adds the delimiter, the type attribute, the entities and their samples to a design with the keys that
/// [`Schema::of`](super::Schema::of) gives. The design's engine gives back every item.
pub fn add_to(design: &mut Design, inferred: &Inferred) {
    Arc::make_mut(&mut design.table)
        .type_attribute
        .clone_from(&inferred.type_attribute);
    design.delimiter = Arc::new(inferred.delimiter.clone());
    let indexes: Vec<IndexId> = design.index_ids().collect();
    for (found, hue) in inferred
        .entities
        .iter()
        .zip((0..DesignEntity::HUES).cycle())
    {
        let id = EntityId(design.take_id());
        let entity = entity(design, found, hue, &indexes);
        design.entities.insert(id, Arc::new(entity));
        let sample = |values: &super::Item| {
            Arc::new(Sample {
                id: SampleId(design.take_id()),
                values: values.clone().into(),
            })
        };
        let samples: Vec<Arc<Sample>> = found.samples.iter().map(sample).collect();
        if !samples.is_empty() {
            design.samples.insert(id, Arc::new(samples));
        }
    }
    refer(design);
}

/// Lets attributes refer to the entity whose ids they hold, so that generated samples join up: if the names say so, and
/// the values have a value in common or the same form.
fn refer(design: &mut Design) {
    let guesser = Guesser::new(design);
    let mut references = Vec::new();
    for (id, entity) in &design.entities {
        for (at, own) in entity.attributes.iter().enumerate() {
            if let Some(format) = guesser.format(*id, own)
                && let Format::Reference {
                    entity: target,
                    attribute,
                    ..
                } = &format
                && (have_common_value(design, (*id, &own.name), (*target, attribute))
                    || has_form(design, own, *target, attribute))
            {
                references.push((*id, at, format));
            }
        }
    }
    for (id, at, format) in references {
        if let Some(entity) = design.entities.get_mut(&id) {
            Arc::make_mut(entity).attributes[at].format = Some(format);
        }
    }
}

fn have_common_value(design: &Design, own: (EntityId, &str), other: (EntityId, &str)) -> bool {
    let others: FxHashSet<&Value> = values(design, other).collect();
    values(design, own).any(|value| others.contains(value))
}

fn values<'a>(
    design: &'a Design,
    (entity, name): (EntityId, &'a str),
) -> impl Iterator<Item = &'a Value> {
    let samples = design.samples_of(entity).iter();
    samples.filter_map(move |sample| sample.values.get(name))
}

/// Whether the values of an attribute have the same form as those of an attribute of another entity: sequences with the
/// same prefix, or ids of one kind.
fn has_form(design: &Design, own: &Attribute, target: EntityId, name: &str) -> bool {
    let target = design.entities.get(&target);
    let other = target.and_then(|target| target.attribute(name)?.format.as_ref());
    match (&own.format, other) {
        (Some(Format::Sequence { prefix, .. }), Some(Format::Sequence { prefix: other, .. })) => {
            prefix == other
        }
        (Some(own @ (Format::Ulid | Format::Uuid | Format::Ksuid)), Some(other)) => own == other,
        _ => false,
    }
}

fn entity(design: &mut Design, found: &Entity, hue: u8, indexes: &[IndexId]) -> DesignEntity {
    let mut entity = DesignEntity::new(found.name.clone(), hue);
    for attribute in &found.attributes {
        let id = AttributeId(design.take_id());
        let mut own = Attribute::new(id, attribute.name.clone(), attribute.kind);
        own.required = attribute.required;
        own.key_only = attribute.key_only;
        own.format.clone_from(&attribute.format);
        entity.attributes.push(own);
    }
    for entry in &found.keys {
        if let Some(index) = indexes.get(entry.key) {
            let entry = IndexEntry {
                partition: entry.partition.clone(),
                sort: entry.sort.clone(),
                when: entry.when.clone(),
            };
            entity.keys.insert(*index, entry);
        }
    }
    entity
}
