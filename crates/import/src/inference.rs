//! The entities of a table whose file has items but no templates.

use crate::form::{Facet, FoundItem, FoundTable, Notes};
use crate::patterns;
use keyfold_core::model::{AttributeType, Design};
use keyfold_infer::{Hint, Inferred, Item, Schema, add_to, infer};
use std::sync::Arc;

/// Whether the entities of a table must be found in its items.
pub fn is_needed(found: &FoundTable) -> bool {
    found.entities.is_empty() && !found.items.is_empty()
}

/// Finds the entities and templates that a table's items show; `None` if the table has entities or no items. `base` is
/// its design without entities.
pub fn infer_entities(base: &Design, found: &FoundTable) -> Option<Inferred> {
    let values = |item: &FoundItem| item.values.clone();
    is_needed(found).then(|| {
        let items: Vec<Item> = found.items.iter().map(values).collect();
        infer(&Schema::of(base), &items, &hints(found))
    })
}

/// The names that the file gives to kinds of items.
pub fn hints(found: &FoundTable) -> Vec<Hint> {
    let facets = found.facets.iter().map(|facet| Hint {
        name: facet.name.clone(),
        attributes: facet.attributes.clone(),
        items: facet.items.clone(),
        partition: facet.partition_alias.clone(),
        sort: facet.sort_alias.clone(),
    });
    facets.collect()
}

/// What a facet calls the keys, if that says more than the names of the key attributes.
pub fn aliases<'a>(found: &'a FoundTable, facet: &'a Facet) -> impl Iterator<Item = &'a str> {
    let aliases = [&facet.partition_alias, &facet.sort_alias].into_iter();
    let is_key = |name: &str| {
        let mut keys = found.table.key.attributes();
        keys.any(|key| key.name == name)
    };
    (aliases.flatten().map(|alias| alias.trim()))
        .filter(move |alias| !alias.is_empty() && !is_key(alias))
}

/// The design of a table with the entities that its items show, these as samples, and its access patterns.
pub fn with_entities(
    base: &Design,
    found: &FoundTable,
    inferred: &Inferred,
    notes: &mut Notes,
) -> Design {
    let mut design = base.clone();
    add_to(&mut design, inferred);
    for facet in &found.facets {
        let is_entity = inferred.entities.iter().any(|one| one.name == facet.name);
        let names: Vec<String> = aliases(found, facet)
            .map(|name| format!("`{name}`"))
            .collect();
        if !is_entity && !names.is_empty() {
            let (names, facet) = (names.join(" and "), &facet.name);
            let why = format!(
                "the facet {facet} calls its keys {names}, but no entity with its attributes was found"
            );
            notes.add(&found.place, why);
        }
    }
    declare_types(&mut design, &found.types);
    patterns::add(&mut design, found, notes);
    design
}

/// Gives the attributes that have no value in any item the types that the file declares.
fn declare_types(design: &mut Design, types: &[(String, AttributeType)]) {
    for entity in design.entities.values_mut() {
        for at in 0..entity.attributes.len() {
            let attribute = &entity.attributes[at];
            if attribute.kind == AttributeType::Null
                && let Some((_, kind)) = types.iter().find(|(name, _)| *name == attribute.name)
            {
                Arc::make_mut(entity).attributes[at].kind = *kind;
            }
        }
    }
}
