//! Makes several entities of one.

use super::{Draft, Own};
use crate::clusters::{Shape, clusters, shape, without_values};
use crate::entity_name;
use crate::model::Entity;
use crate::words::is_word;
use keyfold_core::counted::counted;
use keyfold_core::model::{SortedSet, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of entities that one is split into.
const PARTS: usize = 20;
/// Maximum number of attributes that are offered.
const OFFERED: usize = 8;
/// Maximum number of values of an attribute that is offered.
const OFFERED_VALUES: usize = 12;
/// Maximum size of such a value in bytes.
const OFFERED_BYTES: usize = 64;

/// Items that become an entity.
struct Part {
    items: Vec<usize>,
    /// The name that its items suggest.
    name: Option<String>,
    /// Whether it has the templates of the entity that is split.
    keeps_plan: bool,
}

impl Part {
    fn of(items: Vec<usize>) -> Part {
        Part {
            items,
            name: None,
            keeps_plan: false,
        }
    }
}

impl Draft {
    /// Makes several entities of one: by the values of an attribute, or else the items that its templates do not explain
    /// and the others, or else by the forms of their keys. The first part keeps id and name; the others get templates of
    /// their own.
    ///
    /// # Errors
    ///
    /// Why the entity is not split; nothing has changed.
    pub fn split(&mut self, id: u32, by: Option<&str>) -> Result<(), String> {
        let own = self.own(id)?;
        let shown = self.shown(id)?;
        let parts = match by {
            Some(attribute) => self.by_value(shown, attribute)?,
            None => (self.unexplained(&own, shown))
                .or_else(|| self.by_keys(shown))
                .ok_or_else(|| {
                    let items = counted(shown.items.len(), "item", "items");
                    format!(
                        "{} is not split: the keys of its {items} have one form. Name an attribute whose values tell them apart",
                        own.name
                    )
                })?,
        };
        let (table, mut taken) = (self.table(), SortedSet::new());
        let mut new: Vec<Own> = Vec::new();
        let mut next_id = self.state.next_id;
        for part in parts {
            let plan = match part.keeps_plan {
                true => own.plan.clone(),
                false => self.together(&part.items),
            };
            let (id, name) = if new.is_empty() {
                (own.id, own.name.clone())
            } else {
                let delimiter = &self.policy.delimiter;
                let of_keys =
                    entity_name::of_keys(&plan, table.slots, delimiter, &self.schema.table);
                let names: Vec<String> = part.name.into_iter().chain(of_keys).collect();
                next_id += 1;
                (next_id, self.free_name(&names, &mut taken))
            };
            new.push(Own {
                id,
                name,
                plan,
                items: part.items,
                is_apart: true,
            });
        }
        self.state.next_id = next_id;
        self.put(&[id], new);
        Ok(())
    }

    /// The attributes by whose values an entity can be split, those with the fewest values first.
    pub fn dividing(&self, id: u32) -> Vec<String> {
        let Ok(shown) = self.shown(id) else {
            return Vec::new();
        };
        // The values of each attribute, and how many items have it; none if it has too many.
        let mut known: BTreeMap<&str, Option<(BTreeSet<&Value>, usize)>> = BTreeMap::new();
        for (name, value) in shown.items.iter().flat_map(|at| &self.items[*at]) {
            let entry = known
                .entry(name)
                .or_insert_with(|| Some((BTreeSet::new(), 0)));
            let is_plain = matches!(value, Value::S(_) | Value::N(_) | Value::Bool(_));
            if let Some((values, count)) = entry {
                values.insert(value);
                *count += 1;
                if !is_plain || value.size() > OFFERED_BYTES || values.len() > OFFERED_VALUES {
                    *entry = None;
                }
            }
        }
        let all = shown.items.len();
        let mut offered: Vec<(usize, &str)> = Vec::new();
        for (name, values) in known {
            let Some((values, count)) = values else {
                continue;
            };
            let parts = values.len() + usize::from(count < all);
            if parts > 1 && 2 * parts <= all && self.slots.iter().all(|slot| slot.name != name) {
                offered.push((parts, name));
            }
        }
        offered.sort_unstable();
        offered.truncate(OFFERED);
        offered
            .into_iter()
            .map(|(_, name)| name.to_owned())
            .collect()
    }

    fn by_value(&self, shown: &Entity, attribute: &str) -> Result<Vec<Part>, String> {
        let mut found: BTreeMap<Option<&Value>, Vec<usize>> = BTreeMap::new();
        for at in &shown.items {
            let value = self.items[*at].get(attribute);
            found.entry(value).or_default().push(*at);
            if found.len() > PARTS {
                return Err(format!(
                    "{} is not split: `{attribute}` has more than {PARTS} values",
                    shown.name
                ));
            }
        }
        if found.len() < 2 {
            let why = match found.contains_key(&None) {
                true => format!("no item has `{attribute}`"),
                false => format!("all items have the same `{attribute}`"),
            };
            return Err(format!("{} is not split: {why}", shown.name));
        }
        let part = |(value, items): (Option<&Value>, Vec<usize>)| Part {
            name: match value {
                Some(Value::S(text)) if is_word(text) => Some(entity_name::title(text)),
                Some(Value::S(text)) => Some(text.trim().to_owned()),
                _ => None,
            },
            ..Part::of(items)
        };
        Ok(largest_first(found.into_iter().map(part).collect()))
    }

    /// The items that the templates explain, and the others; `None` if there are not both.
    fn unexplained(&self, own: &Own, shown: &Entity) -> Option<Vec<Part>> {
        let (mut explained, mut others) = (Vec::new(), Vec::new());
        for (at, sample) in shown.items.iter().zip(&shown.samples) {
            let written = self.slots.iter().zip(&own.plan.templates);
            let is_kept = written
                .filter(|(_, template)| template.is_some())
                .any(|(slot, _)| sample.contains_key(&slot.name));
            match is_kept {
                true => others.push(*at),
                false => explained.push(*at),
            }
        }
        let outside = own
            .items
            .iter()
            .filter(|at| shown.items.binary_search(at).is_err());
        others.extend(outside);
        others.sort_unstable();
        let are_both = !explained.is_empty() && !others.is_empty();
        are_both.then(|| {
            let explained = Part {
                keeps_plan: true,
                ..Part::of(explained)
            };
            vec![explained, Part::of(others)]
        })
    }

    /// The kinds of the items by their keys; `None` if they are of one kind or of too many.
    fn by_keys(&self, shown: &Entity) -> Option<Vec<Part>> {
        let items = self.items_at(&shown.items);
        let shape_of = |item: &&crate::Item| shape(item, &self.slots, &self.policy.delimiter);
        let shapes: Vec<Shape> = items.iter().map(shape_of).collect();
        // One type says nothing about the items.
        let is_of_type = self.common_type(&shown.items).is_some();
        let kinds = self.type_attribute.as_deref().filter(|_| !is_of_type);
        let alike = clusters(&items, &self.slots, &shapes, kinds);
        let mut forms: BTreeMap<Shape, Vec<usize>> = BTreeMap::new();
        for (row, shape) in shapes.iter().enumerate() {
            forms.entry(without_values(shape)).or_default().push(row);
        }
        let is_split = |parts: &Vec<Vec<usize>>| (2..=PARTS).contains(&parts.len());
        let found = [alike, forms.into_values().collect()]
            .into_iter()
            .find(is_split)?;
        let part = |rows: Vec<usize>| {
            let positions = rows.into_iter().map(|row| shown.items[row]);
            Part::of(positions.collect())
        };
        Some(largest_first(found.into_iter().map(part).collect()))
    }
}

fn largest_first(mut parts: Vec<Part>) -> Vec<Part> {
    parts.sort_by_key(|part| {
        (
            std::cmp::Reverse(part.items.len()),
            part.items.first().copied(),
        )
    });
    parts
}
