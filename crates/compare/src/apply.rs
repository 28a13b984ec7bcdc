//! Makes the new design of the old one and a difference.

use crate::diff::{ATTRIBUTES, Change, Diff, SAMPLES, SILENCED};
use crate::order::arrange;
use crate::part::{
    Part, SilencedKey, attribute_json, design_json, entity_json, json, prices_json, sample_json,
    silenced_json, silenced_keys,
};
use keyfold_core::model::{
    Attribute, AttributeId, CardId, Design, Entity, EntityId, Sample, SampleId, Silenced,
    SortedMap, Workload,
};
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

/// A change that does not fit a design: its part is missing, or cannot have the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// The part.
    pub part: Part,
    /// Why.
    pub message: String,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.part, self.message)
    }
}

impl std::error::Error for Unfit {}

/// Returns the design that `diff` leads to from `old`.
///
/// # Errors
///
/// Returns the first change that does not fit. A difference from `old` itself always fits.
pub fn apply(old: &Design, diff: &Diff) -> Result<Design, Unfit> {
    let mut design = apply_changes(old, diff.changes.iter())?;
    design.next_id = diff.next_id;
    Ok(design)
}

/// Applies changes that are sorted by part. The next free id stays.
pub(crate) fn apply_changes<'a>(
    old: &Design,
    changes: impl Iterator<Item = &'a Change>,
) -> Result<Design, Unfit> {
    let mut design = old.clone();
    let mut lists = Lists::default();
    let mut orders = Vec::new();
    for (part, changes) in by_part(changes, &mut orders) {
        let design = &mut design;
        match &part {
            Part::Design => {
                let Named { name, description } =
                    required(&part, patched(Some(design_json(design)), &changes))?;
                (design.name, design.description) = (name, description);
            }
            Part::Delimiter => change_one(&part, &mut design.delimiter, &changes)?,
            Part::Table => change_one(&part, &mut design.table, &changes)?,
            Part::ExportOptions => change_one(&part, &mut design.export_options, &changes)?,
            Part::Index(id) => change_entry(&part, &mut design.indexes, *id, &changes)?,
            Part::AccessPattern(id) => {
                change_entry(&part, &mut design.access_patterns, *id, &changes)?;
            }
            Part::Note(id) => change_entry(&part, &mut design.notes, *id, &changes)?,
            Part::Entity(id) => change_entity(&part, design, *id, &changes)?,
            Part::Entry(entity, index) => {
                let Some(entity) = design.entities.get_mut(entity) else {
                    missing(&part, &changes)?;
                    continue;
                };
                let keys = &mut Arc::make_mut(entity).keys;
                match patched(keys.get(index).map(json), &changes) {
                    Some(entry) => keys.insert(*index, read(&part, entry)?),
                    None => keys.remove(index),
                };
            }
            Part::Position(card) => change_position(&part, design, *card, &changes)?,
            Part::Traffic(id) => {
                let patterns = &mut Arc::make_mut(&mut design.workload).patterns;
                change_figures(&part, patterns, *id, &changes)?;
            }
            Part::Volume(id) => {
                let entities = &mut Arc::make_mut(&mut design.workload).entities;
                change_figures(&part, entities, *id, &changes)?;
            }
            Part::Prices => {
                let value = patched(Some(prices_json(&design.workload)), &changes);
                let workload = Arc::make_mut(&mut design.workload);
                *workload = Workload {
                    patterns: std::mem::take(&mut workload.patterns),
                    entities: std::mem::take(&mut workload.entities),
                    ..required(&part, value)?
                };
            }
            Part::Attribute(entity, id) => {
                lists
                    .attributes
                    .entry(*entity)
                    .or_default()
                    .push((*id, changes));
            }
            Part::Sample(entity, id) => {
                lists
                    .samples
                    .entry(*entity)
                    .or_default()
                    .push((*id, changes));
            }
            Part::Silenced(key) => lists.silenced.push((key.clone(), changes)),
        }
    }
    lists.change(&mut design)?;
    for order in orders {
        set_order(&mut design, order);
    }
    Ok(design)
}

/// The changes of each part; those of orders go to `orders`.
fn by_part<'a>(
    changes: impl Iterator<Item = &'a Change>,
    orders: &mut Vec<&'a Change>,
) -> Vec<(Part, Vec<&'a Change>)> {
    let mut parts: Vec<(Part, Vec<&Change>)> = Vec::new();
    for change in changes {
        match parts.last_mut() {
            _ if change.is_order() => orders.push(change),
            Some((part, list)) if *part == change.part => list.push(change),
            _ => parts.push((change.part.clone(), vec![change])),
        }
    }
    parts
}

/// The name and the description of a design.
#[derive(serde::Deserialize)]
struct Named {
    name: String,
    #[serde(default)]
    description: String,
}

/// The value of a part after changes.
pub(crate) fn patched(value: Option<Json>, changes: &[&Change]) -> Option<Json> {
    changes.iter().fold(value, |value, change| {
        set(value, &change.path, change.after.clone())
    })
}

fn set(value: Option<Json>, path: &[String], after: Option<Json>) -> Option<Json> {
    let [field, rest @ ..] = path else {
        return after;
    };
    let mut fields = match value {
        Some(Json::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    match set(fields.remove(field), rest, after) {
        Some(inner) => fields.insert(field.clone(), inner),
        None => None,
    };
    Some(Json::Object(fields))
}

fn unfit(part: &Part, message: impl Into<String>) -> Unfit {
    Unfit {
        part: part.clone(),
        message: message.into(),
    }
}

fn read<T: DeserializeOwned>(part: &Part, value: Json) -> Result<T, Unfit> {
    serde_json::from_value(value).map_err(|error| unfit(part, error.to_string()))
}

fn required<T: DeserializeOwned>(part: &Part, value: Option<Json>) -> Result<T, Unfit> {
    let value = value.ok_or_else(|| unfit(part, "every design has it"))?;
    read(part, value)
}

/// The owner of a part is missing: nothing is left to remove, and nothing can be changed.
fn missing(part: &Part, changes: &[&Change]) -> Result<(), Unfit> {
    match patched(None, changes) {
        None => Ok(()),
        Some(_) => Err(unfit(part, "its entity is missing")),
    }
}

fn change_one<T: Serialize + DeserializeOwned>(
    part: &Part,
    value: &mut Arc<T>,
    changes: &[&Change],
) -> Result<(), Unfit> {
    *value = Arc::new(required(part, patched(Some(json(value)), changes))?);
    Ok(())
}

fn change_entry<K: Ord, T: Serialize + DeserializeOwned>(
    part: &Part,
    map: &mut SortedMap<K, Arc<T>>,
    key: K,
    changes: &[&Change],
) -> Result<(), Unfit> {
    match patched(map.get(&key).map(json), changes) {
        Some(value) => map.insert(key, Arc::new(read(part, value)?)),
        None => map.remove(&key),
    };
    Ok(())
}

fn change_entity(
    part: &Part,
    design: &mut Design,
    id: EntityId,
    changes: &[&Change],
) -> Result<(), Unfit> {
    let old = design.entities.get(&id);
    let Some(value) = patched(old.map(|entity| entity_json(entity)), changes) else {
        design.entities.remove(&id);
        design.samples.remove(&id);
        return Ok(());
    };
    let mut entity: Entity = read(part, value)?;
    if let Some(old) = old {
        (entity.attributes, entity.keys) = (old.attributes.clone(), old.keys.clone());
    }
    design.entities.insert(id, Arc::new(entity));
    Ok(())
}

/// Changes an entry of the workload. One without figures goes: both sides of a merge may have removed one each.
fn change_figures<K: Ord, T: Serialize + DeserializeOwned + Default + PartialEq>(
    part: &Part,
    map: &mut SortedMap<K, T>,
    key: K,
    changes: &[&Change],
) -> Result<(), Unfit> {
    let value = patched(map.get(&key).map(json), changes);
    let value: Option<T> = value.map(|value| read(part, value)).transpose()?;
    match value.filter(|value| *value != T::default()) {
        Some(value) => map.insert(key, value),
        None => map.remove(&key),
    };
    Ok(())
}

fn change_position(
    part: &Part,
    design: &mut Design,
    card: CardId,
    changes: &[&Change],
) -> Result<(), Unfit> {
    let layout = Arc::make_mut(&mut design.layout);
    match patched(layout.get(&card).map(json), changes) {
        Some(place) => layout.insert(card, read(part, place)?),
        None => layout.remove(&card),
    };
    Ok(())
}

/// The changes of the elements of one list.
type Edits<'a, K> = Vec<(K, Vec<&'a Change>)>;

/// Changes of elements of lists, by list: a list is searched once for all of them.
#[derive(Default)]
struct Lists<'a> {
    attributes: SortedMap<EntityId, Edits<'a, AttributeId>>,
    samples: SortedMap<EntityId, Edits<'a, SampleId>>,
    silenced: Edits<'a, SilencedKey>,
}

impl Lists<'_> {
    fn change(self, design: &mut Design) -> Result<(), Unfit> {
        for (entity, edits) in self.attributes {
            let part = |id: &AttributeId| Part::Attribute(entity, *id);
            let Some(owner) = design.entities.get_mut(&entity) else {
                all_missing(edits, part)?;
                continue;
            };
            let list = &mut Arc::make_mut(owner).attributes;
            let ids = list.iter().map(|attribute| attribute.id).collect();
            edit(
                list,
                ids,
                edits,
                part,
                attribute_json,
                |part, id, mut value| {
                    value["id"] = json(id);
                    read::<Attribute>(part, value)
                },
            )?;
        }
        for (entity, edits) in self.samples {
            let part = |id: &SampleId| Part::Sample(entity, *id);
            if !design.entities.contains_key(&entity) {
                all_missing(edits, part)?;
                continue;
            }
            let list = Arc::make_mut(design.samples.entry(entity).or_default());
            let ids = list.iter().map(|sample| sample.id).collect();
            let value = |sample: &Arc<Sample>| sample_json(sample);
            edit(list, ids, edits, part, value, |part, id, mut value| {
                value["id"] = json(id);
                read::<Sample>(part, value).map(Arc::new)
            })?;
            if list.is_empty() {
                design.samples.remove(&entity);
            }
        }
        if !self.silenced.is_empty() {
            let list = Arc::make_mut(&mut design.silenced);
            let keys = silenced_keys(list);
            let part = |key: &SilencedKey| Part::Silenced(key.clone());
            edit(
                list,
                keys,
                self.silenced,
                part,
                silenced_json,
                |part, key, mut value| {
                    value["code"] = json(&key.code);
                    value["place"] = json(&key.place);
                    read::<Silenced>(part, value)
                },
            )?;
        }
        Ok(())
    }
}

fn all_missing<K>(edits: Edits<'_, K>, part: impl Fn(&K) -> Part) -> Result<(), Unfit> {
    (edits.iter()).try_for_each(|(key, changes)| missing(&part(key), changes))
}

/// Changes, removes and appends elements of a list whose keys are `keys`.
fn edit<T, K: Eq + Hash>(
    list: &mut Vec<T>,
    keys: Vec<K>,
    edits: Edits<'_, K>,
    part: impl Fn(&K) -> Part,
    value: impl Fn(&T) -> Json,
    read: impl Fn(&Part, &K, Json) -> Result<T, Unfit>,
) -> Result<(), Unfit> {
    let places: FxHashMap<K, usize> = keys.into_iter().zip(0..).collect();
    let mut slots: Vec<Option<T>> = list.drain(..).map(Some).collect();
    for (key, changes) in edits {
        let place = places.get(&key).copied();
        let old = place.and_then(|place| slots[place].as_ref());
        let new = match patched(old.map(&value), &changes) {
            Some(value) if value.is_object() => Some(read(&part(&key), &key, value)?),
            Some(_) => return Err(unfit(&part(&key), "is not an object")),
            None => None,
        };
        match place {
            Some(place) => slots[place] = new,
            None => slots.push(new),
        }
    }
    list.extend(slots.into_iter().flatten());
    Ok(())
}

/// Puts a list into the order that a change says. Elements without a place in it follow the ones they followed.
fn set_order(design: &mut Design, change: &Change) {
    let wanted = change.after.as_ref().and_then(Json::as_array);
    let Some(wanted) = wanted else {
        return;
    };
    match (&change.part, change.path.first().map(String::as_str)) {
        (Part::Entity(id), Some(ATTRIBUTES)) => {
            if let Some(entity) = design.entities.get_mut(id) {
                let list = &mut Arc::make_mut(entity).attributes;
                arrange(list, |attribute| json(&attribute.id), wanted);
            }
        }
        (Part::Entity(id), Some(SAMPLES)) => {
            if let Some(samples) = design.samples.get_mut(id) {
                arrange(Arc::make_mut(samples), |sample| json(&sample.id), wanted);
            }
        }
        (Part::Design, Some(SILENCED)) => {
            let list = Arc::make_mut(&mut design.silenced);
            let keys = silenced_keys(list);
            let mut keyed: Vec<_> = list.drain(..).zip(keys).collect();
            arrange(&mut keyed, |(_, key)| crate::diff::order_key(key), wanted);
            list.extend(keyed.into_iter().map(|(silenced, _)| silenced));
        }
        _ => {}
    }
}
