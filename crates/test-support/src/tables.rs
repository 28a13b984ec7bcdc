//! Tables without templates, whose items supply their own keys.

use keyfold_core::model::{
    Design, Entity, EntityId, Index, IndexEntry, IndexId, KeyAttribute, KeySchema, Sample,
    SampleId, SortedMap, Value,
};
use std::sync::Arc;

pub type Values = SortedMap<String, Value>;

/// Attributes by name.
pub fn values<const N: usize>(pairs: [(&str, Value); N]) -> Values {
    pairs.map(|(name, value)| (name.to_owned(), value)).into()
}

/// The key of these string attributes.
pub fn key(partition: &[&str], sort: &[&str]) -> KeySchema {
    let names = |names: &[&str]| names.iter().copied().map(KeyAttribute::text).collect();
    KeySchema {
        partition: names(partition),
        sort: names(sort),
    }
}

/// A table with this key and these indexes, and its only entity.
pub fn table(key: KeySchema, indexes: impl IntoIterator<Item = Index>) -> (Design, EntityId) {
    let mut design = Design::new("Items");
    let table = Arc::make_mut(&mut design.table);
    (table.key, table.type_attribute) = (key, None);
    for index in indexes {
        let id = IndexId(design.take_id());
        design.indexes.insert(id, Arc::new(index));
    }
    let id = EntityId(design.take_id());
    let mut entity = Entity::new("Thing", 0);
    entity.keys.insert(IndexId::PRIMARY, IndexEntry::default());
    design.entities.insert(id, Arc::new(entity));
    (design, id)
}

/// The table with these items, in order.
pub fn filled(
    (mut design, id): (Design, EntityId),
    items: impl IntoIterator<Item = Values>,
) -> Design {
    let mut samples = Vec::new();
    for values in items {
        let id = SampleId(design.take_id());
        let values = values.into();
        samples.push(Arc::new(Sample { id, values }));
    }
    design.samples.insert(id, Arc::new(samples));
    design
}
