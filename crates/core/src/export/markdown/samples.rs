//! The items of the table and of each index, in DynamoDB's order.

use super::super::writer::CodeWriter;
use super::markup::{Cell, heading, paragraphs, table};
use crate::engine::{Computed, view};
use crate::model::{Design, short};
use crate::slices::pause;

/// The maximum number of rows in a table, to keep the document readable.
const MAX_ROWS: usize = 100;

/// Writes the sample tables; nothing for a design without samples.
pub async fn write(out: &mut CodeWriter, design: &Design, computed: &Computed) {
    let items: Vec<_> = computed.items().values().cloned().collect();
    if items.iter().all(|items| items.is_empty()) {
        return;
    }
    heading(out, 2, "Samples");
    for index in design.index_ids() {
        pause().await;
        let view = view(design, index, &items);
        let Some(content) = &view.content else {
            continue;
        };
        heading(out, 3, design.index_name(index));
        if view.rows.is_empty() {
            paragraphs(out, "No items.");
            continue;
        }
        let keys: Vec<&str> = content
            .key()
            .attributes()
            .map(|key| key.name.as_str())
            .collect();
        let mut head = vec!["Entity"];
        head.extend(&keys);
        head.push("Other attributes");
        let mut rows = Vec::new();
        for row in view.rows.iter().take(MAX_ROWS) {
            let item = &row.item;
            let entity = design.entities.get(&item.entity);
            let mut cells = vec![Cell::words(entity.map_or("", |entity| &entity.name))];
            for key in &keys {
                let value = item.get(key).map(|value| value.to_text());
                cells.push(Cell::code(value.unwrap_or_default()));
            }
            let mut others = Vec::new();
            for (name, value) in content.attributes(item) {
                if !keys.contains(&name) && Some(name) != design.table.type_attribute.as_deref() {
                    others.push([name, ": ", &short(&value.to_text())].concat());
                }
            }
            cells.push(Cell::Codes(others));
            rows.push(cells);
        }
        table(out, &head, &rows);
        if let Some(more) = view
            .rows
            .len()
            .checked_sub(MAX_ROWS)
            .filter(|more| *more > 0)
        {
            paragraphs(out, &format!("{more} more items."));
        }
    }
}
