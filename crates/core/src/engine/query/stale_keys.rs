//! Stale index keys: an update changes attributes that they are made of, but not the keys, or writes a key that its
//! template does not give.

use super::Attributes;
use super::expression::Update;
use crate::engine::key_reader::key_only_values;
use crate::engine::key_sources::is_replaced;
use crate::engine::plan::{EntityPlan, EntryPlan, WritePlan};
use crate::engine::{Item, ValueRef};
use crate::model::{Design, EntityId, IndexId, KeyPart, Sample, SampleId, Value};
use std::sync::Arc;

/// A key attribute that is not what its template and condition give after an update: the update changes an attribute
/// that they use and not the key attribute, or writes another value to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Stale {
    /// The index; [`IndexId::PRIMARY`] for the primary key, which no update can fix.
    pub index: IndexId,
    /// The part of its key.
    pub part: KeyPart,
    /// The key attribute.
    pub attribute: String,
    /// The template of the key attribute.
    pub template: String,
    /// The changed attributes that the key is made of or depends on. Empty if the update writes the key attribute; only in
    /// a preview.
    pub changed: Vec<String>,
    /// The value of the key attribute after the update. Only in a preview.
    pub is: Option<Value>,
    /// The value that the entity's templates render from the updated attributes; `None` if the item should not be in
    /// the index. Only in a preview.
    pub should_be: Option<Value>,
}

/// The key attributes of an entity's items that this update leaves stale, judged by the templates alone, for any
/// values. The update need not be bound.
pub fn stale_keys(design: &Design, entity: EntityId, update: &Update) -> Vec<Stale> {
    stale_of(&EntityPlan::new(design, entity), update)
}

fn stale_of(plan: &EntityPlan, update: &Update) -> Vec<Stale> {
    let writes = |name: &str| update.targets().any(|path| path.attribute.text == name);
    let mut all = Vec::new();
    for entry in &plan.entries {
        for write in &entry.writes {
            let attribute = plan.names[write.slot].clone();
            let mut changed: Vec<String> = Vec::new();
            for name in made_of(entry, write) {
                if writes(name) && !changed.iter().any(|other| other == name) {
                    changed.push(name.to_owned());
                }
            }
            if !changed.is_empty() && !writes(&attribute) {
                all.push(unknown(entry, write, attribute, changed));
            }
        }
    }
    all
}

/// The index key attributes that the update writes.
fn written_of(plan: &EntityPlan, update: &Update) -> Vec<Stale> {
    let mut all = Vec::new();
    for entry in plan.entries.iter().filter(|it| !it.index.is_primary()) {
        for write in &entry.writes {
            let attribute = &plan.names[write.slot];
            let mut targets = update.targets();
            // A template of the attribute itself has its old value, which items do not keep.
            if targets.any(|path| path.attribute.text == *attribute)
                && !write.parsed.template.uses(attribute)
            {
                all.push(unknown(entry, write, attribute.clone(), Vec::new()));
            }
        }
    }
    all
}

/// A stale key whose values are not known yet.
fn unknown(entry: &EntryPlan, write: &WritePlan, attribute: String, changed: Vec<String>) -> Stale {
    Stale {
        index: entry.index,
        part: write.part,
        attribute,
        template: write.text.clone(),
        changed,
        is: None,
        should_be: None,
    }
}

/// The attributes that a key is made of or depends on.
fn made_of<'a>(entry: &'a EntryPlan, write: &'a WritePlan) -> impl Iterator<Item = &'a str> {
    let conditions = entry.when.iter().map(|when| when.attribute.as_str());
    write.parsed.template.attributes().chain(conditions)
}

/// The stale key attributes whose value in the updated item differs from what the templates render. `before`: the item
/// that the update found.
pub(super) fn stale_in(
    design: &Design,
    entity: EntityId,
    update: &Update,
    before: Option<&Item>,
    after: &Attributes,
) -> Vec<Stale> {
    let plan = EntityPlan::new(design, entity);
    let mut all = stale_of(&plan, update);
    all.extend(written_of(&plan, update));
    if all.is_empty() {
        return all;
    }
    let mut values = after.clone();
    let own = design.entities.get(&entity);
    for name in &*plan.names {
        if own.is_none_or(|own| is_replaced(design, own, name)) {
            values.remove(name);
        }
    }
    // Items lack key-only attributes, which the templates need.
    if let Some(entity) = own {
        let parsed = key_only_values(design, entity, &|name| after.get(name).cloned());
        for attribute in entity.attributes.iter().filter(|a| a.key_only) {
            let name = &attribute.name;
            let known = || before.and_then(|item| item.sample().values.get(name));
            if let Some(value) = parsed.get(name).or_else(known) {
                values.insert(name.clone(), value.clone());
            }
        }
    }
    let id = SampleId(0);
    let item = plan.item(&Arc::new(Sample {
        id,
        values: values.into(),
    }));
    for stale in &mut all {
        stale.is = after.get(&stale.attribute).cloned();
        stale.should_be = item.get(&stale.attribute).map(ValueRef::to_value);
    }
    // A key that the update removes takes the item out of the index.
    all.retain(|stale| {
        stale.is != stale.should_be && !(stale.changed.is_empty() && stale.is.is_none())
    });
    all
}
