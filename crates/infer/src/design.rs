//! Adds what was found to a design.

use super::model::{Entity, Inferred};
use keyfold_core::model::{
    Attribute, AttributeId, Design, Entity as DesignEntity, EntityId, IndexEntry, IndexId, Sample,
    SampleId,
};
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
