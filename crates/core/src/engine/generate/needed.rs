//! Which attributes a row of an entity needs, and in which format.

use super::guess_format;
use super::name_meanings::words;
use super::references::References;
use super::uses::{Owner, Uses};
use crate::model::{Attribute, AttributeId, AttributeType, EntityId, Format};

/// An attribute of a row that is to be generated.
#[derive(Debug, Clone)]
pub(super) struct Needed {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: AttributeType,
    /// Its format: its own, or a guess.
    pub format: Option<Format>,
    /// Whether the format is its author's.
    pub said: bool,
    /// Whether it identifies the entity's rows.
    pub is_own: bool,
    /// Whether every row has it.
    pub required: bool,
    /// What the keys do with it.
    pub uses: Uses,
    /// The attributes of other entities that stand at the same place of a key.
    pub aligned: Vec<(EntityId, String)>,
}

impl Needed {
    /// Whether it is the id of something that is no entity, such as a tenant without an item of its own.
    pub fn is_free_id(&self) -> bool {
        let words = words(&self.name);
        let is_fixed = matches!(
            self.format,
            Some(Format::Reference { .. } | Format::Constant(_))
        );
        words.len() > 1
            && words.last().is_some_and(|word| word == "id")
            && !self.is_own
            && !is_fixed
    }
}

/// Which formats to guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guesses {
    /// All of them, which reads the existing samples.
    All,
    /// References only.
    References,
}

/// The attributes that rows of an entity have: those that it declares, and those that its templates name besides; not
/// those that templates write, nor the type attribute.
pub(super) fn needed(references: &References, owner: &Owner, guesses: Guesses) -> Vec<Needed> {
    let design = references.design;
    let entity = owner.entity;
    let mut declared: Vec<Attribute> = entity.attributes.clone();
    let mut add = |name: &str, kind: AttributeType| {
        if declared.iter().all(|attribute| attribute.name != name) {
            declared.push(Attribute::new(AttributeId(0), name, kind));
        }
    };
    for (index, entry) in &entity.keys {
        for (key, template) in (owner.templates.iter()).filter(|(key, _)| key.index == *index) {
            let kind = match template.is_single_placeholder() {
                true => key.attribute.kind.into(),
                false => AttributeType::S,
            };
            for name in template.attributes() {
                add(name, kind);
            }
        }
        for condition in &entry.when {
            add(&condition.attribute, AttributeType::S);
        }
        // Plain attributes that an index which the entity is in has as its key.
        for key in design
            .key(*index)
            .into_iter()
            .flat_map(|key| key.attributes())
        {
            if !index.is_primary() {
                add(&key.name, key.kind.into());
            }
        }
    }
    let needed = declared.into_iter().filter_map(|mut attribute| {
        let uses = owner.uses(&attribute.name);
        let is_written = owner.writes(&attribute.name) && !uses.in_key;
        if is_written || design.table.is_type_attribute(&attribute.name) {
            return None;
        }
        attribute.kind = uses.kind.unwrap_or(attribute.kind);
        Some(Needed {
            format: (attribute.format.clone()).or_else(|| match guesses {
                Guesses::All => guess_format::guess_used(references, owner, &attribute, &uses),
                Guesses::References => references.guess(owner, &attribute),
            }),
            said: attribute.format.is_some(),
            aligned: (owner.alignments(references).iter())
                .filter(|(own, ..)| *own == attribute.name)
                .map(|(_, id, other)| (*id, other.clone()))
                .collect(),
            kind: attribute.kind,
            is_own: owner.is_own(&attribute.name),
            required: attribute.required || uses.in_primary,
            name: attribute.name,
            uses,
        })
    });
    needed.collect()
}
