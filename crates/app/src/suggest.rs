//! Defaults that the user then edits: keys and samples of a new entity, templates of an entity that joins an index,
//! the next index. They follow the conventions of the design.

use keyfold_core::engine::generate::name_meanings::placeholders;
use keyfold_core::engine::generate::{self, Guesser, prefix};
use keyfold_core::engine::key_sources::{OwnAttribute, own_attribute};
use keyfold_core::engine::tenancy::is_tenant_name;
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Design, Entity, EntityId, Format, Index, IndexEntry,
    IndexId, IndexKind, KeyPart, KeySchema, KeyType, SortedMap, Value, Values, id_name, is_time,
    screaming,
};
use keyfold_core::template::{self, Segment};
use rustc_hash::FxHashSet;

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

/// Returns the values of an entity's first sample: one for each required attribute. Attributes that another entity
/// has too get a value from there, so that the keys match.
pub fn first_sample(design: &Design, entity: &Entity) -> SortedMap<String, Value> {
    let required = entity.attributes.iter().filter(|a| a.required);
    SortedMap::from_iter(required.map(|attribute| {
        let value =
            known_value(design, &attribute.name).unwrap_or_else(|| placeholder_value(attribute));
        (attribute.name.clone(), value)
    }))
}

fn known_value(design: &Design, attribute: &str) -> Option<Value> {
    (design.samples.values())
        .flat_map(|samples| samples.first())
        .find_map(|sample| sample.values.get(attribute).cloned())
}

/// The time in an entity's first sample.
const FIRST_TIME: &str = "2026-01-01T00:00:00Z";

fn placeholder_value(attribute: &Attribute) -> Value {
    let stem = attribute.name.trim_end_matches("Id");
    match attribute.kind {
        AttributeType::N => Value::N(1.into()),
        AttributeType::Bool => Value::Bool(false),
        AttributeType::S if is_time(&attribute.name) => Value::S(FIRST_TIME.into()),
        kind => Value::from_text(kind, &format!("{stem}-1")).unwrap_or(Value::Null),
    }
}

/// Whether a value may be one that [`first_sample`] made, and not one that somebody entered.
pub fn is_placeholder(value: &Value) -> bool {
    match value {
        Value::N(number) => *number == 1.into(),
        Value::Bool(is_true) => !is_true,
        Value::S(text) => text == FIRST_TIME || text.ends_with("-1"),
        Value::Null => true,
        _ => false,
    }
}

/// Returns the values of another sample: like the first one, with a new identity.
pub fn next_sample(design: &Design, id: EntityId) -> SortedMap<String, Value> {
    let Some(entity) = design.entities.get(&id) else {
        return SortedMap::new();
    };
    let mut values = first_sample(design, entity);
    for name in key_placeholders(entity) {
        if let Some(attribute) = entity.attribute(&name) {
            values.entry(name).or_insert_with(|| {
                known_value(design, &attribute.name).unwrap_or_else(|| placeholder_value(attribute))
            });
        }
    }
    let mut rows = [Values::from(values)];
    renew(design, id, &mut rows);
    rows[0].to_map()
}

/// Returns the values for copies of samples: unchanged, except for new identities.
pub fn copied_samples(design: &Design, id: EntityId, mut values: Vec<Values>) -> Vec<Values> {
    renew(design, id, &mut values);
    values
}

/// Gives the identifying attribute values that no other sample of the entity has.
fn renew(design: &Design, id: EntityId, all: &mut [Values]) {
    let rows = design.samples_of(id);
    let identity = (design.entities.get(&id)).and_then(|entity| identity(entity));
    let Some(name) = identity.filter(|_| !rows.is_empty()) else {
        return;
    };
    let taken = FxHashSet::from_iter((rows.iter()).filter_map(|sample| sample.values.get(&name)));
    let latest = (rows.last()).and_then(|sample| sample.values.get(&name));
    let mut latest = latest.cloned();
    for values in all {
        let after = latest.as_ref().or_else(|| values.get(&name));
        let mut next = after.and_then(successor);
        while next.as_ref().is_some_and(|value| taken.contains(value)) {
            next = next.as_ref().and_then(successor);
        }
        if let Some(value) = next {
            values.insert(name.clone(), value.clone());
            latest = Some(value);
        }
    }
}

/// Returns the attribute that identifies an entity's items: its own id if the primary key has it, otherwise the last
/// attribute of the key that is not a time.
fn identity(entity: &Entity) -> Option<String> {
    let own = id_name(&entity.name);
    let names = key_placeholders(entity);
    (names.iter().find(|name| **name == own))
        .or_else(|| names.iter().rfind(|name| !is_time(name)))
        .or_else(|| names.last())
        .cloned()
}

/// The attributes in an entity's primary key templates, partition key first.
fn key_placeholders(entity: &Entity) -> Vec<String> {
    let entry = entity.keys.get(&IndexId::PRIMARY);
    (entry.into_iter())
        .flat_map(|entry| entry.partition.iter().chain(&entry.sort))
        .flat_map(|text| placeholders(text))
        .collect()
}

/// Returns the next value: `u_10` after `u_09`, 8 after 7, the next day after a date. `None` for other types, and if
/// the number overflows.
pub fn successor(value: &Value) -> Option<Value> {
    match value {
        Value::N(number) => {
            let number: i64 = number.to_string().parse().ok()?;
            Some(Value::N(number.checked_add(1)?.into()))
        }
        Value::S(text) => Some(Value::S(next_text(text))),
        _ => None,
    }
}

fn next_text(text: &str) -> String {
    if let Some(next) = next_day(text) {
        return next;
    }
    let Some(last) = text.rfind(|c: char| c.is_ascii_digit()) else {
        return format!("{text}-2");
    };
    let start = text[..last]
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| {
            at + text[at..].chars().next().map_or(1, char::len_utf8)
        });
    let digits = &text[start..=last];
    match digits.parse::<u64>().ok().and_then(|n| n.checked_add(1)) {
        Some(next) => format!(
            "{}{next:0width$}{}",
            &text[..start],
            &text[last + 1..],
            width = digits.len()
        ),
        None => format!("{text}-2"),
    }
}

/// Returns the same time one day later; `None` unless the text starts with `YYYY-MM-DD`. Months have 28 days here:
/// any valid date is fine.
fn next_day(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    if bytes.get(4) != Some(&b'-') || bytes.get(7) != Some(&b'-') {
        return None;
    }
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<u32>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (year, month, day) = match (month, day) {
        (12, 28..) => (year + 1, 1, 1),
        (_, 28..) => (year, month + 1, 1),
        _ => (year, month, day + 1),
    };
    Some(format!("{year:04}-{month:02}-{day:02}{}", &text[10..]))
}

/// Returns the templates of an entity that joins an index: looked up by email, status or the id of another entity,
/// sorted by time if it has a time attribute. An LSI gets a sort key template only.
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

/// Returns the template that an entity could have for one side of a key, where it has none.
pub fn template(design: &Design, id: EntityId, index: IndexId, part: KeyPart) -> String {
    let entity = design.entities.get(&id).zip(design.key(index));
    entity.map_or(String::new(), |(entity, key)| {
        guess(design, id, entity, key, part)
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
    // The entity's own attribute of the key attribute's name and type is the key as it stands.
    let is_natural = |part| {
        let key = side(key, part).first();
        key.is_some_and(|key| {
            own_attribute(entity, &key.name, OwnAttribute::OfType(key.kind)).is_some()
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

fn side(key: &KeySchema, part: KeyPart) -> &[keyfold_core::model::KeyAttribute] {
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
            match find(&|name| is_time(name) && *name != first) {
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

fn own_key(design: &Design, name: &str, id: &str) -> String {
    let delimiter = design.delimiter.literal("{").unwrap_or_default();
    format!("{}{delimiter}{{{id}}}", screaming(name))
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
