//! The items of one entity alone: which entity that is, and which columns remain.

use keyfold_core::engine::ColumnRole;
use keyfold_core::model::{Design, Entity, EntityId, SortedSet};

/// Returns the entity whose items alone are shown, because those of all others are hidden.
pub fn only_entity(
    all: impl IntoIterator<Item = EntityId>,
    hidden: &SortedSet<EntityId>,
) -> Option<EntityId> {
    if hidden.is_empty() {
        return None;
    }
    let mut shown = all.into_iter().filter(|id| !hidden.contains(id));
    shown.next().filter(|_| shown.next().is_none())
}

/// Returns the entities to hide so that the items of this one are shown alone.
pub fn others(all: impl IntoIterator<Item = EntityId>, shown: EntityId) -> SortedSet<EntityId> {
    all.into_iter().filter(|id| *id != shown).collect()
}

/// Returns whether items of an entity can have a value in a column with this name and role.
pub fn has_column(design: &Design, entity: &Entity, name: &str, role: ColumnRole) -> bool {
    match role {
        ColumnRole::Partition | ColumnRole::Sort | ColumnRole::Type | ColumnRole::TableKey => true,
        ColumnRole::OtherKey | ColumnRole::Attribute => {
            let in_key = |index| {
                let key = design.key(index);
                key.is_some_and(|key| key.attributes().any(|attribute| attribute.name == name))
            };
            let has = |entity: &Entity| entity.attribute(name).is_some();
            // No entity has an attribute that is not declared.
            let is_undeclared = || {
                role == ColumnRole::Attribute && !design.entities.values().any(|other| has(other))
            };
            has(entity) || entity.keys.keys().any(|index| in_key(*index)) || is_undeclared()
        }
    }
}
