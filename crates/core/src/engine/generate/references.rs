//! Guesses which attribute of another entity an attribute refers to.

use super::key_shapes::{Alignment, Shapes};
use super::name_meanings::{IDS, among, identity, is_time, own_id, words};
use super::uses::Owner;
use crate::engine::key_sources::primary_attributes;
use crate::model::{Attribute, AttributeType, Design, Distribution, Entity, EntityId, Format};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// Names of entities that act, the likeliest first.
pub(super) const ACTORS: &str = "user member employee account person customer agent staff";

/// Finds what the attributes of a design refer to. Names and keys are read once for all of them.
pub(super) struct References<'a> {
    /// The design.
    pub design: &'a Design,
    /// The entities by their name's words, joined; in the order of their ids.
    named: FxHashMap<String, Vec<EntityId>>,
    /// The entities by the attribute that identifies their items; in the order of their ids.
    identified: OnceCell<FxHashMap<String, Vec<EntityId>>>,
    /// Each entity, read when it is first needed.
    owners: FxHashMap<EntityId, OnceCell<Owner<'a>>>,
    shapes: OnceCell<Shapes>,
}

/// Names that say nothing about the entity which they identify.
const GENERAL: &str =
    "id name title type kind status state date day month year version region country email";

impl<'a> References<'a> {
    /// Reads the names of all entities.
    pub fn new(design: &'a Design) -> References<'a> {
        let mut named: FxHashMap<String, Vec<EntityId>> = FxHashMap::default();
        for (id, entity) in &design.entities {
            named
                .entry(words(&entity.name).concat())
                .or_default()
                .push(*id);
        }
        References {
            design,
            named,
            identified: OnceCell::new(),
            owners: (design.entities.keys())
                .map(|id| (*id, OnceCell::new()))
                .collect(),
            shapes: OnceCell::new(),
        }
    }

    /// What the name and the templates of an entity say; `None` if it does not exist.
    pub fn owner(&self, id: EntityId) -> Option<&Owner<'a>> {
        let (entity, owner) = (self.design.entities.get(&id)?, self.owners.get(&id)?);
        Some(owner.get_or_init(|| Owner::new(self.design, id, entity)))
    }

    fn named(&self, name: &str) -> &[EntityId] {
        self.named.get(name).map_or(&[], |ids| ids)
    }

    fn identified(&self, name: &str) -> &[EntityId] {
        let identified = self.identified.get_or_init(|| {
            let mut identified: FxHashMap<String, Vec<EntityId>> = FxHashMap::default();
            for (id, entity) in &self.design.entities {
                if let Some(name) = identity_of(self.design, entity) {
                    identified.entry(name).or_default().push(*id);
                }
            }
            identified
        });
        identified.get(name).map_or(&[], |ids| ids)
    }

    /// The attributes of an entity that stand at the same place of a key as an attribute that identifies another entity.
    pub fn alignments(&self, owner: &Owner) -> Vec<Alignment> {
        let shapes = self.shapes.get_or_init(|| Shapes::new(self));
        shapes.alignments(owner)
    }

    /// The entity whose id the attribute holds: `userId` refers to `User`, `createdBy` to an entity that acts, such as
    /// a user.
    pub fn guess(&self, owner: &Owner, attribute: &Attribute) -> Option<Format> {
        let name = &attribute.name;
        let kinds = [AttributeType::S, AttributeType::N];
        if *name == owner.own_id || !kinds.contains(&attribute.kind) {
            return None;
        }
        let parts = words(name);
        let last = parts.last().map_or("", String::as_str);
        let stem = match parts.as_slice() {
            [stem @ .., last] if last == "id" => stem.concat(),
            all => all.concat(),
        };
        let actor = match parts.as_slice() {
            [.., last] if among("by author owner assignee creator", last) => true,
            [first, last] => among("author owner assignee creator", first) && last == "id",
            _ => false,
        };
        let first = |ids: &[EntityId]| ids.iter().find_map(|id| self.target(owner, attribute, *id));
        let other = |ids: &[EntityId]| {
            let mut others = ids.iter().filter(|id| **id != owner.id);
            others.find_map(|id| self.target(owner, attribute, *id))
        };
        let target = other(self.named(&stem))
            // The longest name first: `shippingAddressId` refers to `Shipping address` before `Address`.
            .or_else(|| {
                let mut starts = stem.char_indices().skip(1).filter(|_| last == "id");
                starts.find_map(|(at, _)| first(self.named(&stem[at..])))
            })
            .or_else(|| {
                // `REPO#{owner}#{repo}` in the keys of two entities.
                let alignments = owner.alignments(self).iter();
                let mut same = alignments.filter(|(own, ..)| own == name);
                same.find_map(|(_, id, other)| {
                    let target = self.design.entities.get(id)?;
                    let kind = target
                        .attribute(other)
                        .map_or(AttributeType::S, |found| found.kind);
                    (kind == attribute.kind).then(|| (*id, other.clone()))
                })
            })
            .or_else(|| {
                let mut actors = ACTORS.split(' ').filter(|_| actor);
                actors.find_map(|name| first(self.named(name)))
            })
            .or_else(|| {
                // `sku` refers to the entity whose own id is called so.
                let in_key = || {
                    owner
                        .templates
                        .iter()
                        .any(|(_, template)| template.uses(name))
                };
                let may = match among(IDS, last) {
                    true => parts != ["id"],
                    false => !among(GENERAL, &parts.concat()) && !is_time(name) && in_key(),
                };
                let may = may && owner.identity.as_ref() != Some(name);
                may.then(|| other(self.identified(name))).flatten()
            });
        let (entity, attribute) = target?;
        Some(Format::Reference {
            entity,
            attribute,
            distribution: Distribution::Uniform,
        })
    }

    /// The attribute of this entity that the attribute would refer to: of the same type, and not itself.
    fn target(
        &self,
        owner: &Owner,
        attribute: &Attribute,
        id: EntityId,
    ) -> Option<(EntityId, String)> {
        let target = self.design.entities.get(&id)?;
        let name = target_attribute(self.design, target, &attribute.name)?;
        let found = target.attribute(&name)?;
        let is_itself = id == owner.id && name == attribute.name;
        (found.kind == attribute.kind && !is_itself).then_some((id, name))
    }
}

/// The attribute that identifies an entity's items, by its name and its primary key.
pub(super) fn identity_of(design: &Design, entity: &Entity) -> Option<String> {
    identity(&entity.name, &primary_attributes(design, entity))
}

/// The attribute by which others refer to an entity: one with the same name, its own id, or what identifies its items.
fn target_attribute(design: &Design, target: &Entity, name: &str) -> Option<String> {
    let has = |name: &str| target.attribute(name).is_some().then(|| name.to_owned());
    let own = own_id(&target.name);
    if *name == own {
        return has(name).or_else(|| has("id"));
    }
    let identity = identity_of(design, target);
    if identity.as_deref() == Some(name) {
        return identity;
    }
    has(&own).or_else(|| has("id")).or(identity)
}
