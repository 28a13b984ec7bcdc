//! Index keys that an update leaves as they were, although what they are made of changes.

use super::Attributes;
use super::expression::Update;
use crate::engine::ValueRef;
use crate::engine::item::KeyPart;
use crate::engine::plan::{EntityPlan, EntryPlan, WritePlan};
use crate::model::{Design, EntityId, IndexId, Sample, SampleId, Value};
use std::sync::Arc;

/// A key attribute whose template, or whose condition, uses an attribute that an update changes, while the update does
/// not write the key attribute itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Stale {
    /// The index; [`IndexId::PRIMARY`]: the primary key, which no update can bring up to date.
    pub index: IndexId,
    /// The part of its key.
    pub part: KeyPart,
    /// The key attribute.
    pub attribute: String,
    /// Its template.
    pub template: String,
    /// The attributes that the update changes and the key is made of, or depends on.
    pub changed: Vec<String>,
    /// What the key attribute is after the update. Only in a preview.
    pub is: Option<Value>,
    /// What the entity's templates make of the updated attributes; `None`: the item should not be in the index. Only in
    /// a preview.
    pub should_be: Option<Value>,
}

/// The key attributes of an entity's items that this update, whose names need not be bound, leaves stale: by the
/// templates alone, for any values.
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
                all.push(Stale {
                    index: entry.index,
                    part: write.part,
                    attribute,
                    template: write.text.clone(),
                    changed,
                    is: None,
                    should_be: None,
                });
            }
        }
    }
    all
}

/// The attributes that a key is made of or depends on.
fn made_of<'a>(entry: &'a EntryPlan, write: &'a WritePlan) -> impl Iterator<Item = &'a str> {
    let conditions = entry.when.iter().map(|when| when.attribute.as_str());
    write.parsed.template.attributes().chain(conditions)
}

/// Those of which the updated item has another value than its templates give.
pub(super) fn stale_in(
    design: &Design,
    entity: EntityId,
    update: &Update,
    after: &Attributes,
) -> Vec<Stale> {
    let plan = EntityPlan::new(design, entity);
    let mut all = stale_of(&plan, update);
    if all.is_empty() {
        return all;
    }
    let mut values = after.clone();
    for name in &*plan.names {
        values.remove(name);
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
    all.retain(|stale| stale.is != stale.should_be);
    all
}
