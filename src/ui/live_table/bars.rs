//! The bar above the table, with what one can do, and the line below it, with what there is to say.

use super::columns;
use super::row::selected_entity;
use super::state::Grid;
use crate::domain::model::{EntityId, Projection};
use crate::ui::generate::GenerateButton;
use crate::ui::parts::erased::{Show, effect, memo};
use crate::ui::parts::icon::{Glyph, Icon};
use leptos::prelude::*;

/// Adding, copying and deleting rows; the filter; how many rows there are.
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
    let picked = RwSignal::new(None::<EntityId>);
    let selected = selected_entity(store);
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
    // One memo for both: an effect that reads `entity` and then `entities` would miss a new name.
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
            let selected = match grid.selected.with(|selected| selected.len()) {
                0 => String::new(),
                count => format!("{count} selected · "),
            };
            match sheet.rows() {
                shown if shown < all => format!("{selected}{shown} of {all} rows"),
                _ => format!("{selected}{}", counted(all, "row")),
            }
        })
    };
    view! {
        <div class="table-bar" role="toolbar" aria-label="Rows">
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
                    aria-label="Entity of the new row"
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
                title=move || format!("{}, with a new id", duplicate())
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
            <label class="table-filter">
                <Icon glyph=Glyph::Search />
                <input
                    type="search"
                    aria-label="Filter rows"
                    placeholder="Filter rows"
                    spellcheck="false"
                    autocomplete="off"
                    prop:value=grid.filter
                    on:input=move |event| {
                        grid.filter.set(event_target_value(&event));
                        grid.selected.set(Default::default());
                    }
                />
            </label>
            <span class="table-count" aria-live="polite">
                {counts}
            </span>
        </div>
    }
}

/// What the table or index holds; why the active row is marked; why a key press did nothing.
#[component]
pub fn StatusBar(
    /// The table.
    grid: Grid,
) -> impl IntoView {
    let store = grid.store;
    let holds = move || {
        if let Some(done) = store.progress.get() {
            return format!("Computing the items: {:.0} %", done * 100.0);
        }
        let projection = store.index(grid.index).map(|node| {
            node.index.with(|index| match &index.projection {
                Projection::All => "projection: all attributes".to_owned(),
                Projection::KeysOnly => "projection: keys only".to_owned(),
                Projection::Include(names) => format!("projection: keys and {}", names.join(", ")),
            })
        });
        grid.sheet.with(|sheet| {
            let view = sheet.view();
            let (rows, all) = (view.rows.len(), view.of);
            let name = store.with(|design| design.index_name(view.index).to_owned());
            let mut parts = Vec::new();
            if view.index.is_primary() {
                parts.push(counted(rows, "item"));
            } else {
                let verb = if rows == 1 || all == 1 { "is" } else { "are" };
                parts.push(format!(
                    "{rows} of {} {verb} in {name}",
                    counted(all, "item")
                ));
            }
            parts.push(counted(view.groups.len(), "item collection"));
            if !view.failed.is_empty() {
                parts.push(format!("{} refused", view.failed.len()));
            }
            parts.extend(projection);
            parts.join(" · ")
        })
    };
    let remark = move || grid.hint.get().or_else(|| grid.active_reason());
    view! {
        <div class="table-status">
            <span class="table-holds">{holds}</span>
            <span class="table-remark" role="status" title=remark>
                {remark}
            </span>
        </div>
    }
}

/// What there is instead of rows: why there are none, and what to do.
#[component]
pub fn Nothing(
    /// The table.
    grid: Grid,
) -> impl IntoView {
    let text = move || {
        if grid.store.opening.get() {
            return "Computing the items…".to_owned();
        }
        grid.sheet.with(|sheet| {
            let view = sheet.view();
            let unfiltered = view.rows.is_empty();
            match unfiltered {
                true => grid.store.with(|design| columns::nothing(design, view)),
                false => "No row has this text in one of its cells.".to_owned(),
            }
        })
    };
    view! {
        <div class="table-empty">
            <p>{text}</p>
            <Show when=move || grid.filter.with(|filter| !filter.trim().is_empty())>
                <button class="button quiet" on:click=move |_| grid.filter.set(String::new())>
                    "Show all rows"
                </button>
            </Show>
        </div>
    }
}

/// `1 row`, `2 rows`.
fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
