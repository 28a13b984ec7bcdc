//! Makes a design of a table: with the entities of the file if it has templates, otherwise with those that the items
//! show, with its access patterns, and with its items as samples.

use crate::form::{FoundTable, Notes};
use crate::{inference, patterns};
use keyfold_core::import::Note;
use keyfold_core::import::samples::place_items;
use keyfold_core::model::design::table_name_for;
use keyfold_core::model::name::check_label;
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Billing, DelimiterPolicy, Design, Entity, EntityId,
    ExportOptions, Index, IndexEntry, IndexId, IndexKind, Sample, SampleId, SortedMap, limits,
    name, validate_invariants,
};
use keyfold_core::template::{Segment, parse};
use keyfold_infer::Inferred;
use std::sync::Arc;

/// A design that was made of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// The design.
    pub design: Design,
    /// What the items show; `None` if the file has templates or no items.
    pub inferred: Option<Inferred>,
    /// What is not in it, or not as it was.
    pub left_out: Vec<Note>,
}

/// Makes a design of a table. Its items become samples of its entities, and show these if the file has no templates.
///
/// # Errors
///
/// Why no design can have this table, such as a key attribute with a name that templates cannot contain.
pub fn design(found: &FoundTable) -> Result<Made, String> {
    let mut notes = Notes::default();
    let base = base(found, &mut notes)?;
    let inferred = inference::infer_entities(&base, found);
    let design = match &inferred {
        Some(inferred) => inference::with_entities(&base, found, inferred, &mut notes),
        None => with_samples(base, found, &mut notes),
    };
    Ok(Made {
        design,
        inferred,
        left_out: notes.0,
    })
}

/// The design of a table whose file has the entities: with its access patterns and its items as samples.
pub(crate) fn with_samples(base: Design, found: &FoundTable, notes: &mut Notes) -> Design {
    let mut design = base;
    patterns::add(&mut design, found, notes);
    add_samples(&mut design, found, notes);
    design
}

/// The design of a table with the entities of its file, without access patterns and samples.
///
/// # Errors
///
/// As for [`design`].
pub(crate) fn base(found: &FoundTable, notes: &mut Notes) -> Result<Design, String> {
    let mut design = Design::new(label(&found.name, "Imported table"));
    design.description.clone_from(&found.description);
    let mut table = found.table.clone();
    if name::check_resource(&table.name).is_err() {
        table.name = table_name_for(&table.name);
    }
    for (attribute, what) in [
        (&mut table.ttl_attribute, "TTL attribute"),
        (&mut table.type_attribute, "type attribute"),
    ] {
        if let Some(Err(why)) = attribute.as_deref().map(name::check_attribute) {
            notes.add(&found.place, format!("the {what} is left out: {why}"));
            *attribute = None;
        }
    }
    let period = table.recovery.as_mut();
    if let Some(recovery) = period.filter(|recovery| {
        recovery
            .days
            .is_some_and(|days| !limits::RECOVERY_DAYS.contains(&days))
    }) {
        notes.add(
            &found.place,
            "the recovery period is not 1 to 35 days and is left out",
        );
        recovery.days = None;
    }
    while table.tags.len() > limits::TAGS
        && let Some((key, _)) = table.tags.last_key_value()
    {
        let key = key.clone();
        notes.add(
            &found.place,
            format!(
                "the tag {key} is left out: a table has at most {} tags",
                limits::TAGS
            ),
        );
        table.tags.remove(&key);
    }
    design.table = Arc::new(table);
    design.export_options = Arc::new(ExportOptions {
        delete_with_stack: found.delete_with_stack,
        ..ExportOptions::default()
    });
    if let Some(violation) = validate_invariants(&design).first() {
        return Err(format!("{}: {violation}", found.place));
    }
    for index in &found.indexes {
        add_index(&mut design, index, found, notes);
    }
    let delimiter = found.delimiter.clone().or_else(|| usual_delimiter(found));
    design.delimiter = Arc::new(DelimiterPolicy {
        delimiter: delimiter.unwrap_or_else(|| DelimiterPolicy::default().delimiter),
        ..DelimiterPolicy::default()
    });
    add_entities(&mut design, found, notes);
    Ok(design)
}

/// A name that a part of a design can have.
pub(crate) fn label(text: &str, otherwise: &str) -> String {
    let text: String = text.trim().chars().filter(|c| !c.is_control()).collect();
    let end = text.floor_char_boundary(255);
    let text = text[..end].trim();
    match check_label(text) {
        Ok(()) => text.to_owned(),
        Err(_) => otherwise.to_owned(),
    }
}

/// Adds an index, unless a design cannot have it.
fn add_index(design: &mut Design, index: &Index, found: &FoundTable, notes: &mut Notes) {
    let mut index = index.clone();
    // An index with the figures of the table inherits them.
    if let Billing::Provisioned(units) = &design.table.billing
        && index.provisioned.as_ref() == Some(units)
    {
        index.provisioned = None;
    }
    // An LSI repeats the table's partition key.
    if index.kind == IndexKind::Lsi && index.key.partition.is_empty() {
        index.key.partition.clone_from(&design.table.key.partition);
    }
    let before = design.clone();
    let id = IndexId(design.take_id());
    let name = index.name.clone();
    design.indexes.insert(id, Arc::new(index));
    if let Some(violation) = validate_invariants(design).first() {
        let why = format!("the index {name} is left out: {}", violation.message);
        *design = before;
        notes.add(&found.place, why);
    }
}

/// The character that ends most literals before a placeholder.
fn usual_delimiter(found: &FoundTable) -> Option<String> {
    let mut counts: SortedMap<char, usize> = SortedMap::new();
    let entries = found.entities.iter().flat_map(|entity| &entity.keys);
    for text in entries.flat_map(|(_, entry)| entry.partition.iter().chain(&entry.sort)) {
        let template = parse(text).template;
        for pair in template.segments.windows(2) {
            if let [Segment::Literal { text, .. }, Segment::Placeholder(_)] = pair
                && let Some(last) = text.chars().next_back().filter(|c| !c.is_alphanumeric())
            {
                *counts.entry(last).or_default() += 1;
            }
        }
    }
    let most = counts.values().max().copied()?;
    let mut usual = counts.iter().filter(|(_, count)| **count == most);
    usual.next().map(|(c, _)| c.to_string())
}

fn add_entities(design: &mut Design, found: &FoundTable, notes: &mut Notes) {
    for (entity, hue) in found.entities.iter().zip((0..Entity::HUES).cycle()) {
        let name = label(&entity.name, "Entity");
        if design.entity_named(&name).is_some() {
            notes.add(
                &entity.place,
                format!("another entity is called {name}: this one is left out"),
            );
            continue;
        }
        let mut made = Entity::new(name, hue);
        made.description.clone_from(&entity.description);
        for attribute in &entity.attributes {
            let name = &attribute.name;
            if made.attribute(name).is_some() {
                continue;
            }
            if let Err(why) = name::check_attribute(name) {
                notes.add(
                    &entity.place,
                    format!("the attribute `{name}` is left out: {why}"),
                );
                continue;
            }
            let id = AttributeId(design.take_id());
            made.attributes.push(Attribute {
                id,
                ..attribute.clone()
            });
        }
        for (index, entry) in &entity.keys {
            let id = match index {
                None => Some(IndexId::PRIMARY),
                Some(name) => design.index_named(name),
            };
            match (id, index) {
                (Some(id), _) => {
                    made.keys.insert(id, fitting(design, id, entry));
                }
                (None, index) => {
                    let index = index.as_deref().unwrap_or_default();
                    let why = format!(
                        "the keys of {} in the index {index} are left out: there is no such index",
                        made.name
                    );
                    notes.add(&entity.place, why);
                }
            }
        }
        without_repeated(design, &mut made);
        declare_key_only(design, &mut made);
        let id = EntityId(design.take_id());
        design.entities.insert(id, Arc::new(made));
    }
}

/// Removes templates that only repeat another for the same key attribute, as of an index with the table's keys inverted:
/// one template writes the attribute.
fn without_repeated(design: &Design, entity: &mut Entity) {
    let mut written: Vec<(String, String)> = Vec::new();
    for (index, entry) in entity.keys.iter_mut() {
        let Some(key) = design.key(*index) else {
            continue;
        };
        let sides = [
            (&mut entry.partition, key.partition.first()),
            (&mut entry.sort, key.sort.first()),
        ];
        for (template, attribute) in sides {
            let (Some(text), Some(attribute)) = (template.clone(), attribute) else {
                continue;
            };
            match written.contains(&(attribute.name.clone(), text.clone())) {
                true => *template = None,
                false => written.push((attribute.name.clone(), text)),
            }
        }
    }
}

/// Declares the values that the templates have and items do not store.
fn declare_key_only(design: &mut Design, entity: &mut Entity) {
    let mut names: Vec<String> = Vec::new();
    let entries = entity.keys.values();
    for text in entries.flat_map(|entry| entry.partition.iter().chain(&entry.sort)) {
        let template = parse(text).template;
        names.extend(template.attributes().map(str::to_owned));
    }
    let is_key = |design: &Design, name: &str| {
        let mut keys = design.index_ids().filter_map(|index| design.key(index));
        keys.any(|key| key.attributes().any(|key| key.name == name))
    };
    for name in names {
        let is_stored = design.table.is_type_attribute(&name)
            || is_key(design, &name)
            || entity.attribute(&name).is_some();
        if !is_stored && name::check_attribute(&name).is_ok() {
            let id = AttributeId(design.take_id());
            let mut attribute = Attribute::new(id, name, AttributeType::S);
            attribute.required = true;
            attribute.key_only = true;
            entity.attributes.push(attribute);
        }
    }
}

/// The entry without the templates that the key has no place for.
fn fitting(design: &Design, index: IndexId, entry: &IndexEntry) -> IndexEntry {
    let mut entry = entry.clone();
    let Some(key) = design.key(index) else {
        return entry;
    };
    if key.is_multi_attribute() {
        entry.partition = None;
    }
    if key.is_multi_attribute() || key.sort.is_empty() {
        entry.sort = None;
    }
    let is_local = design.indexes.get(&index);
    if is_local.is_some_and(|index| index.kind == IndexKind::Lsi) {
        entry.partition = None;
    }
    entry
}

fn add_samples(design: &mut Design, found: &FoundTable, notes: &mut Notes) {
    let items = found.items.iter();
    let placed = place_items(
        design,
        items.map(|item| (item.place.clone(), item.values.clone())),
    );
    for note in placed.refused {
        notes.add(
            note.place,
            format!("the item is left out: {}", note.message),
        );
    }
    notes.0.extend(placed.remarks);
    let mut samples: SortedMap<EntityId, Vec<Arc<Sample>>> = SortedMap::new();
    for (entity, values) in placed.added {
        let id = SampleId(design.take_id());
        let sample = Arc::new(Sample { id, values });
        samples.entry(entity).or_default().push(sample);
    }
    for (entity, list) in samples {
        design.samples.insert(entity, Arc::new(list));
    }
}
