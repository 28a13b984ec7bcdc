//! The multiline field for values that do not fit into a cell: lists, maps, sets, bytes. It opens at the cell, above
//! the whole page.

use super::grid::{Editing, Grid};
use crate::ui::dialogs::modal::OutsidePress;
use crate::ui::dom::element::window_size;
use crate::ui::dom::key_chords::is_composing;
use crate::ui::reactive::erased::effect;
use keyfold_core::model::AttributeType;
use leptos::ev;
use leptos::html::Dialog;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;

/// Its size and its minimum distance from the window's edges, in CSS pixels.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 300.0;
const MARGIN: f64 = 8.0;

/// The field, while such a cell is being edited.
#[component]
pub fn LargeEditor(
    /// The table.
    grid: Grid,
) -> impl IntoView {
    move || (grid.editing.get().filter(|editing| editing.large)).map(|editing| field(grid, editing))
}

fn field(grid: Grid, editing: Editing) -> impl IntoView {
    let dialog: NodeRef<Dialog> = NodeRef::new();
    let corner = corner(grid, &editing);
    let text = StoredValue::new(editing.start().to_owned());
    effect(move || {
        let (Some(dialog), Some(area)) = (dialog.get(), grid.text_area.get()) else {
            return;
        };
        if !dialog.open() {
            let _ = dialog.show_modal();
            area.set_value(&text.get_value());
            let _ = area.focus();
            let _ = area.set_selection_range(0, 0);
        }
    });
    let outside = OutsidePress::default();
    let save = move || {
        grid.commit(None);
    };
    let key = move |event: ev::KeyboardEvent| {
        // The page's own shortcuts must not run.
        event.stop_propagation();
        match event.key().as_str() {
            _ if is_composing(&event) => return,
            "Enter" if event.ctrl_key() || event.meta_key() => save(),
            "Escape" => grid.revert(),
            _ => return,
        }
        event.prevent_default();
    };
    let name = editing.spot.column.clone().unwrap_or_default();
    let kind = editing.kind;
    let form = match kind {
        AttributeType::S => "Multiline text.",
        AttributeType::B => "Bytes as base64.",
        AttributeType::L | AttributeType::M => {
            "JSON. Write sets and exact numbers as DynamoDB JSON: {\"SS\": [\"a\"]}, {\"N\": \"1\"}."
        }
        _ => "A JSON array.",
    };
    view! {
        <dialog
            class="cell-dialog"
            node_ref=dialog
            aria-label=format!("{name}, {}", kind.label())
            style:left=format!("{}px", corner.0)
            style:top=format!("{}px", corner.1)
            on:keydown=key
            on:pointerdown=move |event| outside.begin(&event)
            on:click=move |event| {
                if outside.is_ended_by(&event) {
                    save();
                }
            }
        >
            <div class="cell-large">
                <header>
                    <strong>{name.clone()}</strong>
                    <span>{kind.label()}</span>
                </header>
                <textarea
                    node_ref=grid.text_area
                    data-draft=""
                    spellcheck="false"
                    autocomplete="off"
                    autocapitalize="off"
                    aria-label=format!("{name}, {}", kind.label())
                    aria-invalid=move || grid.error.with(Option::is_some).to_string()
                    aria-describedby="large-error"
                    on:input=move |_| grid.typing()
                ></textarea>
                <p class="large-error" id="large-error" role="alert">
                    {move || grid.error.get()}
                </p>
                <footer>
                    <span class="large-form">{form}</span>
                    <button class="button small" on:click=move |_| grid.revert()>
                        "Cancel"
                    </button>
                    <button
                        class="button small primary"
                        title="Save (Ctrl+Enter)"
                        on:click=move |_| save()
                    >
                        "Save"
                    </button>
                </footer>
            </div>
        </dialog>
    }
}

/// Returns the field's top left corner: at the cell, if there is room.
fn corner(grid: Grid, editing: &Editing) -> (f64, f64) {
    let column = editing.spot.column.clone().unwrap_or_default();
    let cell = grid.scroller.get_untracked().and_then(|scroller| {
        let row = format!("[data-sample=\"{}\"]", editing.spot.sample);
        let row = scroller.query_selector(&row).ok()??;
        let cells = row.children();
        let mut cells = (0..cells.length()).filter_map(|at| cells.item(at));
        cells.find(|cell| cell.get_attribute("data-column").as_ref() == Some(&column))
    });
    let rect = cell.map(|cell| cell.get_bounding_client_rect());
    let (left, top) = rect.map_or((MARGIN, MARGIN), |rect| (rect.left(), rect.top()));
    let (width, height) = window_size();
    let (room, height) = (width - WIDTH - MARGIN, height - HEIGHT - MARGIN);
    (left.min(room).max(MARGIN), top.min(height).max(MARGIN))
}

/// Returns whether an element belongs to the field.
pub fn is_in(element: &web_sys::Node) -> bool {
    let element = element.dyn_ref::<web_sys::Element>();
    element.is_some_and(|element| matches!(element.closest(".cell-dialog"), Ok(Some(_))))
}
