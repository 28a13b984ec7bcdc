//! Which entity an item belongs to, and what of it is the sample.

use super::Imported;
use crate::engine::EntityPlan;
use crate::engine::key_reader::{KeyReader, key_readers};
use crate::import::items::FoundItem;
use crate::model::{AttributeType, Design, EntityId, Sample, SampleId, SortedMap, Value};
use crate::template::{self, ParseBackError, Template, render};
use std::sync::Arc;

/// A design, ready to find the places of many items.
pub struct Placer<'a> {
    design: &'a Design,
    into: Option<EntityId>,
    entities: Vec<Candidate<'a>>,
}

/// An entity as its items show it.
struct Candidate<'a> {
    id: EntityId,
    name: &'a str,
    plan: EntityPlan,
    /// Its templates, those of the primary key first.
    keys: Vec<KeyReader<'a>>,
    /// How many characters of its primary key are always the same.
    literal: usize,
}

impl<'a> Placer<'a> {
    /// For items of any entity, or of one.
    pub fn new(design: &'a Design, into: Option<EntityId>) -> Placer<'a> {
        let wanted = |id: &EntityId| into.is_none_or(|into| into == *id);
        let entities = design.entities.iter().filter(|(id, _)| wanted(id));
        Placer {
            design,
            into,
            entities: entities
                .map(|(id, _)| Candidate::new(design, *id))
                .collect(),
        }
    }

    /// For items of any entity, or of one. The only entity of a design takes all items.
    pub fn or_only(design: &'a Design, into: Option<EntityId>) -> Placer<'a> {
        let mut entities = design.entities.keys();
        let only = entities.next().filter(|_| entities.next().is_none());
        Placer::new(design, into.or(only.copied()))
    }

    /// The type of a key attribute of the table or an index.
    pub fn key_type(&self, name: &str) -> Option<AttributeType> {
        let keys = self
            .design
            .index_ids()
            .filter_map(|index| self.design.key(index));
        let mut attributes = keys.flat_map(|key| key.attributes());
        let key = attributes.find(|key| key.name == name)?;
        Some(key.kind.into())
    }

    /// The entity of an item, of which `look` gives the values and `names` are the attributes. The error says why there
    /// is none.
    pub fn entity(
        &self,
        look: &dyn Fn(&str) -> Option<Value>,
        names: &[&str],
    ) -> Result<EntityId, String> {
        if let Some(into) = self.into {
            return Ok(into);
        }
        let mut said = String::new();
        if let Some(attribute) = &self.design.table.type_attribute
            && let Some(value) = look(attribute)
        {
            if let Value::S(name) = &value
                && let Some(id) = self.design.entity_named(name)
            {
                return Ok(id);
            }
            said = format!(
                "`{attribute}` is `{}`, but no entity has this name; ",
                value.to_text()
            );
        }
        let keys: Vec<(&str, Option<Value>)> = (self.design.table.key.attributes())
            .map(|key| (key.name.as_str(), look(&key.name)))
            .collect();
        let has_keys = keys.iter().any(|(_, value)| value.is_some());
        let fitting: Vec<&Candidate> = match has_keys {
            true => self.entities.iter().filter(|c| c.fits(look)).collect(),
            // Without any key, the attribute names may identify the entity.
            false => {
                let has = |candidate: &&Candidate| {
                    let entity = self.design.entities.get(&candidate.id);
                    entity.is_some_and(|entity| {
                        names.iter().all(|name| entity.attribute(name).is_some())
                    })
                };
                self.entities.iter().filter(has).collect()
            }
        };
        // If several match, the entity with more literal text wins: `USER#{id}` rather than `{id}`.
        let most = fitting.iter().map(|c| c.literal).max().unwrap_or(0);
        let mut best = fitting.iter().filter(|c| !has_keys || c.literal == most);
        match (best.next(), best.next()) {
            (Some(one), None) => Ok(one.id),
            (Some(one), Some(other)) => Err(format!(
                "{said}it could be a {} or a {}",
                one.name, other.name
            )),
            (None, _) => {
                let shown = |(name, value): &(&str, Option<Value>)| match value {
                    Some(value) => format!("`{name}` = `{}`", value.to_text()),
                    None => format!("`{name}` is missing"),
                };
                let keys: Vec<String> = keys.iter().map(shown).collect();
                Err(format!(
                    "{said}no entity's templates render its key: {}",
                    keys.join(", ")
                ))
            }
        }
    }

    /// Whether no template of the entity contradicts an item's primary key.
    pub fn can_be(&self, entity: EntityId, look: &dyn Fn(&str) -> Option<Value>) -> bool {
        let mut entities = self.entities.iter();
        entities.any(|candidate| candidate.id == entity && candidate.can_be(look))
    }

    /// The only entity whose templates can have made an item's primary key.
    pub fn only_fitting(&self, look: &dyn Fn(&str) -> Option<Value>) -> Option<EntityId> {
        let mut fitting = self
            .entities
            .iter()
            .filter(|candidate| candidate.fits(look));
        let only = fitting.next()?;
        fitting.next().is_none().then_some(only.id)
    }

    /// Converts an item to a sample, or reports why it cannot.
    pub fn place(&self, item: FoundItem, imported: &mut Imported) {
        let FoundItem { place, values } = item;
        let look = |name: &str| values.get(name).cloned();
        let names: Vec<&str> = values.keys().map(String::as_str).collect();
        let id = match self.entity(&look, &names) {
            Ok(id) => id,
            Err(message) => return imported.refuse(place, message),
        };
        let Some(candidate) = self.entities.iter().find(|candidate| candidate.id == id) else {
            return imported.refuse(place, "there is no such entity");
        };
        let mut sample = values.clone();
        let mut written = Vec::new();
        for key in &candidate.keys {
            let name = &key.attribute.name;
            // A template may take its own attribute; then the value is the sample's.
            let is_source = candidate.keys.iter().any(|key| key.template.uses(name));
            if !is_source && let Some(value) = sample.remove(name) {
                written.push((name, value));
            }
        }
        let type_attribute = self.design.table.type_attribute.as_ref();
        if let Some(name) = type_attribute
            && let Some(value) = sample.remove(name)
        {
            written.push((name, value));
        }
        for key in &candidate.keys {
            let Some(value) = values.get(&key.attribute.name) else {
                continue;
            };
            if key
                .template
                .attributes()
                .all(|name| sample.contains_key(name))
            {
                continue;
            }
            let recovered = key.read(value).unwrap_or_default();
            for (name, recovered) in recovered {
                if sample.contains_key(&name) || type_attribute == Some(&name) {
                    continue;
                }
                let kind = self.design.type_of(id, &name).unwrap_or_default();
                let Ok(value_of) = Value::from_text(kind, &recovered.text) else {
                    continue;
                };
                if recovered.exact {
                    sample.insert(name, value_of);
                } else if still_gives(key, value, &sample, &name, &value_of, self.design) {
                    imported.remark(
                        place.as_str(),
                        format!(
                            "`{name}` is missing; `{}` contains only `{}` of it, which becomes the value",
                            key.attribute.name, recovered.text
                        ),
                    );
                    sample.insert(name, value_of);
                }
            }
        }
        let sample = Arc::new(Sample {
            id: SampleId(0),
            values: sample.into(),
        });
        let item = candidate.plan.item(&sample);
        for (name, value) in written {
            let now = item.get(name).map(|value| value.to_text());
            let before = value.to_text();
            let is_key = self
                .design
                .table
                .key
                .attributes()
                .any(|key| key.name == *name);
            match now {
                Some(now) if now == before => {}
                Some(now) => imported.remark(
                    place.as_str(),
                    format!("`{name}` is `{before}` in the file and becomes `{now}`"),
                ),
                None if is_key => {}
                None => imported.remark(
                    place.as_str(),
                    format!("`{name}` is `{before}` in the file and is left out"),
                ),
            }
        }
        if let Some(problem) = item.problems().iter().find(|problem| problem.stops()) {
            let why = problem.describe(self.design.index_name(problem.index));
            imported.remark(place, format!("it cannot be stored: {why}"));
        }
        drop(item);
        let sample = Arc::try_unwrap(sample).unwrap_or_else(|shared| (*shared).clone());
        imported.added.push((id, sample.values));
    }
}

impl<'a> Candidate<'a> {
    fn new(design: &'a Design, id: EntityId) -> Candidate<'a> {
        let entity = design.entities.get(&id);
        let keys = entity.map_or_else(Vec::new, |entity| key_readers(design, entity));
        let primary = keys.iter().filter(|key| key.index.is_primary());
        Candidate {
            id,
            name: entity.map_or("", |entity| &entity.name),
            plan: EntityPlan::new(design, id),
            literal: primary.map(|key| literal(&key.template)).sum(),
            keys,
        }
    }

    /// Whether the entity's templates can have made an item's primary key.
    fn fits(&self, look: &dyn Fn(&str) -> Option<Value>) -> bool {
        self.keys.iter().any(|key| key.index.is_primary()) && self.can_be(look)
    }

    /// Like [`Candidate::fits`], also without any template of the primary key.
    fn can_be(&self, look: &dyn Fn(&str) -> Option<Value>) -> bool {
        let mut primary = self.keys.iter().filter(|key| key.index.is_primary());
        primary.all(|key| {
            let Some(value) = look(&key.attribute.name) else {
                return false;
            };
            match key.read(&value) {
                // The key must contain the same attribute values as the item.
                Ok(recovered) => recovered.iter().all(|(name, recovered)| {
                    !recovered.exact
                        || look(name).is_none_or(|value| value.to_text() == recovered.text)
                }),
                Err(error) => error == ParseBackError::Ambiguous,
            }
        })
    }
}

/// How many characters of a template stand in every key.
fn literal(template: &Template) -> usize {
    let texts = template.segments.iter().map(|segment| match segment {
        template::Segment::Literal { text, .. } => text.len(),
        _ => 0,
    });
    texts.sum()
}

/// Whether the template still renders this key with `value` for an attribute that the sample lacks.
fn still_gives(
    reader: &KeyReader,
    key: &Value,
    sample: &SortedMap<String, Value>,
    name: &str,
    value: &Value,
    design: &Design,
) -> bool {
    let others = reader.read(key).unwrap_or_default();
    let other = |wanted: &str| others.get(wanted).map(|found| Value::S(found.text.clone()));
    let mut known = sample.clone();
    known.insert(name.to_owned(), value.clone());
    for wanted in reader.template.attributes() {
        if !known.contains_key(wanted)
            && let Some(value) = other(wanted)
        {
            known.insert(wanted.to_owned(), value);
        }
    }
    let rendered = render(&reader.template, &design.delimiter, &|name| known.get(name));
    matches!((rendered, key), (Ok(text), Value::S(key)) if text == *key)
}
