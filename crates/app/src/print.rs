//! The items of a design as plain tables, to print them.

use keyfold_core::engine::{self, Items, ValueRef};
use keyfold_core::model::{Design, IndexId};
use std::sync::Arc;

/// The table or an index, as it is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedTable {
    /// Its name.
    pub name: String,
    /// The names of its attributes, keys first.
    pub columns: Vec<String>,
    /// The items in DynamoDB's order: the name of the entity, then a text for each column, empty where the item lacks
    /// the attribute.
    pub rows: Vec<(String, Vec<String>)>,
    /// Number of items that are left out.
    pub left_out: usize,
}

/// Returns the table and each index that has items, with at most `most` items each.
pub fn tables(design: &Design, most: usize) -> Vec<PrintedTable> {
    let items: Vec<Arc<Items>> = engine::materialize_all(design).into_values().collect();
    let ids = std::iter::once(IndexId::PRIMARY).chain(design.indexes.keys().copied());
    ids.map(|id| printed(design, id, &items, most))
        .filter(|table| !table.rows.is_empty())
        .collect()
}

fn printed(design: &Design, id: IndexId, items: &[Arc<Items>], most: usize) -> PrintedTable {
    let view = engine::view(design, id, items);
    let columns: Vec<String> = view.columns.iter().map(|it| it.name.clone()).collect();
    let rows = view.rows.iter().take(most).map(|row| {
        let entity = design.entities.get(&row.item.entity);
        let text = |name: &String| {
            let value = row.item.known(name).map(ValueRef::to_value);
            value.map_or_else(String::new, |value| value.to_text())
        };
        let name = entity.map_or_else(String::new, |entity| entity.name.clone());
        (name, columns.iter().map(text).collect())
    });
    let name = match id.is_primary() {
        true => &design.table.name,
        false => design.index_name(id),
    };
    PrintedTable {
        name: name.to_owned(),
        rows: rows.collect(),
        left_out: view.rows.len().saturating_sub(most),
        columns,
    }
}
