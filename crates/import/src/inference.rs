//! The entities of a table whose file has items but no templates.

use crate::form::{FoundItem, FoundTable};
use keyfold_core::model::{AttributeType, Design};
use keyfold_infer::{Hint, Inferred, Item, Schema, add_to, infer};
use std::sync::Arc;

/// Finds the entities and templates that a table's items show, and adds them to its design with the items as samples.
/// `None` if the table has entities or no items.
pub fn add_entities(design: &mut Design, found: &FoundTable) -> Option<Inferred> {
    if !found.entities.is_empty() || found.items.is_empty() {
        return None;
    }
    let values = |item: &FoundItem| item.values.clone();
    let items: Vec<Item> = found.items.iter().map(values).collect();
    let facets = found.facets.iter().map(|facet| Hint {
        name: facet.name.clone(),
        attributes: facet.attributes.clone(),
        items: facet.items.clone(),
    });
    let hints: Vec<Hint> = facets.collect();
    let inferred = infer(&Schema::of(design), &items, &hints);
    add_to(design, &inferred);
    declare_types(design, found);
    Some(inferred)
}

/// Gives the attributes that have no value in any item the types that the file declares.
fn declare_types(design: &mut Design, found: &FoundTable) {
    for entity in design.entities.values_mut() {
        for at in 0..entity.attributes.len() {
            let attribute = &entity.attributes[at];
            if attribute.kind == AttributeType::Null
                && let Some((_, kind)) =
                    (found.types.iter()).find(|(name, _)| *name == attribute.name)
            {
                Arc::make_mut(entity).attributes[at].kind = *kind;
            }
        }
    }
}
