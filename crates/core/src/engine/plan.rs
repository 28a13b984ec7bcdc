//! The compiled templates of an entity, shared by all its samples.

use super::index_content::IndexContent;
use super::key_sources::{KeyTemplate, entry_templates};
use crate::model::{
    AttributeType, Condition, DelimiterPolicy, Design, EntityId, IndexId, IndexKind, KeyAttribute,
    KeyPart, KeySchema, KeyType, Value, in_order, limits,
};
use crate::template::{self, Parsed};
use std::sync::Arc;

/// An entity's templates, parsed and bound to the key attributes of the table and its indexes. It stays valid until the
/// entity, the table's key or type attribute, an index's key, or the delimiter changes.
#[derive(Debug, Clone, PartialEq)]
pub struct EntityPlan {
    pub(super) entity: EntityId,
    pub(super) policy: Arc<DelimiterPolicy>,
    /// Names of the attributes that the plan can write, sorted.
    pub(super) names: Arc<[String]>,
    /// The type attribute's position in `names`, and its value.
    pub(super) type_attribute: Option<(usize, Value)>,
    /// The primary key's templates, then those of each index that the entity is in.
    pub(super) entries: Vec<EntryPlan>,
    /// Every key attribute of every index, whether or not the plan writes it.
    pub(super) keys: Vec<KeyPlan>,
    /// The entity's key-only attributes: items lack them, whatever the samples have.
    pub(super) key_only: Arc<[String]>,
    /// The types that the entity declares for its attributes.
    pub(super) types: Vec<(String, AttributeType)>,
    /// The LSIs. Their entries count toward the item size limit.
    pub(super) local: Vec<IndexContent>,
    /// Whether each attribute has one writer, and no key attribute is the type attribute.
    pub(super) plain: bool,
    errors: Vec<TemplateError>,
}

/// One index entry of the entity: its templates and conditions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EntryPlan {
    pub index: IndexId,
    pub when: Vec<Condition>,
    pub writes: Vec<WritePlan>,
}

/// One template and the key attribute that it writes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WritePlan {
    /// The attribute's position in the plan's `names`.
    pub slot: usize,
    pub part: KeyPart,
    pub kind: KeyType,
    pub text: String,
    pub parsed: Parsed,
    /// Maximum size of the value in bytes over all keys with the attribute; 0 if one of them is of another type.
    pub most: usize,
    /// Whether the attribute is part of the primary key.
    pub needed: bool,
}

/// One key attribute of one index.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeyPlan {
    pub index: IndexId,
    pub part: KeyPart,
    pub name: String,
    pub kind: KeyType,
    /// Maximum size of its value in bytes.
    pub max_bytes: usize,
    /// Its position in the plan's `names`, if the plan can write it.
    pub slot: Option<usize>,
}

/// An error in one of an entity's templates, found without samples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateError {
    /// The index whose key the template is for.
    pub index: IndexId,
    /// The part of that key.
    pub part: KeyPart,
    /// The error, with its place in the template's text.
    pub error: template::TemplateError,
}

impl EntityPlan {
    /// Compiles the templates of an entity. If the entity is not in the design, the plan writes no keys.
    pub fn new(design: &Design, entity: EntityId) -> EntityPlan {
        let entries = design.entities.get(&entity).map(|entity| &entity.keys);
        let type_attribute = design.table.type_attribute.as_ref();
        let written = (entries.into_iter().flatten())
            .filter_map(|(index, entry)| Some(entry_templates(*index, design.key(*index)?, entry)))
            .flatten()
            .map(|template| &template.attribute.name);
        let mut names = in_order(written.chain(type_attribute));
        names.dedup();
        let names: Arc<[String]> = names.into_iter().cloned().collect();
        let slot = |name: &str| names.iter().position(|other| other == name);

        let keys: Vec<KeyPlan> = (design.index_ids())
            .filter_map(|index| Some((index, design.key(index)?)))
            .flat_map(|(index, key)| parts(key).map(move |part| (index, part)))
            .map(|(index, (part, attribute))| KeyPlan {
                index,
                part,
                name: attribute.name.clone(),
                kind: attribute.kind,
                max_bytes: max_bytes(part),
                slot: slot(&attribute.name),
            })
            .collect();
        let mut errors = Vec::new();
        let mut compiled = Vec::new();
        let mut written = vec![false; names.len()];
        let type_slot = type_attribute.and_then(|name| slot(name));
        let is_type = |key: &KeyPlan| key.slot.is_some() && key.slot == type_slot;
        let mut plain = !keys.iter().any(is_type);
        for (index, entry) in entries.into_iter().flatten() {
            let Some(key) = design.key(*index) else {
                continue;
            };
            let mut writes = Vec::new();
            for template in entry_templates(*index, key, entry) {
                let KeyTemplate {
                    part,
                    attribute,
                    text,
                    ..
                } = template;
                let parsed = template::parse(text);
                errors.extend(parsed.errors.iter().map(|error| TemplateError {
                    index: *index,
                    part,
                    error: error.clone(),
                }));
                let Some(slot) = slot(&attribute.name) else {
                    continue;
                };
                plain &= !std::mem::replace(&mut written[slot], true);
                let same = || keys.iter().filter(|key| key.slot == Some(slot));
                let most = |key: &KeyPlan| match key.kind == attribute.kind {
                    true => key.max_bytes,
                    false => 0,
                };
                writes.push(WritePlan {
                    slot,
                    part,
                    kind: attribute.kind,
                    text: text.to_owned(),
                    parsed,
                    most: same().map(most).min().unwrap_or(0),
                    needed: same().any(|key| key.index.is_primary()),
                });
            }
            compiled.push(EntryPlan {
                index: *index,
                when: entry.when.clone(),
                writes,
            });
        }

        let found = design.entities.get(&entity);
        let entity_name = found.map(|entity| entity.name.as_str());
        let declared = || found.into_iter().flat_map(|entity| &entity.attributes);
        EntityPlan {
            entity,
            policy: design.delimiter.clone(),
            type_attribute: type_slot
                .zip(entity_name)
                .map(|(slot, name)| (slot, name.into())),
            entries: compiled,
            keys,
            key_only: (declared().filter(|a| a.key_only).map(|a| a.name.clone())).collect(),
            types: declared()
                .map(|attribute| (attribute.name.clone(), attribute.kind))
                .collect(),
            local: (design.indexes.iter())
                .filter(|(_, index)| index.kind == IndexKind::Lsi)
                .filter_map(|(id, _)| IndexContent::new(design, *id))
                .collect(),
            plain,
            errors,
            names,
        }
    }

    /// The entity of the plan.
    pub fn entity(&self) -> EntityId {
        self.entity
    }

    /// Whether the plans differ at most in what single entries write into the same attributes, and each attribute's
    /// value depends on one entry.
    pub(super) fn differs_in_entries_only(&self, other: &EntityPlan) -> bool {
        let slots = |plan: &EntityPlan| -> Vec<(IndexId, usize)> {
            let of = |entry: &EntryPlan| {
                let index = entry.index;
                let slots: Vec<usize> = entry.writes.iter().map(|write| write.slot).collect();
                slots.into_iter().map(move |slot| (index, slot))
            };
            plan.entries.iter().flat_map(of).collect()
        };
        (self.plain && other.plain)
            && self.entity == other.entity
            && self.policy == other.policy
            && self.names == other.names
            && self.type_attribute == other.type_attribute
            && self.keys == other.keys
            && self.key_only == other.key_only
            && self.types == other.types
            && self.local == other.local
            && self.entries.len() == other.entries.len()
            && slots(self) == slots(other)
    }

    /// Whether both plans make the same items of samples. `has` tells whether any sample has an attribute. The plans
    /// may differ only in keys of indexes for which no template or sample supplies a value.
    pub(super) fn makes_the_same_as(&self, other: &EntityPlan, has: &dyn Fn(&str) -> bool) -> bool {
        // Both lists are in the order of the indexes.
        let keys = |one: &EntityPlan, other: &EntityPlan| {
            let mut rest = &other.keys[..];
            one.keys.iter().all(|key| {
                let before = rest
                    .iter()
                    .take_while(|other| other.index < key.index)
                    .count();
                rest = &rest[before..];
                let mut same = rest.iter().take_while(|other| other.index == key.index);
                same.any(|other| other == key)
                    || !key.index.is_primary() && key.slot.is_none() && !has(&key.name)
            })
        };
        self.entity == other.entity
            && self.policy == other.policy
            && self.names == other.names
            && self.type_attribute == other.type_attribute
            && self.entries == other.entries
            && self.key_only == other.key_only
            && self.types == other.types
            && self.local == other.local
            && self.plain == other.plain
            && keys(self, other)
            && keys(other, self)
    }

    /// Whether the attribute is key-only: items lack the sample's value.
    pub(super) fn is_key_only(&self, name: &str) -> bool {
        self.key_only.iter().any(|other| other == name)
    }

    /// The value of the type attribute, if `name` is its name.
    pub(super) fn type_value(&self, name: &str) -> Option<&Value> {
        let (slot, value) = self.type_attribute.as_ref()?;
        (self.names[*slot] == name).then_some(value)
    }

    /// The maximum number of copies of an item that count toward its size: the item and its entries in LSIs.
    pub(super) fn copies(&self) -> usize {
        1 + self.local.len()
    }

    /// The errors of the templates, in the order of the indexes; empty if all parse.
    pub fn errors(&self) -> &[TemplateError] {
        &self.errors
    }
}

/// The attributes of a key with their part, partition key first.
pub(super) fn parts(key: &KeySchema) -> impl Iterator<Item = (KeyPart, &KeyAttribute)> {
    let partition = key.partition.iter().map(|a| (KeyPart::Partition, a));
    partition.chain(key.sort.iter().map(|a| (KeyPart::Sort, a)))
}

/// The most bytes that a value may have in this part of a key.
fn max_bytes(part: KeyPart) -> usize {
    match part {
        KeyPart::Sort => limits::SORT_KEY_BYTES,
        _ => limits::PARTITION_KEY_BYTES,
    }
}
