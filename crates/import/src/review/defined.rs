//! Edits of entities that a file describes. They keep everything that the file says about the entities.

use super::report::key_attributes;
use keyfold_core::engine::key_sources::templates;
use keyfold_core::engine::{EntityPlan, materialize};
use keyfold_core::import::report::Change;
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Design, EntityId, IndexEntry, IndexId, KeyPart, Sample,
    SortedMap, Value, name, validate_invariants,
};
use keyfold_core::template::parse;
use std::sync::Arc;

/// The design after a change. Its items are those from before.
///
/// # Errors
///
/// Why the change is not made.
pub fn changed(design: &Design, change: &Change) -> Result<Design, String> {
    let mut design = design.clone();
    match change {
        Change::Rename { entity, name } => rename(&mut design, EntityId(*entity), name.trim())?,
        Change::SetTemplate {
            entity,
            key,
            template,
        } => {
            let template = template.clone().filter(|text| !text.trim().is_empty());
            set_template(&mut design, EntityId(*entity), key, template)?;
        }
        Change::Merge { .. } | Change::Split { .. } => {
            return Err("the file describes these entities: they cannot be merged or split".into());
        }
    }
    match validate_invariants(&design).first() {
        Some(violation) => Err(violation.message.clone()),
        None => Ok(design),
    }
}

fn no_entity() -> String {
    "there is no such entity".to_owned()
}

fn rename(design: &mut Design, id: EntityId, name: &str) -> Result<(), String> {
    name::check_label(name).map_err(|error| error.to_string())?;
    if design.entity_named(name).is_some_and(|other| other != id) {
        return Err(format!("another entity is called {name}"));
    }
    let entity = design.entities.get(&id).ok_or_else(no_entity)?;
    // Items hold the name.
    if entity.name != name && !design.samples_of(id).is_empty() {
        store_types(design);
    }
    let entity = design.entities.get_mut(&id).ok_or_else(no_entity)?;
    Arc::make_mut(entity).name = name.to_owned();
    Ok(())
}

/// Makes an ordinary attribute of the type attribute.
fn store_types(design: &mut Design) {
    let Some(attribute) = design.table.type_attribute.clone() else {
        return;
    };
    Arc::make_mut(&mut design.table).type_attribute = None;
    let ids: Vec<EntityId> = design.entities.keys().copied().collect();
    for id in ids {
        let attribute_id = AttributeId(design.take_id());
        let Some(entity) = design.entities.get_mut(&id).map(Arc::make_mut) else {
            continue;
        };
        match entity
            .attributes
            .iter_mut()
            .find(|own| own.name == attribute)
        {
            Some(own) => own.key_only = false,
            None => {
                let mut own = Attribute::new(attribute_id, attribute.clone(), AttributeType::S);
                own.required = true;
                entity.attributes.push(own);
            }
        }
        let value = Value::S(entity.name.clone());
        if let Some(samples) = design.samples.get_mut(&id) {
            for sample in Arc::make_mut(samples) {
                let values = &mut Arc::make_mut(sample).values;
                values.insert(attribute.clone(), value.clone());
            }
        }
    }
}

fn set_template(
    design: &mut Design,
    id: EntityId,
    key: &str,
    template: Option<String>,
) -> Result<(), String> {
    let entity = design.entities.get(&id).ok_or_else(no_entity)?;
    let written = templates(design, entity).find(|template| template.attribute.name == key);
    let index = match written {
        Some(written) => written.index,
        None => (key_attributes(design).into_iter())
            .find(|(name, _)| *name == key)
            .map(|(_, index)| index)
            .ok_or_else(|| format!("`{key}` is not a key attribute that can have a template"))?,
    };
    if let Some(text) = &template {
        check(design, id, key, text)?;
    }
    let part = part(design, index, key);
    let before = items(design, id);
    let entity = design.entities.get_mut(&id).ok_or_else(no_entity)?;
    let entity = Arc::make_mut(entity);
    if !entity.keys.contains_key(&index) {
        entity.keys.insert(index, IndexEntry::default());
    }
    if let Some(entry) = entity.keys.get_mut(&index) {
        match part {
            KeyPart::Partition => entry.partition = template,
            KeyPart::Sort => entry.sort = template,
        }
    }
    keep_items(design, id, key, &before)
}

/// Checks a template's text.
fn check(design: &Design, id: EntityId, key: &str, text: &str) -> Result<(), String> {
    let parsed = parse(text);
    if let Some(error) = parsed.errors.first() {
        let column = text[..error.span.start].chars().count() + 1;
        return Err(format!("{key}: {} (character {column})", error.message));
    }
    let entity = design.entities.get(&id).ok_or_else(no_entity)?;
    let is_unknown = |attribute: &&str| {
        entity.attribute(attribute).is_none() && !design.table.is_type_attribute(attribute)
    };
    match parsed.template.attributes().find(is_unknown) {
        Some(unknown) => {
            let known = entity.attributes.iter().map(|own| own.name.as_str());
            let meant = name::closest(unknown, known);
            let meant = meant.map_or(String::new(), |name| format!(" Did you mean `{name}`?"));
            Err(format!("{key}: unknown attribute `{unknown}`.{meant}"))
        }
        None => Ok(()),
    }
}

fn part(design: &Design, index: IndexId, key: &str) -> KeyPart {
    let is_partition = design
        .key(index)
        .is_some_and(|schema| schema.partition.iter().any(|own| own.name == key));
    match is_partition {
        true => KeyPart::Partition,
        false => KeyPart::Sort,
    }
}

/// The items of an entity, in the order of its samples.
fn items(design: &Design, id: EntityId) -> Vec<SortedMap<String, Value>> {
    let items = materialize(&EntityPlan::new(design, id), design.samples_of(id));
    items.iter().map(|item| item.to_map()).collect()
}

/// Lets each sample hold the key attribute, unless its template writes the same.
///
/// # Errors
///
/// If the template would change an item.
fn keep_items(
    design: &mut Design,
    id: EntityId,
    key: &str,
    before: &[SortedMap<String, Value>],
) -> Result<(), String> {
    let plan = EntityPlan::new(design, id);
    let Some(samples) = design.samples.get_mut(&id) else {
        return Ok(());
    };
    let all = samples.len();
    let mut changed = 0;
    let mut example = String::new();
    for (sample, item) in Arc::make_mut(samples).iter_mut().zip(before) {
        let with = |value: Option<&Value>| {
            let mut sample = Sample::clone(sample);
            match value {
                Some(value) => sample.values.insert(key.to_owned(), value.clone()),
                None => sample.values.remove(key),
            };
            Arc::new(sample)
        };
        let tries = [with(None), with(item.get(key))];
        let kept = (tries.iter()).find(|sample| plan.item(sample).to_map() == *item);
        match kept {
            Some(kept) => *sample = kept.clone(),
            None => {
                if changed == 0 {
                    let now = plan.item(&tries[1]).to_map();
                    let text = |item: &SortedMap<String, Value>| match item.get(key) {
                        Some(value) => format!("`{}`", value.to_text()),
                        None => "nothing".to_owned(),
                    };
                    example = format!("{} for {}", text(&now), text(item));
                }
                changed += 1;
            }
        }
    }
    match changed {
        0 => Ok(()),
        _ => Err(format!(
            "{key}: the template would change {changed} of {all} items: it gives {example}"
        )),
    }
}
