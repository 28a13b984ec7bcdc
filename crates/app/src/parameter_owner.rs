//! Whose attribute a parameter of an access pattern is.

use keyfold_core::engine::key_sources::templates_in;
use keyfold_core::model::{
    AccessPattern, Design, EntityId, IndexId, ItemKey, KeyPart, Operation, SampleId, WriteAction,
    entities_of,
};

/// Whether the name, as a parameter of the pattern, is this entity's attribute.
pub fn owns_parameter(design: &Design, id: EntityId, name: &str, pattern: &AccessPattern) -> bool {
    // The sample fills the parameters, so they are called as its attributes are.
    if let Some(owner) = sample_owner(design, pattern).filter(|owner| has(design, *owner, name)) {
        return owner == id;
    }
    // A put takes the attributes of its item from the parameters of the same names.
    let actions = pattern.operation.actions();
    let put = actions.iter().filter_map(WriteAction::put);
    let mut with_name: Vec<EntityId> = put.filter(|put| has(design, *put, name)).collect();
    if with_name.is_empty() {
        with_name = concerned(design, pattern);
        with_name.retain(|other| has(design, *other, name));
    }
    with_name.contains(&id) && with_name.iter().all(|other| *other == id)
}

/// The entities that the pattern is about: those that its author names, its sample's, or else those whose keys it
/// has.
pub fn concerned(design: &Design, pattern: &AccessPattern) -> Vec<EntityId> {
    let mut ids: Vec<EntityId> = entities_of(pattern).collect();
    ids.extend(sample_owner(design, pattern));
    if !ids.is_empty() {
        return ids;
    }
    if let Operation::Query {
        index, partition, ..
    } = &pattern.operation
    {
        return with_partition(design, *index, partition);
    }
    let keys = pattern.operation.keys();
    ids.extend(keys.into_iter().flat_map(|key| with_key(design, key)));
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn sample_owner(design: &Design, pattern: &AccessPattern) -> Option<EntityId> {
    owner_of_sample(design, pattern.sample?)
}

/// The entity of a sample.
pub fn owner_of_sample(design: &Design, id: SampleId) -> Option<EntityId> {
    let mut all = design.samples.iter();
    let owner = all.find(|(_, samples)| samples.iter().any(|sample| sample.id == id));
    owner.map(|(id, _)| *id)
}

/// Whether the entity has an attribute of this name.
pub fn has(design: &Design, id: EntityId, name: &str) -> bool {
    (design.entities.get(&id)).is_some_and(|entity| entity.attribute(name).is_some())
}

/// The entities whose primary key has these templates.
pub fn with_key(design: &Design, key: &ItemKey) -> Vec<EntityId> {
    let primary = IndexId::PRIMARY;
    let mut ids = with_partition(design, primary, std::slice::from_ref(&key.partition));
    ids.retain(|id| text_of(design, *id, primary, KeyPart::Sort) == key.sort.as_deref());
    ids
}

fn with_partition(design: &Design, index: IndexId, partition: &[String]) -> Vec<EntityId> {
    let Some(text) = partition.first() else {
        return Vec::new();
    };
    let mut ids: Vec<EntityId> = design.entities.keys().copied().collect();
    ids.retain(|id| text_of(design, *id, index, KeyPart::Partition) == Some(text.as_str()));
    ids
}

/// The entity's template for one side of the key, as typed.
fn text_of(design: &Design, id: EntityId, index: IndexId, part: KeyPart) -> Option<&str> {
    let entity = design.entities.get(&id)?;
    let mut templates = templates_in(design, entity, index);
    templates
        .find(|template| template.part == part)
        .map(|template| template.text)
}
