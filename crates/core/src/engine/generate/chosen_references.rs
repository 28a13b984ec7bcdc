//! The references of a design: those that its author has chosen, and guesses.

use super::graph::Graph;
use super::guess_format;
use super::needed::Guesses;
use super::references::References;
use crate::model::{Attribute, Design, EntityId, Format};

/// An entity that another one refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parent {
    /// The entity that is referred to.
    pub entity: EntityId,
    /// The first certain attribute that refers to it; without one, the first that does.
    pub attribute: String,
    /// Whether the attribute is part of a key, or its author has made it a reference.
    pub is_certain: bool,
}

/// For each entity, in id order, the entities that it refers to: rows can be generated per row of these entities.
/// Attributes without a format count by their guess.
pub fn parents(design: &Design) -> Vec<(EntityId, Vec<Parent>)> {
    let graph = Graph::new(design, Guesses::References);
    let entities = design.entities.keys();
    entities.map(|id| (*id, graph.parents(*id))).collect()
}

/// What the author of a design has chosen about a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceChoice {
    /// Nothing: the guess counts.
    Guessed,
    /// The attribute has this reference as its format.
    Accepted,
    /// The attribute has another format.
    Refused,
}

/// An attribute that refers to an attribute of another entity, or of another item of its own entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The entity whose attribute refers.
    pub entity: EntityId,
    /// Its attribute's name.
    pub attribute: String,
    /// The entity referred to.
    pub target: EntityId,
    /// The attribute that the values come from.
    pub target_attribute: String,
    /// What the author has chosen.
    pub choice: ReferenceChoice,
}

/// All references of a design: chosen ones, and those guessed from names and from keys with equal templates, also if
/// the attribute has another format. In the order of the entities' ids and their attributes.
pub fn references(design: &Design) -> Vec<Reference> {
    let references = References::new(design);
    let mut found = Vec::new();
    for id in design.entities.keys() {
        let Some(owner) = references.owner(*id) else {
            continue;
        };
        for attribute in &owner.entity.attributes {
            let (format, choice) = match &attribute.format {
                Some(format @ Format::Reference { .. }) => {
                    (Some(format.clone()), ReferenceChoice::Accepted)
                }
                Some(_) => (references.guess(owner, attribute), ReferenceChoice::Refused),
                None => (references.guess(owner, attribute), ReferenceChoice::Guessed),
            };
            if let Some(Format::Reference {
                entity: target,
                attribute: target_attribute,
                ..
            }) = format
            {
                found.push(Reference {
                    entity: *id,
                    attribute: attribute.name.clone(),
                    target,
                    target_attribute,
                    choice,
                });
            }
        }
    }
    found
}

/// The format that an attribute without one would have if it did not refer to another entity.
pub fn guess_without_reference(
    design: &Design,
    owner: EntityId,
    attribute: &Attribute,
) -> Option<Format> {
    guess_format::guess_own(design, owner, attribute)
}
