//! Sets the key templates of an entity.

use super::{Draft, Own};
use crate::infer::settle;
use crate::pieces::KeyTemplate;
use crate::schema::{Item, KeySlot};
use keyfold_core::counted::counted;
use keyfold_core::model::{KeyType, SortedSet, Value, name, short};
use keyfold_core::template::{Placeholder, parse, render_value};

impl Draft {
    /// Gives a key attribute of an entity another template, or none: then the items keep their values. A value that no item
    /// has as an attribute becomes a key-only attribute, if the keys give it back. The condition of a sparse index is found
    /// anew.
    ///
    /// # Errors
    ///
    /// What is wrong with the template, or why it explains no item of the entity; nothing has changed.
    pub fn set_template(
        &mut self,
        id: u32,
        key: &str,
        template: Option<&str>,
    ) -> Result<(), String> {
        let mut own = self.own(id)?;
        let at = (self.slots.iter().position(|slot| slot.name == key))
            .ok_or_else(|| format!("`{key}` is not a key attribute of the table or an index"))?;
        let slot = &self.slots[at];
        if !slot.has_template {
            return Err(format!(
                "`{key}` has no template: a multi-attribute key uses plain attributes"
            ));
        }
        let mut names = own.plan.key_only.clone();
        let template = template.filter(|text| !text.trim().is_empty());
        own.plan.templates[at] = match template {
            None => None,
            Some(text) => {
                let template = read(key, text)?;
                names.extend(self.unknown(&own, slot, &template)?);
                Some(template)
            }
        };
        let new: Vec<String> = (names.iter())
            .filter(|name| !own.plan.key_only.contains(*name))
            .cloned()
            .collect();
        own.plan.key_only = names;
        // What no template has any more goes.
        own.plan = own.plan.only(self.table(), &|_| true);
        let items = self.items_at(&own.items);
        if slot.key > 0 && template.is_some() {
            own.plan.when.remove(&slot.key);
            settle(&mut own.plan, &items, slot.key, self.table());
        }
        let fitting = items
            .iter()
            .filter_map(|item| own.plan.fit(self.table(), item));
        let samples: Vec<Item> = fitting.collect();
        if samples.is_empty() {
            return Err(self.why_none(&own, at));
        }
        for name in &new {
            self.check_new(&own, key, name, &samples)?;
        }
        self.put(&[id], vec![own]);
        Ok(())
    }

    /// The attributes of a template that no item of the entity has: key-only attributes.
    fn unknown(
        &self,
        own: &Own,
        slot: &KeySlot,
        template: &KeyTemplate,
    ) -> Result<Vec<String>, String> {
        let is_known = |name: &str| {
            own.plan.key_only.contains(name)
                || own
                    .items
                    .iter()
                    .any(|at| self.items[*at].contains_key(name))
        };
        let key = &slot.name;
        let placeholders: Vec<&Placeholder> = template.parsed.placeholders().collect();
        let mut unknown = Vec::new();
        for placeholder in &placeholders {
            let attribute = &placeholder.attribute;
            if is_known(attribute) {
                continue;
            }
            let refused = |why: &str| {
                let meant = self.meant(own, attribute);
                let meant = meant.map_or(String::new(), |name| format!(" Did you mean `{name}`?"));
                format!("{key}: unknown attribute `{attribute}`: {why}.{meant}")
            };
            let is_plain =
                |other: &&Placeholder| other.attribute == *attribute && other.modifiers.is_empty();
            if let Err(error) = name::check_attribute(attribute) {
                return Err(refused(&error.to_string()));
            }
            if self.slots.iter().any(|slot| slot.name == *attribute) {
                return Err(refused(
                    "it is a key attribute, and no item of the entity has it",
                ));
            }
            if slot.kind != KeyType::S || !placeholders.iter().any(is_plain) {
                return Err(refused(
                    "no item of the entity has it, and it cannot be parsed back from the key",
                ));
            }
            unknown.push(attribute.clone());
        }
        Ok(unknown)
    }

    /// Refuses a name that is another one misspelled: its values are those of the attribute that is meant.
    fn check_new(&self, own: &Own, key: &str, new: &str, samples: &[Item]) -> Result<(), String> {
        let mut values = samples
            .iter()
            .filter_map(|sample| Some((sample, sample.get(new)?)));
        match self.meant(own, new) {
            Some(meant) if values.all(|(sample, value)| sample.get(meant) == Some(value)) => Err(
                format!("{key}: unknown attribute `{new}`. Did you mean `{meant}`?"),
            ),
            _ => Ok(()),
        }
    }

    /// The attribute of the entity's items whose name is most like this one.
    fn meant(&self, own: &Own, unknown: &str) -> Option<&str> {
        let items = own.items.iter().flat_map(|at| self.items[*at].keys());
        let names: SortedSet<&str> = items.map(String::as_str).collect();
        name::closest(unknown, names.into_iter())
    }

    /// Why a plan gives back no item, for the template at this place.
    fn why_none(&self, own: &Own, at: usize) -> String {
        let (table, slot) = (self.table(), &self.slots[at]);
        let count = counted(own.items.len(), "item", "items");
        let Some(template) = &own.plan.templates[at] else {
            return format!(
                "{}: {} needs this template: without it, no key of its {count} can be built",
                slot.name, own.name
            );
        };
        let of_first = own.items.first().map(|at| {
            let item = &self.items[*at];
            let sample = own.plan.sample(table, item);
            let lookup = |name: &str| sample.get(name);
            let parsed = &template.parsed;
            let value = render_value(parsed, slot.kind.into(), table.policy, &lookup, usize::MAX);
            match (value, item.get(&slot.name)) {
                (Err(error), _) => error.to_string(),
                (Ok(value), Some(key)) if value == *key => {
                    "it does not fit the other templates of the entity".to_owned()
                }
                (Ok(value), Some(key)) => {
                    format!("it gives {} for {}", text_of(&value), text_of(key))
                }
                (Ok(value), None) => {
                    format!(
                        "it gives {} for an item without `{}`",
                        text_of(&value),
                        slot.name
                    )
                }
            }
        });
        format!(
            "{}: with this template, none of the {count} of {} gets its key: {}",
            slot.name,
            own.name,
            of_first.unwrap_or_default()
        )
    }
}

/// Reads a template.
fn read(key: &str, text: &str) -> Result<KeyTemplate, String> {
    let errors = parse(text).errors;
    if let Some(error) = errors.first() {
        let column = text[..error.span.start].chars().count() + 1;
        return Err(format!("{key}: {} (character {column})", error.message));
    }
    KeyTemplate::read(text).ok_or_else(|| format!("{key}: the template is empty"))
}

fn text_of(value: &Value) -> String {
    format!("`{}`", short(&value.to_text()))
}
