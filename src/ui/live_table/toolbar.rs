//! The toolbar above the table.

use super::grid::Grid;
use super::status_bar::counted;
use super::toolbar_menus::{ColumnMenu, EntityMenu};
use super::view_model::selected_entity;
use crate::ui::dialogs::generate::GenerateButton;
use crate::ui::reactive::erased::{effect, memo};
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::search_field::SearchField;
use keyfold_core::model::EntityId;
use leptos::prelude::*;

/// A narrower bar shows icons without words where it can, in CSS pixels.
const NARROW: f64 = 860.0;
/// Additional width of the bar with the name of the only entity that is shown, in CSS pixels.
const ONLY: f64 = 120.0;

/// Buttons to add, duplicate and delete rows; the filter; the number of rows.
#[component]
pub fn ToolBar(
    /// The table.
    grid: Grid,
) -> impl IntoView {
    let store = grid.store;
    let entities = memo(move |_| {
        (store.entity_ids.get().into_iter())
            .filter_map(|id| store.entity(id))
            .map(|node| (node.id, node.entity.with(|entity| entity.name.clone())))
            .collect::<Vec<_>>()
    });
    let picked = grid.picked;
    let selected = memo(move |_| grid.only.get().or_else(|| selected_entity(store)));
    effect(move || {
        if let Some(id) = selected.get() {
            picked.set(Some(id));
        }
    });
    let entity = memo(move |_| {
        entities.with(|entities| {
            let known = |id: &EntityId| entities.iter().any(|(other, _)| other == id);
            (picked.get().filter(known)).or_else(|| entities.first().map(|(id, _)| *id))
        })
    });
    // One memo for both, because an effect that reads `entity` and then `entities` would miss a new name.
    let options = memo(move |_| {
        let current = entity.get();
        let named = |(id, name): (EntityId, String)| (id.to_string(), name, Some(id) == current);
        entities.get().into_iter().map(named).collect::<Vec<_>>()
    });
    let chosen = memo(move |_| grid.chosen().len());
    let rows = move || match chosen.get() {
        0 | 1 => "row".to_owned(),
        count => format!("{count} rows"),
    };
    let duplicate = move || format!("Duplicate {}", rows());
    let delete = move || format!("Delete {}", rows());
    let counts = move || {
        grid.sheet.with(|sheet| {
            let all = sheet.view().rows.len();
            match sheet.rows() {
                shown if shown < all => format!("{shown} of {all}"),
                _ => counted(all, "row"),
            }
        })
    };
    view! {
        <div
            class="table-bar"
            class:narrow=move || {
                let only = if grid.only.get().is_some() { ONLY } else { 0.0 };
                grid.room.get() < NARROW + only
            }
            role="toolbar"
            aria-label="Rows"
        >
            <div class="add-row">
                <button
                    class="button quiet"
                    title="Add a row of this entity"
                    disabled=move || entity.get().is_none()
                    on:click=move |_| {
                        if let Some(id) = entity.get_untracked() {
                            grid.add_row(id);
                        }
                    }
                >
                    <Icon glyph=Glyph::Plus />
                    "Add row"
                </button>
                <select
                    aria-label="Entity of new row"
                    disabled=move || entity.get().is_none()
                    prop:value=move || entity.get().map(|id| id.to_string()).unwrap_or_default()
                    on:change=move |event| picked.set(event_target_value(&event).parse().ok())
                >
                    {move || {
                        options
                            .get()
                            .into_iter()
                            .map(|(id, name, selected)| {
                                view! {
                                    <option value=id selected=selected>
                                        {name}
                                    </option>
                                }
                            })
                            .collect_view()
                    }}
                </select>
            </div>
            <GenerateButton class="button quiet" />
            <button
                class="icon-button"
                aria-label=duplicate
                title=move || format!("{}, with a new ID", duplicate())
                disabled=move || chosen.get() == 0
                on:click=move |_| grid.duplicate_rows()
            >
                <Icon glyph=Glyph::Copy />
            </button>
            <button
                class="icon-button"
                aria-label=delete
                title=move || format!("{} (Ctrl+Backspace)", delete())
                disabled=move || chosen.get() == 0
                on:click=move |_| grid.delete_rows()
            >
                <Icon glyph=Glyph::Trash />
            </button>
            <SearchField
                label="Filter rows"
                placeholder="Filter rows"
                class="table-filter"
                value=grid.filter
                typed=Callback::new(move |text| {
                    grid.filter.set(text);
                    grid.select_nothing();
                })
            />
            <EntityMenu grid=grid />
            <ColumnMenu grid=grid />
            <button
                class="icon-button"
                aria-label="Find in table"
                title="Find in the table (Ctrl+F in a cell)"
                on:click=move |_| grid.open_find()
            >
                <Icon glyph=Glyph::Find />
            </button>
            <span class="table-count" aria-live="polite">
                {counts}
            </span>
        </div>
    }
}
