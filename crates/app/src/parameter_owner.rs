//! Whose attribute a parameter of an access pattern is.

use keyfold_core::model::{
    AccessPattern, Design, EntityId, IndexId, ItemKey, Operation, entities_of,
};

/// Whether the name, as a parameter of the pattern, is this entity's attribute.
pub fn owns_parameter(design: &Design, id: EntityId, name: &str, pattern: &AccessPattern) -> bool {
    let concerned = concerned(design, pattern);
    let mean = |other: &EntityId| *other != id && has(design, *other, name);
    // The sample fills the parameters, so they are called as its attributes are.
    match sample_owner(design, pattern).filter(|owner| has(design, *owner, name)) {
        Some(owner) => owner == id,
        None => concerned.contains(&id) && !concerned.iter().any(mean),
    }
}

/// The entities that the pattern is about: those that its author names, its sample's, or else those whose keys it
/// has.
pub fn concerned(design: &Design, pattern: &AccessPattern) -> Vec<EntityId> {
    let mut ids: Vec<EntityId> = entities_of(pattern).collect();
    ids.extend(sample_owner(design, pattern));
    if !ids.is_empty() {
        return ids;
    }
    match &pattern.operation {
        Operation::GetItem { key, .. } => with_key(design, key),
        Operation::Query {
            index, partition, ..
        } => with_partition(design, *index, partition),
        _ => ids,
    }
}

fn sample_owner(design: &Design, pattern: &AccessPattern) -> Option<EntityId> {
    let sample = pattern.sample?;
    let mut all = design.samples.iter();
    let owner = all.find(|(_, samples)| samples.iter().any(|other| other.id == sample));
    owner.map(|(id, _)| *id)
}

/// Whether the entity has an attribute of this name.
pub fn has(design: &Design, id: EntityId, name: &str) -> bool {
    (design.entities.get(&id)).is_some_and(|entity| entity.attribute(name).is_some())
}

/// The entities whose primary key has these templates.
pub fn with_key(design: &Design, key: &ItemKey) -> Vec<EntityId> {
    let mut ids = with_partition(
        design,
        IndexId::PRIMARY,
        std::slice::from_ref(&key.partition),
    );
    ids.retain(|id| design.entities[id].keys[&IndexId::PRIMARY].sort == key.sort);
    ids
}

fn with_partition(design: &Design, index: IndexId, partition: &[String]) -> Vec<EntityId> {
    let mut ids = Vec::new();
    for (id, entity) in &design.entities {
        let own = (entity.keys.get(&index)).and_then(|entry| entry.partition.as_ref());
        if own.is_some() && own == partition.first() {
            ids.push(*id);
        }
    }
    ids
}
