//! The palette: drag a piece onto the canvas, or add it in the middle by a click or a key.

use super::handle::use_canvas;
use super::pieces::{Piece, add, add_in_middle};
use crate::ui::reactive::erased::{RwSignal, Show};
use crate::ui::state::page_state::{Pane, use_page};
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::geometry::HEAD;
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::Element;

/// The palette.
#[component]
pub fn Palette() -> impl IntoView {
    view! {
        <div class="palette" role="group" aria-label="Add to design">
            <PaletteButton
                piece=Piece::Entity
                glyph=Glyph::Entity
                name="Entity"
                title="Drag onto the canvas, or click to add (E)"
            />
            <PaletteButton
                piece=Piece::Gsi
                glyph=Glyph::Index
                name="GSI"
                title="Global secondary index: drag onto the canvas, or click to add (G)"
            />
            <PaletteButton
                piece=Piece::Lsi
                glyph=Glyph::Index
                name="LSI"
                title="Local secondary index: drag onto the canvas, or click to add"
            />
            <PaletteButton
                piece=Piece::Note
                glyph=Glyph::Note
                name="Note"
                title="Drag onto the canvas, or click to add (N)"
            />
        </div>
    }
}

#[component]
fn PaletteButton(
    piece: Piece,
    glyph: Glyph,
    name: &'static str,
    title: &'static str,
) -> impl IntoView {
    let store = use_store();
    let (page, canvas) = (use_page(), use_canvas());
    let start = StoredValue::new(None::<(f64, f64)>);
    let ghost = RwSignal::new(None::<(f64, f64)>);
    // A click that ends a drag, canceled or not, adds nothing.
    let dragged = StoredValue::new(false);
    let point =
        |event: &ev::PointerEvent| (f64::from(event.client_x()), f64::from(event.client_y()));
    let end = move || {
        start.set_value(None);
        ghost.set(None);
    };
    let escape = window_event_listener(ev::keydown, move |event| {
        if event.key() == "Escape" && start.get_value().is_some() {
            dragged.set_value(true);
            end();
        }
    });
    on_cleanup(move || escape.remove());
    view! {
        <button
            class="palette-button"
            title=title
            data-piece=name
            on:pointerdown=move |event| {
                if event.button() == 0 {
                    start.set_value(Some(point(&event)));
                    dragged.set_value(false);
                    let target = event.current_target().and_then(|t| t.dyn_into::<Element>().ok());
                    if let Some(target) = target {
                        let _ = target.set_pointer_capture(event.pointer_id());
                    }
                }
            }
            on:pointermove=move |event| {
                let Some(from) = start.get_value() else { return };
                let to = point(&event);
                if ghost.with_untracked(Option::is_some)
                    || (to.0 - from.0).hypot(to.1 - from.1) >= 4.0
                {
                    if ghost.with_untracked(Option::is_none) {
                        page.pane.set(Pane::Canvas);
                    }
                    ghost.set(Some(to));
                }
            }
            on:pointerup=move |event| {
                if start.get_value().is_none() {
                    return;
                }
                let was_dragged = ghost.with_untracked(Option::is_some);
                end();
                dragged.set_value(was_dragged);
                let (x, y) = point(&event);
                if was_dragged && let Some(place) = canvas.place_under(x, y) {
                    let (width, _) = piece.size(store);
                    add(canvas, piece, (place.0 - width / 2.0, place.1 - HEAD / 2.0));
                }
            }
            on:pointercancel=move |_| end()
            on:click=move |event| {
                let by_key = event.detail() == 0;
                if by_key || !dragged.get_value() {
                    add_in_middle(page, canvas, piece);
                }
                dragged.set_value(false);
            }
        >
            <Icon glyph=glyph />
            <span>{name}</span>
        </button>
        <Show when=move || ghost.with(Option::is_some)>
            <div
                class="drag-ghost"
                aria-hidden="true"
                style:left=move || format!("{}px", ghost.get().map_or(0.0, |at| at.0))
                style:top=move || format!("{}px", ghost.get().map_or(0.0, |at| at.1))
            >
                <Icon glyph=glyph />
                {name}
            </div>
        </Show>
    }
}
