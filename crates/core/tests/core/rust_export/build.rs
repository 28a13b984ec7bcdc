//! Builds designs by hand.

use keyfold_core::model::{
    AccessPattern, AccessPatternId, Attribute, AttributeId, AttributeType, Design, Entity,
    EntityId, Index, IndexEntry, IndexId, IndexKind, KeySchema, Operation, Read, Sample, SampleId,
    SortCondition, Value, validate_invariants,
};
use std::sync::Arc;

/// Returns the design after checking the model's invariants.
pub fn sound(design: Design) -> Design {
    assert_eq!(validate_invariants(&design), []);
    design
}

/// Returns a query with one partition key attribute.
pub fn query(index: IndexId, partition: &str, sort: Vec<SortCondition>) -> Operation {
    let partition = vec![partition.to_owned()];
    Operation::Query {
        index,
        partition,
        sort,
        descending: false,
        limit: None,
        read: Read::default(),
    }
}

/// Adds an entity.
pub fn add_entity(design: &mut Design, name: &str) -> EntityId {
    let id = EntityId(design.take_id());
    design.entities.insert(id, Arc::new(Entity::new(name, 0)));
    id
}

/// Adds an attribute to an entity.
pub fn add_attribute(design: &mut Design, entity: EntityId, name: &str, kind: AttributeType) {
    let id = AttributeId(design.take_id());
    let entity = design
        .entities
        .get_mut(&entity)
        .map(Arc::make_mut)
        .expect("the entity exists");
    entity.attributes.push(Attribute::new(id, name, kind));
}

/// Adds an entity to an index.
pub fn add_keys(design: &mut Design, entity: EntityId, index: IndexId, entry: IndexEntry) {
    let entity = design
        .entities
        .get_mut(&entity)
        .map(Arc::make_mut)
        .expect("the entity exists");
    entity.keys.insert(index, entry);
}

/// Adds an index.
pub fn add_index(design: &mut Design, name: &str, kind: IndexKind, key: KeySchema) -> IndexId {
    let id = IndexId(design.take_id());
    design
        .indexes
        .insert(id, Arc::new(Index::new(name, kind, key)));
    id
}

/// Adds a sample.
pub fn add_sample<'d>(
    design: &'d mut Design,
    entity: EntityId,
    texts: &[(&str, &str)],
    numbers: &[(&str, i64)],
) -> &'d mut Sample {
    let id = SampleId(design.take_id());
    let texts = texts
        .iter()
        .map(|(name, text)| ((*name).to_owned(), Value::from(*text)));
    let numbers = numbers
        .iter()
        .map(|(name, number)| ((*name).to_owned(), Value::from(*number)));
    let values = texts.chain(numbers).collect();
    let samples = Arc::make_mut(design.samples.entry(entity).or_default());
    samples.push(Arc::new(Sample { id, values }));
    Arc::make_mut(samples.last_mut().expect("one was pushed"))
}

/// Adds an access pattern; the design's last sample provides its parameters.
pub fn add_pattern(design: &mut Design, name: &str, operation: Operation) {
    let id = AccessPatternId(design.take_id());
    let sample = design
        .samples
        .values()
        .flat_map(|samples| samples.iter())
        .map(|sample| sample.id)
        .max();
    let pattern = AccessPattern {
        name: name.to_owned(),
        description: String::new(),
        operation,
        entities: Vec::new(),
        sample,
        parameters: Default::default(),
        rate: None,
    };
    design.access_patterns.insert(id, Arc::new(pattern));
}
