//! Queries, other reads, writes and expressions. What a DynamoDB engine says to the same is in `tests/engine_check`.

mod expressions;
mod key_conditions;
mod numbers;
mod reads;
mod writes;

use keyfold::domain::engine::query::expression::{Binder, parse_condition};
use keyfold::domain::engine::query::{Attributes, Bound, Condition};
use keyfold::domain::model::{
    Design, Entity, EntityId, Index, IndexEntry, IndexId, IndexKind, KeyAttribute, KeySchema,
    Projection, Sample, SampleId, Value, validate_invariants,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Attributes by name.
pub fn values<const N: usize>(pairs: [(&str, Value); N]) -> Attributes {
    pairs.map(|(name, value)| (name.to_owned(), value)).into()
}

/// A table `PK`, `SK` without templates whose only entity has these items, with a local index over `LSK` that holds
/// `small` besides keys, and a global one over `GPK`, `GSK` that holds keys only.
pub fn design(items: Vec<Attributes>) -> Design {
    let mut design = Design::new("Items");
    Arc::make_mut(&mut design.table).type_attribute = None;
    let indexes = [
        Index {
            projection: Projection::Include(vec!["small".into()]),
            ..Index::new("local", IndexKind::Lsi, KeySchema::pair("PK", "LSK"))
        },
        Index {
            projection: Projection::KeysOnly,
            ..Index::new("global", IndexKind::Gsi, KeySchema::pair("GPK", "GSK"))
        },
    ];
    for index in indexes {
        let id = IndexId(design.take_id());
        design.indexes.insert(id, Arc::new(index));
    }
    let id = EntityId(design.take_id());
    let mut entity = Entity::new("Thing", 0);
    entity.keys.insert(IndexId::PRIMARY, IndexEntry::default());
    design.entities.insert(id, Arc::new(entity));
    let mut samples = Vec::new();
    for values in items {
        let id = SampleId(design.take_id());
        samples.push(Arc::new(Sample {
            id,
            values: values.into(),
        }));
    }
    design.samples.insert(id, Arc::new(samples));
    assert_eq!(validate_invariants(&design), []);
    design
}

/// The key of an index with these text attributes.
pub fn key(partition: &[&str], sort: &[&str]) -> KeySchema {
    let names = |names: &[&str]| names.iter().copied().map(KeyAttribute::text).collect();
    KeySchema {
        partition: names(partition),
        sort: names(sort),
    }
}

/// A condition of a design, with these parameters.
pub fn condition(text: &str, parameters: &BTreeMap<String, Value>) -> Bound<Condition> {
    let parsed = parse_condition(text).unwrap();
    Binder::new(parameters).condition(&parsed).unwrap()
}
