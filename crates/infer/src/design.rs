//! Makes a design of what was found.

use super::model::{Entity, Entry, Inferred};
use super::schema::Schema;
use keyfold_core::model::{
    Attribute, AttributeId, Design, Entity as DesignEntity, EntityId, IndexEntry, IndexId, Sample,
    SampleId, SortedMap, SortedSet,
};
use keyfold_core::template;
use std::sync::Arc;

/// A design with the table, the entities and their samples. The model has no values that only keys have yet, so a key
/// with one is an attribute of the samples.
pub fn to_design(name: &str, schema: &Schema, inferred: &Inferred) -> Design {
    let mut design = Design::new(name);
    let table = Arc::make_mut(&mut design.table);
    table.name = schema.table.clone();
    table.key = schema.key.clone();
    table.type_attribute = inferred.type_attribute.clone();
    design.delimiter = Arc::new(inferred.delimiter.clone());
    let mut ids = vec![IndexId::PRIMARY];
    for index in &schema.indexes {
        let id = IndexId(design.take_id());
        design.indexes.insert(id, Arc::new(index.clone()));
        ids.push(id);
    }
    let items: SortedMap<usize, _> = inferred.items(schema).into_iter().collect();
    for (number, found) in inferred.entities.iter().enumerate() {
        let id = EntityId(design.take_id());
        let hue = (number % usize::from(DesignEntity::HUES)) as u8;
        let mut entity = DesignEntity::new(found.name.clone(), hue);
        let mut written = SortedSet::new();
        for entry in &found.keys {
            let (Some(index), Some(key)) = (ids.get(entry.key), schema.keys().nth(entry.key))
            else {
                continue;
            };
            // An entry writes all its attributes or none, so one template without the other says something else.
            let (partition, sort) = match is_known(found, entry) {
                true => (entry.partition.clone(), entry.sort.clone()),
                false => (None, None),
            };
            let sides = [(&key.partition, &partition), (&key.sort, &sort)];
            for (attributes, text) in sides {
                if let (Some(attribute), Some(_)) = (attributes.first(), text) {
                    written.insert(attribute.name.clone());
                }
            }
            let when = match partition.is_some() || sort.is_some() {
                true => entry.when.clone(),
                false => Vec::new(),
            };
            let entry = IndexEntry {
                partition,
                sort,
                when,
            };
            entity.keys.insert(*index, entry);
        }
        for attribute in found
            .attributes
            .iter()
            .filter(|attribute| !attribute.key_only)
        {
            let id = AttributeId(design.take_id());
            let mut own = Attribute::new(id, attribute.name.clone(), attribute.kind);
            own.required = attribute.required;
            own.format = attribute.format.clone();
            entity.attributes.push(own);
        }
        let stored = |name: &String| {
            let found = found
                .attributes
                .iter()
                .find(|attribute| attribute.name == *name);
            found.is_none_or(|attribute| !attribute.key_only)
        };
        let mut samples = Vec::new();
        for (at, sample) in found.items.iter().zip(&found.samples) {
            let mut values = sample.clone();
            values.retain(|name, _| stored(name));
            for (name, value) in items.get(at).into_iter().flatten() {
                // A key whose template is left out.
                let is_key = schema
                    .keys()
                    .any(|key| key.attributes().any(|key| key.name == *name));
                if is_key
                    && !written.contains(name)
                    && inferred.type_attribute.as_ref() != Some(name)
                {
                    values.insert(name.clone(), value.clone());
                    if entity.attribute(name).is_none() {
                        let id = AttributeId(design.take_id());
                        let own = Attribute::new(id, name.clone(), value.kind());
                        entity.attributes.push(own);
                    }
                }
            }
            samples.push(Arc::new(Sample {
                id: SampleId(design.take_id()),
                values: values.into(),
            }));
        }
        design.entities.insert(id, Arc::new(entity));
        if !samples.is_empty() {
            design.samples.insert(id, Arc::new(samples));
        }
    }
    design
}

/// Whether all values of an entry's templates are attributes.
fn is_known(entity: &Entity, entry: &Entry) -> bool {
    let is_stored = |name: &str| {
        let found = (entity.attributes.iter()).find(|attribute| attribute.name == name);
        found.is_some_and(|attribute| !attribute.key_only)
    };
    let mut texts = entry.partition.iter().chain(&entry.sort);
    texts.all(|text| template::parse(text).template.attributes().all(is_stored))
}
