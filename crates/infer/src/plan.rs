//! The keys of one entity, ready to read and to render items.

use super::pieces::KeyTemplate;
use super::schema::{Item, KeySlot};
use super::type_attribute::type_of;
use super::words::shown;
use keyfold_core::model::{Condition, DelimiterPolicy, SortedMap, SortedSet, Value};
use keyfold_core::template::{Segment, render_value};

/// An entity's keys.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// The value of the type attribute of its items.
    pub kind: Option<String>,
    /// The template of each key attribute.
    pub templates: Vec<Option<KeyTemplate>>,
    /// The values that only keys have.
    pub key_only: SortedSet<String>,
    /// The conditions of each key.
    pub when: SortedMap<usize, Condition>,
}

/// The table that the plans belong to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table<'a> {
    pub slots: &'a [KeySlot],
    pub policy: &'a DelimiterPolicy,
    /// The attribute that tells the kinds of items apart.
    pub type_attribute: Option<&'a str>,
}

impl Table<'_> {
    /// Whether the primary key's attributes have names that say nothing, so that items need templates.
    pub fn needs_templates(&self) -> bool {
        (self.slots.iter()).any(|slot| slot.key == 0 && slot.is_generic)
    }
}

impl Plan {
    /// The plan of items of this type that keep all their keys.
    pub fn without_templates(table: Table, kind: Option<String>) -> Plan {
        Plan {
            kind,
            templates: vec![None; table.slots.len()],
            key_only: SortedSet::new(),
            when: SortedMap::new(),
        }
    }

    /// Whether any key attribute has a template.
    pub fn has_templates(&self) -> bool {
        self.templates.iter().any(Option::is_some)
    }

    /// Whether items of the plan are explained: by templates, or by names of key attributes that need none.
    pub fn explains(&self, table: Table) -> bool {
        self.has_templates() || !table.needs_templates()
    }

    /// Whether both plans say the same.
    pub fn is_same(&self, other: &Plan) -> bool {
        let texts = |plan: &Plan| -> Vec<Option<String>> {
            let templates = plan.templates.iter();
            templates
                .map(|template| template.as_ref().map(|found| found.text.clone()))
                .collect()
        };
        self.kind == other.kind
            && self.when == other.when
            && texts(self) == texts(other)
            && self.key_only == other.key_only
    }

    /// The plan with these templates only. Items keep the other key attributes.
    pub fn only(&self, table: Table, is_kept: &dyn Fn(usize) -> bool) -> Plan {
        let mut plan = self.clone();
        for (at, template) in plan.templates.iter_mut().enumerate() {
            if !is_kept(at) {
                *template = None;
            }
        }
        let (mut keys, mut names) = (SortedSet::new(), SortedSet::new());
        for (slot, template) in table.slots.iter().zip(&plan.templates) {
            if let Some(template) = template {
                keys.insert(slot.key);
                names.extend(template.parsed.attributes().map(str::to_owned));
            }
        }
        plan.when.retain(|key, _| keys.contains(key));
        plan.key_only.retain(|name| names.contains(name));
        plan
    }

    /// The item as a sample of this entity: without what templates write, with what only keys have. `None` if the
    /// entity does not give back the item.
    pub fn fit(&self, table: Table, item: &Item) -> Option<Item> {
        if self.kind.is_some() && self.kind.as_deref() != type_of(item, table.type_attribute) {
            return None;
        }
        if self.key_only.iter().any(|name| item.contains_key(name)) {
            return None;
        }
        for (slot, template) in table.slots.iter().zip(&self.templates) {
            if let (0, Some(template)) = (slot.key, template) {
                let starts = match item.get(&slot.name)? {
                    Value::S(text) => text.starts_with(template.prefix()),
                    _ => true,
                };
                if !starts {
                    return None;
                }
            }
        }
        let mut sample = self.sample(table, item);
        let written = self.written(table, &sample)?;
        for (name, value) in &written {
            // A template that writes what the item does not have changes the item.
            if item.get(name) != Some(value) {
                return None;
            }
            sample.remove(name);
        }
        // What templates read must not have been written by another template.
        (self.written(table, &sample)? == written).then_some(sample)
    }

    /// The item with what only its keys have.
    pub fn sample(&self, table: Table, item: &Item) -> Item {
        let mut sample = item.clone();
        for (slot, template) in table.slots.iter().zip(&self.templates) {
            if let (Some(template), Some(Value::S(key))) = (template, item.get(&slot.name)) {
                self.read(template, key, &mut sample);
            }
        }
        sample
    }

    /// The key attributes that the entity's templates write for a sample; `None` if its primary key cannot be rendered.
    pub fn written(&self, table: Table, sample: &Item) -> Option<Item> {
        let mut written = Item::new();
        let keys = table.slots.last().map_or(0, |slot| slot.key);
        for key in 0..=keys {
            if let Some(condition) = self.when.get(&key)
                && !condition.holds(sample.get(&condition.attribute))
            {
                continue;
            }
            let mut rendered = Vec::new();
            let mut failed = false;
            for (slot, template) in table.slots.iter().zip(&self.templates) {
                let Some(template) = template.as_ref().filter(|_| slot.key == key) else {
                    continue;
                };
                let lookup = |name: &str| sample.get(name);
                let value = render_value(
                    &template.parsed,
                    slot.kind.into(),
                    table.policy,
                    &lookup,
                    usize::MAX,
                );
                match value {
                    Ok(value) => rendered.push((slot.name.clone(), value)),
                    Err(_) => failed = true,
                }
            }
            match failed {
                false => written.extend(rendered),
                true if key == 0 => return None,
                true => {}
            }
        }
        Some(written)
    }

    /// Adds to the sample the values that only this key has.
    fn read(&self, template: &KeyTemplate, key: &str, sample: &mut Item) {
        let mut rest = key;
        let mut segments = template.parsed.segments.iter().peekable();
        while let Some(segment) = segments.next() {
            let placeholder = match segment {
                Segment::Literal { text, .. } => match rest.strip_prefix(text.as_str()) {
                    Some(after) => {
                        rest = after;
                        continue;
                    }
                    None => return,
                },
                Segment::Placeholder(placeholder) => placeholder,
                Segment::Broken { .. } => return,
            };
            let end = match segments.peek() {
                Some(Segment::Literal { text, .. }) => rest.find(text.as_str()),
                _ => Some(rest.len()),
            };
            // A known value may contain the literal after it.
            let known = (sample.get(&placeholder.attribute).and_then(shown))
                .filter(|text| placeholder.modifiers.is_empty() && rest.starts_with(text.as_ref()))
                .map(|text| text.len());
            let Some(end) = known.or(end) else { return };
            let is_new = self.key_only.contains(&placeholder.attribute)
                && placeholder.modifiers.is_empty()
                && !sample.contains_key(&placeholder.attribute);
            if is_new {
                let value = Value::S(rest[..end].to_owned());
                sample.insert(placeholder.attribute.clone(), value);
            }
            rest = &rest[end..];
        }
    }
}
