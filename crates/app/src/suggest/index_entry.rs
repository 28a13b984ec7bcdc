//! The templates of an entity that joins an index.

use super::{key_placeholders, own_key};
use keyfold_core::engine::generate::name_meanings::placeholders;
use keyfold_core::engine::generate::{Guesser, prefix};
use keyfold_core::engine::key_sources::{
    EmptyText, KeySource, OwnAttribute, Preferred, key_source,
};
use keyfold_core::model::{
    Attribute, AttributeType, Design, Entity, EntityId, Format, Index, IndexEntry, IndexId,
    IndexKind, KeyAttribute, KeyPart, KeySchema, KeyType, id_name, is_time, screaming,
};
use keyfold_core::template::{self, Segment};

/// Returns the templates of an entity that joins an index: looked up by email, status or the id of another entity,
/// sorted by time if all items have one. An LSI gets a sort key template only.
pub fn index_entry(design: &Design, id: EntityId, index: IndexId) -> IndexEntry {
    let local = (design.indexes.get(&index)).is_some_and(|index| index.kind == IndexKind::Lsi);
    design
        .key(index)
        .map(|key| entry_for_key(design, id, key, index.is_primary(), local))
        .unwrap_or_default()
}

/// Like [`index_entry`], for an index that is not in the design yet.
pub fn entry_for(design: &Design, id: EntityId, index: &Index) -> IndexEntry {
    entry_for_key(design, id, &index.key, false, index.kind == IndexKind::Lsi)
}

/// Returns the template that an entity could have for one side of a key, where it has none. A natural key keeps the values
/// of its attribute.
pub fn template(design: &Design, id: EntityId, index: IndexId, part: KeyPart) -> String {
    let entity = design.entities.get(&id).zip(design.key(index));
    entity.map_or(String::new(), |(entity, key)| {
        let own = side(key, part).first();
        match own.filter(|own| entity.attribute(&own.name).is_some()) {
            Some(own) => format!("{{{}}}", own.name),
            None => guess(design, id, entity, key, part),
        }
    })
}

fn entry_for_key(
    design: &Design,
    id: EntityId,
    key: &KeySchema,
    primary: bool,
    local: bool,
) -> IndexEntry {
    let Some(entity) = design.entities.get(&id) else {
        return IndexEntry::default();
    };
    if key.is_multi_attribute() {
        return IndexEntry::default();
    }
    // A natural key, or the type: the item has the key attribute as it stands.
    let is_natural = |part| {
        let key = side(key, part).first();
        key.is_some_and(|key| {
            let (preferred, empty) = (Preferred::Lowest, EmptyText::Counts);
            let own = OwnAttribute::OfType(key.kind);
            let source = key_source(design, entity, &key.name, preferred, empty, own);
            matches!(source, KeySource::Attribute(_) | KeySource::Type(_))
        })
    };
    let written = |part| is_natural(part) || !primary && written_by_primary(design, key, part);
    IndexEntry {
        partition: (!local && !written(KeyPart::Partition))
            .then(|| guess(design, id, entity, key, KeyPart::Partition)),
        sort: (!key.sort.is_empty() && !written(KeyPart::Sort))
            .then(|| guess(design, id, entity, key, KeyPart::Sort)),
        when: Vec::new(),
    }
}

/// Whether a key attribute of the index is also one of the table's key, as in an inverted index.
fn written_by_primary(design: &Design, key: &KeySchema, part: KeyPart) -> bool {
    let attribute = side(key, part).first();
    attribute.is_some_and(|attribute| design.table.key.attributes().any(|a| a == attribute))
}

fn side(key: &KeySchema, part: KeyPart) -> &[KeyAttribute] {
    match part {
        KeyPart::Partition => &key.partition,
        KeyPart::Sort => &key.sort,
    }
}

fn guess(design: &Design, id: EntityId, entity: &Entity, key: &KeySchema, part: KeyPart) -> String {
    let kind = side(key, part).first().map_or(KeyType::S, |a| a.kind);
    if kind != KeyType::S {
        let fitting = (entity.attributes.iter()).find(|a| a.kind == AttributeType::from(kind));
        return fitting.map_or(String::new(), |a| format!("{{{}}}", a.name));
    }
    let own = id_name(&entity.name);
    let delimiter = design.delimiter.literal("{").unwrap_or_default();
    let in_primary = entity.keys.get(&IndexId::PRIMARY);
    let in_partition: Vec<String> = in_primary
        .and_then(|entry| entry.partition.as_deref())
        .map(placeholders)
        .unwrap_or_default();
    let find = |fits: &dyn Fn(&str) -> bool| {
        (entity.attributes.iter())
            .map(|a| a.name.as_str())
            .find(|name| fits(name))
    };
    match part {
        KeyPart::Partition => {
            let other = find(&|name| name == "email")
                .or_else(|| find(&|name| name == "status"))
                .or_else(|| {
                    find(&|name| {
                        (name.ends_with("Id") || name.ends_with("By"))
                            && name != own
                            && !in_partition.iter().any(|p| p == name)
                    })
                });
            // `creator`, which is a user by its name.
            let guesser = Guesser::new(design);
            let refers = |attribute: &&Attribute| {
                !in_partition.contains(&attribute.name)
                    && matches!(
                        guesser.format(id, attribute),
                        Some(Format::Reference { .. })
                    )
            };
            let other = other.or_else(|| {
                let mut referring = entity.attributes.iter().filter(refers);
                referring.next().map(|attribute| attribute.name.as_str())
            });
            // Few values make few partitions: only if nothing else is there to look for.
            let is_enum = |name: &str| {
                let attribute = entity.attribute(name);
                attribute.is_some_and(|found| matches!(found.format, Some(Format::OneOf(_))))
            };
            let other = other
                .or_else(|| find(&|name| is_enum(name) && !in_partition.iter().any(|p| p == name)));
            match other {
                Some(name) => match prefix(design, id, name) {
                    Some(text) => format!("{text}{{{name}}}"),
                    None => format!(
                        "{}{delimiter}{{{name}}}",
                        screaming(name.trim_end_matches("Id"))
                    ),
                },
                None => {
                    let first = first_id(entity, &own);
                    match prefix(design, id, &first) {
                        Some(text) => format!("{text}{{{first}}}"),
                        None => own_key(design, &entity.name, &first),
                    }
                }
            }
        }
        KeyPart::Sort => {
            // An attribute of the partition key tells no two of them apart.
            let partition = placeholders(&guess(design, id, entity, key, KeyPart::Partition));
            let first = first_id(entity, &own);
            let others = || key_placeholders(entity).into_iter().rev();
            let first = match partition.contains(&first) {
                true => others()
                    .find(|name| !partition.contains(name))
                    .unwrap_or(first),
                false => first,
            };
            let name = own_word(design, id, entity).unwrap_or_else(|| screaming(&entity.name));
            let placeholder = own_placeholder(entity, &first);
            // Items without a key attribute are not in the index.
            let all_have = |name: &str| {
                let samples = design.samples_of(id);
                entity.attribute(name).is_some_and(|own| own.required)
                    || !samples.is_empty() && samples.iter().all(|it| it.values.contains_key(name))
            };
            match find(&|name| is_time(name) && *name != first && all_have(name)) {
                Some(time) => format!("{name}{delimiter}{{{time}}}{delimiter}{placeholder}"),
                None => format!("{name}{delimiter}{placeholder}"),
            }
        }
    }
}

/// The word that the design writes for this entity and no other one: that before the first value of its sort key in the
/// table. `CREW` in `CREW#{crewId}` is that of another entity, if `crewId` makes a partition key so.
fn own_word(design: &Design, id: EntityId, entity: &Entity) -> Option<String> {
    let (literal, attribute) = first_literal(design, entity)?;
    let mut others = (design.entities.values()).filter(|other| other.name != entity.name);
    let of = |other| first_literal(design, other).map(|(literal, _)| literal);
    let is_own = others.all(|other| of(other).as_ref() != Some(&literal));
    let refers = || {
        attribute != id_name(&entity.name)
            && prefix(design, id, &attribute).as_ref() == Some(&literal)
    };
    let word = literal.strip_suffix(&*design.delimiter.literal("{")?)?;
    (is_own && !refers()).then(|| word.to_owned())
}

/// The word before the first value of an entity's sort key in the table, with the delimiter, and the attribute of the value.
fn first_literal(design: &Design, entity: &Entity) -> Option<(String, String)> {
    let delimiter = design.delimiter.literal("{")?;
    let sort = entity.keys.get(&IndexId::PRIMARY)?.sort.as_deref()?;
    let parsed = template::parse(sort).template;
    let [
        Segment::Literal { text, .. },
        Segment::Placeholder(placeholder),
        ..,
    ] = parsed.segments.as_slice()
    else {
        return None;
    };
    let word = text.strip_suffix(&*delimiter)?;
    let is_word = !word.is_empty() && !word.contains(&*delimiter);
    is_word.then(|| (text.clone(), placeholder.attribute.clone()))
}

/// Digits of a padded number in a text key, if the primary key does not say.
const DIGITS: u32 = 10;

/// The placeholder of an attribute in a text key, in the order of its values: as in the primary key, and a number padded.
fn own_placeholder(entity: &Entity, name: &str) -> String {
    let entry = entity.keys.get(&IndexId::PRIMARY).into_iter();
    let mut texts = entry.flat_map(|entry| entry.partition.iter().chain(&entry.sort));
    let found = texts.find_map(|text| {
        let template = template::parse(text).template;
        let mut found = template.placeholders();
        found
            .find(|placeholder| placeholder.attribute == name)
            .map(|found| found.to_string())
    });
    let is_number = || {
        entity
            .attribute(name)
            .is_some_and(|a| a.kind == AttributeType::N)
    };
    match found {
        Some(text) if text.contains(':') || !is_number() => text,
        _ if is_number() => format!("{{{name}:pad({DIGITS})}}"),
        _ => format!("{{{name}}}"),
    }
}

/// The entity's own id, or the best substitute.
fn first_id(entity: &Entity, own: &str) -> String {
    if entity.attribute(own).is_some() {
        return own.to_owned();
    }
    let of_key = (entity.keys.get(&IndexId::PRIMARY))
        .and_then(|entry| entry.sort.as_deref().or(entry.partition.as_deref()))
        .and_then(|text| placeholders(text).pop());
    of_key
        .or_else(|| entity.attributes.first().map(|a| a.name.clone()))
        .unwrap_or_else(|| own.to_owned())
}
