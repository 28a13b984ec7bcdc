//! Guesses which attribute of another entity an attribute refers to.

use super::names::{IDS, among, identity, own_id, words};
use crate::model::{Attribute, Design, Distribution, Entity, EntityId, Format};
use std::cell::LazyCell;

/// The entity whose id the attribute holds: `userId` refers to `User`, `createdBy` to an entity that acts, such as a
/// user.
pub(super) fn reference(
    design: &Design,
    owner: EntityId,
    entity: &Entity,
    attribute: &Attribute,
) -> Option<Format> {
    const ACTORS: &str = "user member employee account person customer agent staff";
    let name = &attribute.name;
    let parts = words(name);
    let last = parts.last().map_or("", String::as_str);
    if *name == own_id(&entity.name) {
        return None;
    }
    let actor = match parts.as_slice() {
        [.., last] if last == "by" => true,
        [first] | [first, _] => among("author owner assignee creator", first),
        _ => false,
    } && among("id by author owner assignee creator", last);
    let stem = match parts.as_slice() {
        [stem @ .., last] if last == "id" => stem.concat(),
        all => all.concat(),
    };
    let is_ours = LazyCell::new(|| identity(entity).as_ref() == Some(name));
    let candidates = design.entities.iter().filter_map(|(id, target)| {
        let called = joined(&target.name);
        let matches = if actor && !stem.ends_with(&called) {
            // More likely actors come first in the list.
            let rank = ACTORS.split(' ').position(|actor| actor == called)?;
            Some(20 - rank)
        } else if stem == called && *id != owner {
            Some(100)
        } else if last == "id" && stem.len() > called.len() && stem.ends_with(&called) {
            Some(50)
        } else {
            // `sku` refers to the entity whose own id is called so.
            let may = among(IDS, last) && parts != ["id"] && *id != owner;
            // Read the keys last: there may be many entities.
            let has = |name: &str| target.attribute(name).is_some();
            let may = may && (has(name) || has("id")) && !*is_ours;
            (may && identity(target).as_ref() == Some(name)).then_some(10)
        }?;
        let target_name = target_attribute(target, name)?;
        let found = target.attribute(&target_name)?;
        let is_itself = *id == owner && target_name == *name;
        (found.kind == attribute.kind && !is_itself).then_some(())?;
        Some((matches, *id, target_name))
    });
    let mut best: Option<(usize, EntityId, String)> = None;
    for candidate in candidates {
        if best.as_ref().is_none_or(|best| candidate.0 > best.0) {
            best = Some(candidate);
        }
    }
    let (_, entity, attribute) = best?;
    Some(Format::Reference {
        entity,
        attribute,
        distribution: Distribution::Uniform,
    })
}

/// The [`words`] of a name, joined.
fn joined(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The attribute by which others refer to an entity: one with the same name, its own id, or what identifies its items.
fn target_attribute(target: &Entity, name: &str) -> Option<String> {
    let has = |name: &str| target.attribute(name).is_some().then(|| name.to_owned());
    let own = own_id(&target.name);
    if *name == own {
        return has(name).or_else(|| has("id"));
    }
    let identity = identity(target);
    if identity.as_deref() == Some(name) {
        return identity;
    }
    has(&own).or_else(|| has("id")).or(identity)
}
