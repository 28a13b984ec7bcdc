//! What stands in place of the rows while there are none: why, and what to do.

use super::grid::Grid;
use crate::ui::reactive::erased::{Show, memo};
use keyfold_core::engine::View;
use keyfold_core::model::{Design, IndexId};
use leptos::prelude::*;

/// The empty state: why there are no rows, and what to do.
#[component]
pub fn Nothing(
    /// The table.
    grid: Grid,
) -> impl IntoView {
    let text = move || {
        if grid.store.opening.get() {
            return "Computing items…".to_owned();
        }
        grid.sheet.with(|sheet| {
            let view = sheet.view();
            let unfiltered = view.rows.is_empty();
            match unfiltered {
                true => grid.store.with(|design| why_empty(design, view)),
                false => "No rows match the filter.".to_owned(),
            }
        })
    };
    let filtered = memo(move |_| {
        grid.hidden_entities.with(|without| !without.is_empty())
            || grid.filter.with(|filter| !filter.trim().is_empty())
    });
    view! {
        <div class="table-empty">
            <p>{text}</p>
            <Show when=move || filtered.get()>
                <button
                    class="button quiet"
                    on:click=move |_| {
                        grid.filter.set(String::new());
                        grid.hidden_entities.set(Default::default());
                    }
                >
                    "Show all rows"
                </button>
            </Show>
        </div>
    }
}

/// Returns why the table is empty, and what to do.
fn why_empty(design: &Design, view: &View) -> String {
    let name = design.index_name(view.index);
    if design.entities.is_empty() {
        return "Add an entity to see its items here.".into();
    }
    if view.total == 0 {
        return "No items. Choose an entity above and add a row.".into();
    }
    if view.index == IndexId::PRIMARY {
        return "No item can be stored. See the reasons below.".into();
    }
    let members: Vec<&str> = (design.entities.values())
        .filter(|entity| entity.keys.contains_key(&view.index))
        .map(|entity| entity.name.as_str())
        .collect();
    if members.is_empty() {
        return format!(
            "No entities in {name}. On the canvas, drag from an entity's port to the {name} card."
        );
    }
    let members = match members.len() {
        1..=3 => members.join(", "),
        count => format!("{}, {} and {} more", members[0], members[1], count - 2),
    };
    format!(
        "No items in {name}: every item of {members} lacks a value that its key in {name} needs, or does \
         not meet the condition of its entry. Enter the value in the Table tab, or change the entry."
    )
}
