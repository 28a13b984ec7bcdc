//! The items of one entity alone.

use keyfold_app::grid::one_entity::{has_column, only_entity, others};
use keyfold_core::engine;
use keyfold_core::library;
use keyfold_core::model::*;

#[test]
fn an_entity_is_alone_if_all_others_are_hidden() {
    let ids: Vec<EntityId> = (1..=3).map(EntityId).collect();
    let only = |hidden: &[u32]| {
        let hidden = hidden.iter().map(|id| EntityId(*id)).collect();
        only_entity(ids.iter().copied(), &hidden)
    };
    assert_eq!(only(&[]), None);
    assert_eq!(only(&[1]), None);
    assert_eq!(only(&[1, 3]), Some(EntityId(2)));
    assert_eq!(only(&[1, 2, 3]), None);
    let hidden = others(ids.iter().copied(), EntityId(3));
    assert_eq!(only_entity(ids.iter().copied(), &hidden), Some(EntityId(3)));
}

#[test]
fn the_columns_of_an_entity_are_those_in_which_its_items_have_values() {
    for pattern in library::patterns() {
        let design = pattern.design().expect("a design");
        let items: Vec<_> = engine::materialize_all(&design).into_values().collect();
        let view = engine::view(&design, IndexId::PRIMARY, &items);
        for (id, entity) in &design.entities {
            for column in &view.columns {
                let mut rows = view.rows.iter().filter(|row| row.item.entity == *id);
                let is_used = rows.any(|row| row.item.get(&column.name).is_some());
                let is_shown = has_column(&design, entity, &column.name, column.role);
                assert!(
                    is_shown || !is_used,
                    "{}: {}.{}",
                    pattern.title,
                    entity.name,
                    column.name
                );
                let is_declared = entity.attribute(&column.name).is_some()
                    || entity.keys.keys().any(|index| {
                        let mut key = design.key(*index).expect("a key").attributes();
                        key.any(|attribute| attribute.name == column.name)
                    });
                let is_of_table = column.role != engine::ColumnRole::OtherKey
                    && column.role != engine::ColumnRole::Attribute;
                let is_undeclared = column.role == engine::ColumnRole::Attribute
                    && !(design.entities.values()).any(|e| e.attribute(&column.name).is_some());
                assert_eq!(is_shown, is_declared || is_of_table || is_undeclared);
            }
        }
    }
}
