//! The parts of a design that are compared, and the value of each as the design file writes it.

use keyfold_core::lint::Place;
use keyfold_core::model::{
    AccessPatternId, Attribute, AttributeId, CardId, Design, Entity, EntityId, IndexId, NoteId,
    Sample, SampleId, Silenced, SortedMap, Workload,
};
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use std::fmt;

/// A part of a design. Parts sort so that a part comes after those that contain it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The name and the description of the design.
    Design,
    /// The delimiter policy.
    Delimiter,
    /// The table, its primary key and its settings.
    Table,
    /// The export options.
    ExportOptions,
    /// A secondary index.
    Index(IndexId),
    /// An entity, without its attributes and keys.
    Entity(EntityId),
    /// An attribute of an entity.
    Attribute(EntityId, AttributeId),
    /// An entity's entry in the table or an index: its key templates and conditions.
    Entry(EntityId, IndexId),
    /// A sample of an entity.
    Sample(EntityId, SampleId),
    /// An access pattern.
    AccessPattern(AccessPatternId),
    /// A note on the canvas.
    Note(NoteId),
    /// The traffic of an access pattern.
    Traffic(AccessPatternId),
    /// How much data an entity has.
    Volume(EntityId),
    /// The Region and the prices of the workload.
    Prices,
    /// A silenced finding.
    Silenced(SilencedKey),
    /// The position of a card.
    Position(CardId),
}

/// What tells silenced findings apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SilencedKey {
    /// Code of the lint rule.
    pub code: String,
    /// The place, as the design stores it.
    pub place: String,
    /// How many silenced findings before it have the same code and place.
    pub nth: usize,
}

impl Part {
    /// The part that the card shows; `None` for the table, which every design has.
    fn of_card(card: CardId) -> Option<Part> {
        match card {
            CardId::Index(id) if id.is_primary() => None,
            CardId::Index(id) => Some(Part::Index(id)),
            CardId::Entity(id) => Some(Part::Entity(id)),
            CardId::Note(id) => Some(Part::Note(id)),
        }
    }

    /// The parts without which this one cannot be: the entity of an attribute, the index of an entry.
    pub fn owners(&self) -> Vec<Part> {
        match self {
            Part::Attribute(entity, _) | Part::Sample(entity, _) => vec![Part::Entity(*entity)],
            Part::Entry(entity, index) if index.is_primary() => vec![Part::Entity(*entity)],
            Part::Entry(entity, index) => vec![Part::Entity(*entity), Part::Index(*index)],
            Part::Position(card) => Part::of_card(*card).into_iter().collect(),
            Part::Traffic(id) => vec![Part::AccessPattern(*id)],
            Part::Volume(id) => vec![Part::Entity(*id)],
            Part::Silenced(key) => silenced_owners(&key.place),
            _ => Vec::new(),
        }
    }

    /// Whether the part only accompanies its owner, and goes with it without a question.
    pub fn is_minor(&self) -> bool {
        matches!(self, Part::Position(_) | Part::Silenced(_))
    }

    /// The card that shows the part; `None` if none does.
    pub fn card(&self) -> Option<CardId> {
        match self {
            Part::Table => Some(CardId::Index(IndexId::PRIMARY)),
            Part::Index(id) => Some(CardId::Index(*id)),
            Part::Entity(id) | Part::Attribute(id, _) | Part::Entry(id, _) | Part::Volume(id) => {
                Some(CardId::Entity(*id))
            }
            Part::Note(id) => Some(CardId::Note(*id)),
            _ => None,
        }
    }
}

/// The ids from the outside in, as in the places of findings; the name of the field of a part without an id.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Design => f.write_str("design"),
            Part::Delimiter => f.write_str("delimiter"),
            Part::Table => f.write_str("table"),
            Part::ExportOptions => f.write_str("exportOptions"),
            Part::Index(id) => id.fmt(f),
            Part::Entity(id) => id.fmt(f),
            Part::Attribute(entity, id) => write!(f, "{entity}/{id}"),
            Part::Entry(entity, id) => write!(f, "{entity}/{id}"),
            Part::Sample(entity, id) => write!(f, "{entity}/{id}"),
            Part::AccessPattern(id) => id.fmt(f),
            Part::Note(id) => id.fmt(f),
            Part::Traffic(id) => write!(f, "{id}/traffic"),
            Part::Volume(id) => write!(f, "{id}/volume"),
            Part::Prices => f.write_str("workload"),
            Part::Silenced(key) => write!(f, "silenced/{}/{}", key.code, key.place),
            Part::Position(card) => write!(f, "layout/{card}"),
        }
    }
}

fn silenced_owners(place: &str) -> Vec<Part> {
    let Ok(place) = place.parse::<Place>() else {
        return Vec::new();
    };
    let entity = place.entity().map(Part::Entity);
    let index = place.index().filter(|index| !index.is_primary());
    let pattern = match place {
        Place::Pattern(id) => Some(Part::AccessPattern(id)),
        _ => None,
    };
    (entity
        .into_iter()
        .chain(index.map(Part::Index))
        .chain(pattern))
    .collect()
}

/// The keys of silenced findings, in order.
pub fn silenced_keys(silenced: &[Silenced]) -> Vec<SilencedKey> {
    let mut seen: FxHashMap<(&str, &str), usize> = FxHashMap::default();
    let mut keys = Vec::with_capacity(silenced.len());
    for Silenced { code, place, .. } in silenced {
        let nth = seen.entry((code, place)).or_default();
        keys.push(SilencedKey {
            code: code.clone(),
            place: place.clone(),
            nth: *nth,
        });
        *nth += 1;
    }
    keys
}

/// A value as the design file writes it.
pub fn json(value: &impl Serialize) -> Json {
    // The model has only string keys and no fallible `Serialize`, so this cannot fail.
    serde_json::to_value(value).unwrap_or_default()
}

/// A value without some of its fields, which are parts of their own or say which part it is.
fn without(value: &impl Serialize, fields: &[&str]) -> Json {
    let mut value = json(value);
    if let Some(object) = value.as_object_mut() {
        for field in fields {
            object.remove(*field);
        }
    }
    value
}

/// The fields of the design itself.
pub fn design_json(design: &Design) -> Json {
    let mut fields = Map::new();
    fields.insert("name".to_owned(), json!(design.name));
    if !design.description.is_empty() {
        fields.insert("description".to_owned(), json!(design.description));
    }
    Json::Object(fields)
}

/// The fields of an entity that are not parts of their own.
pub fn entity_json(entity: &Entity) -> Json {
    let Entity {
        name,
        description,
        hue,
        attributes: _,
        keys: _,
    } = entity;
    let shell = Entity {
        name: name.clone(),
        description: description.clone(),
        hue: *hue,
        attributes: Vec::new(),
        keys: SortedMap::new(),
    };
    without(&shell, &["attributes", "keys"])
}

/// The fields of an attribute without its id.
pub fn attribute_json(attribute: &Attribute) -> Json {
    without(attribute, &["id"])
}

/// The fields of a sample without its id.
pub fn sample_json(sample: &Sample) -> Json {
    without(sample, &["id"])
}

/// The fields of the workload that are about no access pattern and no entity.
pub fn prices_json(workload: &Workload) -> Json {
    without(workload, &["patterns", "entities"])
}

/// The reason of a silenced finding.
pub fn silenced_json(silenced: &Silenced) -> Json {
    without(silenced, &["code", "place"])
}

/// The value of a part; `None` if the design lacks it. A search: for a few parts, not for all.
pub fn part_json(design: &Design, part: &Part) -> Option<Json> {
    match part {
        Part::Design => Some(design_json(design)),
        Part::Delimiter => Some(json(&design.delimiter)),
        Part::Table => Some(json(&design.table)),
        Part::ExportOptions => Some(json(&design.export_options)),
        Part::Index(id) => design.indexes.get(id).map(json),
        Part::Entity(id) => design.entities.get(id).map(|entity| entity_json(entity)),
        Part::Attribute(entity, id) => {
            let entity = design.entities.get(entity)?;
            entity.attribute_by_id(*id).map(attribute_json)
        }
        Part::Entry(entity, index) => design.entities.get(entity)?.keys.get(index).map(json),
        Part::Sample(entity, id) => {
            let mut samples = design.samples_of(*entity).iter();
            samples
                .find(|sample| sample.id == *id)
                .map(|sample| sample_json(sample))
        }
        Part::AccessPattern(id) => design.access_patterns.get(id).map(json),
        Part::Note(id) => design.notes.get(id).map(json),
        Part::Traffic(id) => design.workload.patterns.get(id).map(json),
        Part::Volume(id) => design.workload.entities.get(id).map(json),
        Part::Prices => Some(prices_json(&design.workload)),
        Part::Silenced(key) => {
            let same =
                |silenced: &&Silenced| silenced.code == key.code && silenced.place == key.place;
            design
                .silenced
                .iter()
                .filter(same)
                .nth(key.nth)
                .map(silenced_json)
        }
        Part::Position(card) => design.layout.get(card).map(json),
    }
}

/// Whether a design has a part that others belong to.
pub fn has(design: &Design, owner: &Part) -> bool {
    match owner {
        Part::Index(id) => design.indexes.contains_key(id),
        Part::Entity(id) => design.entities.contains_key(id),
        Part::AccessPattern(id) => design.access_patterns.contains_key(id),
        Part::Note(id) => design.notes.contains_key(id),
        _ => part_json(design, owner).is_some(),
    }
}
