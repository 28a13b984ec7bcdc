//! Defaults that the user then edits: keys and samples of a new entity, templates of an entity that joins an index,
//! the next index. They follow the conventions of the design.

mod index_entry;
mod sample_values;

pub use index_entry::{entry_for, index_entry, template};
pub use sample_values::{copied_samples, first_sample, is_placeholder, next_sample, successor};

use keyfold_core::engine::generate;
use keyfold_core::engine::generate::name_meanings::placeholders;
use keyfold_core::engine::tenancy::is_tenant_name;
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Design, Entity, EntityId, Format, Index, IndexEntry,
    IndexId, IndexKind, KeySchema, KeyType, SortedMap, id_name, screaming,
};

/// Returns a new entity with an id attribute and primary key templates. If most entities, and at least two, share the
/// partition key template of a tenant (`TENANT#{tenantId}`), the new entity belongs to a tenant, too.
pub fn new_entity(design: &mut Design, name: String) -> Entity {
    let hue = next_hue(design);
    let mut entity = Entity::new(name, hue);
    let own = id_name(&entity.name);
    let shared = shared_partition(design);
    let names = shared
        .iter()
        .flat_map(|text| placeholders(text))
        .chain([own.clone()]);
    for name in names {
        if entity.attribute(&name).is_none() {
            let mut attribute =
                Attribute::new(AttributeId(design.take_id()), name, AttributeType::S);
            attribute.required = true;
            if attribute.name == own {
                attribute.format = Some(Format::Ulid);
            }
            entity.attributes.push(attribute);
        }
    }
    let own_key = own_key(design, &entity.name, &own);
    let has_sort = !design.table.key.sort.is_empty();
    let (partition, sort) = match shared {
        Some(partition) if has_sort => (partition, Some(own_key)),
        _ => (own_key, has_sort.then(|| "METADATA".to_owned())),
    };
    entity.keys.insert(
        IndexId::PRIMARY,
        IndexEntry {
            partition: Some(partition),
            sort,
            when: Vec::new(),
        },
    );
    let numbers = |part: &[keyfold_core::model::KeyAttribute]| {
        part.first().is_some_and(|key| key.kind != KeyType::S)
    };
    // A key of type N or B takes exactly one placeholder.
    if let Some(entry) = entity.keys.get_mut(&IndexId::PRIMARY) {
        if numbers(&design.table.key.partition) {
            entry.partition = Some(format!("{{{own}}}"));
        }
        if numbers(&design.table.key.sort) {
            entry.sort = Some(format!("{{{own}}}"));
        }
    }
    entity
}

/// Whether the attribute is the id that [`new_entity`] made, with the format from there, and no sample has a value in
/// this format.
pub fn has_automatic_format(design: &Design, id: EntityId, attribute: &Attribute) -> bool {
    let entity = design.entities.get(&id);
    attribute.format == Some(Format::Ulid)
        && entity.is_some_and(|entity| attribute.name == id_name(&entity.name))
        && generate::guess(design, id, attribute) != attribute.format
}

/// Returns the next secondary index, named like the existing ones: `GSI2` with `GSI2PK` and `GSI2SK`; attribute
/// names are in lower case if the table's key is. No other index has its name or its key attributes.
pub fn new_index(design: &Design, kind: IndexKind) -> Index {
    let stem = kind.label();
    let lower = (design.table.key.partition.first())
        .is_some_and(|key| key.name.chars().all(|c| !c.is_uppercase()));
    let named = |number: u32, part: &str| {
        let name = format!("{stem}{number}{part}");
        if lower { name.to_lowercase() } else { name }
    };
    let is_free = |number: &u32| {
        let mut keys = ["PK", "SK"].iter().map(|part| named(*number, part));
        design.index_named(&format!("{stem}{number}")).is_none()
            && keys.all(|name| design.key_attribute(&name).is_none())
    };
    let number = (1..).find(is_free).unwrap_or(1);
    let attribute = |part: &str| named(number, part);
    let key = match kind {
        IndexKind::Gsi => KeySchema::pair(attribute("PK"), attribute("SK")),
        IndexKind::Lsi => KeySchema {
            partition: design.table.key.partition.clone(),
            ..KeySchema::pair("", attribute("SK"))
        },
    };
    Index::new(format!("{stem}{number}"), kind, key)
}

/// Returns an unused name for a new entity: `Entity`, `Entity 2`, ...
pub fn entity_name(design: &Design) -> String {
    free_name("Entity", |name| design.entity_named(name).is_some())
}

/// The name of an attribute that has no name of its own yet; others have a number behind it.
const ATTRIBUTE: &str = "attribute";

/// Returns an unused name for a new attribute of the entity.
pub fn attribute_name(entity: &Entity) -> String {
    let numbered = (2..).map(|number| format!("{ATTRIBUTE}{number}"));
    std::iter::once(ATTRIBUTE.to_owned())
        .chain(numbered)
        .find(|name| entity.attribute(name).is_none())
        .unwrap_or_default()
}

/// Whether a name is one of [`attribute_name`].
pub fn is_attribute_name(name: &str) -> bool {
    let number = name.strip_prefix(ATTRIBUTE);
    number.is_some_and(|number| number.chars().all(|c| c.is_ascii_digit()))
}

/// Returns the first of `stem`, `stem 2`, `stem 3`, ... that is not taken.
pub fn free_name(stem: &str, taken: impl Fn(&str) -> bool) -> String {
    (1..)
        .map(|n| {
            if n == 1 {
                stem.to_owned()
            } else {
                format!("{stem} {n}")
            }
        })
        .find(|name| !taken(name))
        .unwrap_or_default()
}

/// The least used hue; the lowest one of several.
fn next_hue(design: &Design) -> u8 {
    let mut counts = [0_usize; Entity::HUES as usize];
    for entity in design.entities.values() {
        counts[usize::from(entity.hue % Entity::HUES)] += 1;
    }
    let least = counts.iter().min().copied().unwrap_or(0);
    let at = counts.iter().position(|count| *count == least).unwrap_or(0);
    at as u8
}

/// The partition key template of a tenant that more than half of the entities, and at least two, have in common.
fn shared_partition(design: &Design) -> Option<String> {
    let mut counts: SortedMap<&str, usize> = SortedMap::new();
    for entity in design.entities.values() {
        let entry = entity.keys.get(&IndexId::PRIMARY);
        if let Some(text) = entry.and_then(|entry| entry.partition.as_deref()) {
            *counts.entry(text).or_default() += 1;
        }
    }
    let (text, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let of_tenant = || placeholders(text).iter().any(|name| is_tenant_name(name));
    (count >= 2 && count * 2 > design.entities.len() && of_tenant()).then(|| text.to_owned())
}

/// The attributes in an entity's primary key templates, partition key first.
fn key_placeholders(entity: &Entity) -> Vec<String> {
    let entry = entity.keys.get(&IndexId::PRIMARY);
    (entry.into_iter())
        .flat_map(|entry| entry.partition.iter().chain(&entry.sort))
        .flat_map(|text| placeholders(text))
        .collect()
}

fn own_key(design: &Design, name: &str, id: &str) -> String {
    let delimiter = design.delimiter.literal("{").unwrap_or_default();
    format!("{}{delimiter}{{{id}}}", screaming(name))
}
