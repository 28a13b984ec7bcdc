//! What the rules know of an entity: its templates, compiled, with what their placeholders can hold.

pub use crate::engine::compiled::{Compiled, Part};

use crate::engine::generate::name_meanings::words;
use crate::engine::key_sources::{self, EmptyText, KeySource, OwnAttribute, Preferred};
use crate::engine::languages;
use crate::model::{
    Attribute, AttributeType, Design, Entity, EntityId, Format, IndexId, KeyAttribute, KeyPart,
    KeyType, TenantAttribute,
};
use crate::template::{self, Form, ValueShape};
use std::sync::Arc;

/// One key attribute of the table or an index, and what an entity's items have in it.
#[derive(Debug, Clone)]
pub struct KeyFacts {
    /// The attribute.
    pub attribute: KeyAttribute,
    /// Which side of the key.
    pub part: KeyPart,
    /// What writes it: the first template of an entry for this attribute, or one placeholder for the entity's own
    /// attribute of this name. `None`: the items do not have it.
    pub value: Option<Arc<Compiled>>,
    /// The entry's own template, which usually writes the key attribute.
    pub template: Option<Arc<Compiled>>,
    /// Whether there is one.
    pub own: bool,
}

/// An entity in the table or an index.
#[derive(Debug, Clone)]
pub struct EntryFacts {
    /// The table or the index.
    pub index: IndexId,
    /// Whether the entity has an entry there; else its items are in it because of what their other attributes are.
    pub declared: bool,
    /// The attributes of the key, partition first.
    pub keys: Vec<KeyFacts>,
}

impl EntryFacts {
    /// One side of the key.
    pub fn side(&self, part: KeyPart) -> impl Iterator<Item = &KeyFacts> {
        self.keys.iter().filter(move |key| key.part == part)
    }

    /// Whether items can be in it: something writes every key attribute.
    pub fn is_whole(&self) -> bool {
        (self.keys.iter()).all(|key| {
            key.value
                .as_ref()
                .is_some_and(|compiled| !compiled.is_broken())
        })
    }

    /// The first partition key attribute's value.
    pub fn partition(&self) -> Option<&Arc<Compiled>> {
        self.side(KeyPart::Partition).next()?.value.as_ref()
    }

    /// The first sort key attribute's value.
    pub fn sort(&self) -> Option<&Arc<Compiled>> {
        self.side(KeyPart::Sort).next()?.value.as_ref()
    }

    /// The templates of this entry's own, with their sides.
    pub fn own(&self) -> impl Iterator<Item = (&KeyFacts, &Arc<Compiled>)> {
        let own = self.keys.iter();
        own.filter_map(|key| Some((key, key.template.as_ref()?)))
    }
}

/// What the rules know of an entity.
#[derive(Debug)]
pub struct EntityFacts {
    /// Its id.
    pub id: EntityId,
    /// The entity.
    pub entity: Arc<Entity>,
    /// What it has in the table and the indexes, the table first. An index that it is not in by its own entry is
    /// listed if its items are in it all the same.
    pub entries: Vec<EntryFacts>,
    /// The other entities whose attributes its own refer to.
    pub refers_to: Vec<EntityId>,
}

impl EntityFacts {
    /// Compiles the templates of an entity that is in the design.
    pub fn new(design: &Design, id: EntityId, entity: &Arc<Entity>) -> EntityFacts {
        let mut refers_to = Vec::new();
        let shapes: Vec<(&str, ValueShape)> = (entity.attributes.iter())
            .map(|attribute| {
                let source = languages::referred(design, attribute, &mut refers_to);
                let source = languages::of_same_type(attribute, source);
                (attribute.name.as_str(), languages::shape(source))
            })
            .collect();
        let shape = |name: &str| {
            let found = shapes.iter().find(|(other, _)| *other == name);
            let found = found.map(|(_, shape)| shape.clone());
            found.or_else(|| languages::type_shape(design, entity, name))
        };
        // Each template once, whatever indexes its attribute is a key of.
        let mut written: Vec<(String, Arc<Compiled>)> = Vec::new();
        let mut owned: Vec<(IndexId, KeyPart, Arc<Compiled>)> = Vec::new();
        for key in key_sources::templates(design, entity) {
            let name = &key.attribute.name;
            let when = languages::sole_conditions(design, entity, name);
            let shape = |name: &str| {
                let mut shape = shape(name)?;
                languages::restrict(&mut shape, entity, name, when);
                Some(shape)
            };
            let compiled = Arc::new(Compiled::new(key.text, &design.delimiter, &shape));
            // As `Preferred::Lowest`: the first of those that write an attribute is the one.
            if !written.iter().any(|(other, _)| other == name) {
                written.push((name.clone(), compiled.clone()));
            }
            owned.push((key.index, key.part, compiled));
        }
        let mut entries = Vec::new();
        for index in design.index_ids() {
            let Some(key) = design.key(index) else {
                continue;
            };
            let declared = entity.keys.contains_key(&index);
            let has = |attribute: &KeyAttribute| {
                let source = key_sources::stored_source(design, entity, &attribute.name);
                !matches!(source, KeySource::Nothing)
            };
            if !declared && !index.is_primary() && !key.attributes().all(has) {
                continue;
            }
            let of = |part: KeyPart, attribute: &KeyAttribute| {
                let own = (owned.iter()).find(|(i, p, _)| *i == index && *p == part);
                let value = (written.iter())
                    .find(|(name, _)| *name == attribute.name)
                    .map(|(_, compiled)| compiled.clone())
                    .or_else(|| plain(design, entity, attribute, &shape));
                KeyFacts {
                    attribute: attribute.clone(),
                    part,
                    value,
                    own: own.is_some(),
                    template: own.map(|(.., compiled)| compiled.clone()),
                }
            };
            let mut keys = Vec::new();
            for attribute in &key.partition {
                keys.push(of(KeyPart::Partition, attribute));
            }
            for attribute in &key.sort {
                keys.push(of(KeyPart::Sort, attribute));
            }
            let entry = EntryFacts {
                index,
                declared,
                keys,
            };
            if entry.declared || index.is_primary() || entry.is_whole() {
                entries.push(entry);
            }
        }
        EntityFacts {
            id,
            entity: entity.clone(),
            entries,
            refers_to,
        }
    }

    /// What it has in the table or an index.
    pub fn entry(&self, index: IndexId) -> Option<&EntryFacts> {
        self.entries.iter().find(|entry| entry.index == index)
    }

    /// What it has in the table.
    pub fn primary(&self) -> Option<&EntryFacts> {
        self.entry(IndexId::PRIMARY)
    }

    /// Whether the table can store its items: without a primary key they are in no index.
    pub fn is_stored(&self) -> bool {
        self.primary().is_some_and(EntryFacts::is_whole)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.entity.name
    }
}

/// One placeholder for the entity's own attribute, where that has the key's name and type; the entity's name for the type
/// attribute.
fn plain(
    design: &Design,
    entity: &Entity,
    attribute: &KeyAttribute,
    shape: &dyn Fn(&str) -> Option<ValueShape>,
) -> Option<Arc<Compiled>> {
    let of_type = OwnAttribute::OfType(attribute.kind);
    let (name, lowest) = (&attribute.name, Preferred::Lowest);
    let source = key_sources::key_source(design, entity, name, lowest, EmptyText::Counts, of_type);
    let text = source.text()?;
    Some(Arc::new(Compiled::new(&text, &design.delimiter, shape)))
}

/// The format of an attribute's values, references followed; the attribute's own if they lead nowhere.
pub fn format_of<'a>(design: &'a Design, attribute: &'a Attribute) -> Option<&'a Format> {
    let found = languages::referred(design, attribute, &mut Vec::new());
    let found = found.unwrap_or(attribute);
    found.format.as_ref()
}

/// Whether the form leaves only a known set of texts, not any text at all.
pub fn is_closed(shape: &ValueShape) -> bool {
    shape.kind == AttributeType::Bool || !matches!(shape.form, Form::Any)
}

/// Whether a key attribute takes text.
pub fn is_text(key: &KeyFacts) -> bool {
    key.attribute.kind == KeyType::S
}

/// The attribute that tells the tenants of a design apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenant {
    /// Its name, `tenantId`.
    pub attribute: String,
}

/// Words for who owns the data of a multi-tenant system.
const TENANTS: [&str; 6] = [
    "tenant",
    "org",
    "organization",
    "organisation",
    "workspace",
    "account",
];

/// The attribute that the export options name. By default the one that at least half of the entities with a partition key
/// begin it with, if its name says that it is a tenant's. At least two entities, and nobody's own account: `account` counts
/// only as `accountId`.
pub fn tenant(design: &Design) -> Option<Tenant> {
    match &design.export_options.tenant {
        TenantAttribute::Automatic => guessed_tenant(design),
        TenantAttribute::Nobody => None,
        TenantAttribute::Attribute(name) => Some(Tenant {
            attribute: name.clone(),
        }),
    }
}

fn guessed_tenant(design: &Design) -> Option<Tenant> {
    let mut counts: Vec<(String, usize)> = Vec::new();
    let mut keyed = 0;
    for entity in design.entities.values() {
        let Some(key) = design.table.key.partition.first() else {
            continue;
        };
        let source = key_sources::stored_source(design, entity, &key.name);
        let Some(text) = source.text() else {
            continue;
        };
        keyed += 1;
        let template = template::parse(&text).template;
        let Some(name) = template.attributes().next() else {
            continue;
        };
        if !is_tenant(name) {
            continue;
        }
        match counts.iter_mut().find(|(other, _)| other == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name.to_owned(), 1)),
        }
    }
    let (attribute, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (count >= 2 && count * 2 >= keyed).then_some(Tenant { attribute })
}

fn is_tenant(name: &str) -> bool {
    let words = words(name);
    match words.as_slice() {
        [only] => only != "account" && TENANTS.contains(&only.as_str()),
        [first, last] => TENANTS.contains(&first.as_str()) && last == "id",
        _ => false,
    }
}
