//! Gives back the items of what was found: the check that nothing imported changes.

use super::model::{Entity, Inferred};
use super::pieces::KeyTemplate;
use super::plan::{Plan, Table};
use super::schema::{Item, KeySlot, Schema};
use keyfold_core::model::{SortedMap, SortedSet, Value};

impl Inferred {
    /// The items that the entities give back, with the positions of the items that the samples come from.
    pub fn items(&self, schema: &Schema) -> Vec<(usize, Item)> {
        let slots = schema.slots();
        let mut all = Vec::new();
        for entity in &self.entities {
            let plan = entity.plan(schema);
            for (at, sample) in entity.items.iter().zip(&entity.samples) {
                all.push((*at, self.item_of(entity, &plan, &slots, sample)));
            }
        }
        all.sort_by_key(|(at, _)| *at);
        all
    }

    /// The item at a position.
    pub fn item(&self, schema: &Schema, position: usize) -> Option<Item> {
        let found = self.entities.iter().find_map(|entity| {
            let at = entity.items.binary_search(&position).ok()?;
            Some((entity, entity.samples.get(at)?))
        });
        let (entity, sample) = found?;
        Some(self.item_of(entity, &entity.plan(schema), &schema.slots(), sample))
    }

    fn item_of(&self, entity: &Entity, plan: &Plan, slots: &[KeySlot], sample: &Item) -> Item {
        let table = Table {
            slots,
            policy: &self.delimiter,
            type_attribute: None,
        };
        let mut item = sample.clone();
        if let Some(attribute) = &self.type_attribute {
            item.insert(attribute.clone(), Value::S(entity.name.clone()));
        }
        // An item without a key that can be rendered has none; what it has is in the sample.
        item.extend(plan.written(table, &item).unwrap_or_default());
        for name in &plan.key_only {
            item.remove(name);
        }
        item
    }
}

impl Entity {
    fn plan(&self, schema: &Schema) -> Plan {
        let slots = schema.slots();
        let mut templates = vec![None; slots.len()];
        let mut when = SortedMap::new();
        for entry in &self.keys {
            let Some(key) = schema.keys().nth(entry.key) else {
                continue;
            };
            let sides = [(&key.partition, &entry.partition), (&key.sort, &entry.sort)];
            for (attributes, text) in sides {
                let slot = (attributes.first()).and_then(|attribute| {
                    slots.iter().position(|slot| slot.name == attribute.name)
                });
                if let (Some(slot), Some(text)) = (slot, text) {
                    templates[slot] = KeyTemplate::read(text);
                }
            }
            if let Some(condition) = entry.when.first() {
                when.insert(entry.key, condition.clone());
            }
        }
        let key_only = self
            .attributes
            .iter()
            .filter(|attribute| attribute.key_only);
        Plan {
            kind: None,
            templates,
            key_only: SortedSet::from_iter(key_only.map(|attribute| attribute.name.clone())),
            when,
        }
    }
}
