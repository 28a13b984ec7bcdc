//! The palette: pieces that are dragged onto the canvas, or added in its middle by a click or a key.

use super::desk::{Desk, Pane, use_desk};
use super::parts::icon::{Glyph, Icon};
use super::store::{Store, use_store};
use crate::ui::canvas::ROOM;
use crate::ui::parts::erased::{RwSignal, Show};
use keyfold_app::geometry::{ENTITY_WIDTH, HEAD, INDEX_WIDTH, entity_height, index_height};
use keyfold_app::session::rounded;
use keyfold_app::{Command, placement, suggest};
use keyfold_core::model::{CardId, IndexKind};
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::Element;

/// What can be dragged from the palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// An entity.
    Entity,
    /// A global secondary index.
    Gsi,
    /// A local secondary index.
    Lsi,
}

impl Piece {
    fn size(self, store: Store) -> (f64, f64) {
        store.with(|design| match self {
            Piece::Entity => {
                let entity = suggest::new_entity(&mut design.clone(), "Entity".into());
                (
                    ENTITY_WIDTH,
                    entity_height(&entity, store.detail.get_untracked()),
                )
            }
            Piece::Gsi => {
                let index = suggest::new_index(design, IndexKind::Gsi);
                (
                    INDEX_WIDTH,
                    index_height(&index.key, store.detail.get_untracked()),
                )
            }
            Piece::Lsi => {
                let index = suggest::new_index(design, IndexKind::Lsi);
                (
                    INDEX_WIDTH,
                    index_height(&index.key, store.detail.get_untracked()),
                )
            }
        })
    }
}

/// Adds a piece with its top left corner at a canvas place, and selects it.
pub fn add(store: Store, piece: Piece, at: (f64, f64)) {
    let at = rounded(at.0, at.1);
    let command = store.with(|design| {
        let index = |kind| Command::AddIndex {
            index: Box::new(suggest::new_index(design, kind)),
            at,
        };
        match piece {
            Piece::Entity => Command::AddEntity {
                name: suggest::entity_name(design),
                at,
            },
            Piece::Gsi => index(IndexKind::Gsi),
            Piece::Lsi => index(IndexKind::Lsi),
        }
    });
    if let Err(refused) = store.run(command) {
        store.notices.complain(refused.to_string());
        return;
    }
    // The newest part has the greatest id.
    let added = store.with(|design| match piece {
        Piece::Entity => (design.entities.last_key_value()).map(|(id, _)| CardId::Entity(*id)),
        _ => (design.indexes.last_key_value()).map(|(id, _)| CardId::Index(*id)),
    });
    if let Some(card) = added {
        store.select(card);
        // The first thing to do is to name it.
        super::keyboard::focus_first_field();
    }
}

/// How far on the left of the middle the first entity is put, in canvas pixels.
const FIRST: f64 = 100.0;

/// Adds a piece at the free place nearest to the middle of the canvas, and shows it.
pub fn add_in_middle(store: Store, desk: Desk, piece: Piece) {
    let (x, y) = desk.canvas.middle();
    let (width, height) = piece.size(store);
    // The first entity leaves room for its wire to the table, which is on the right.
    let is_first = piece == Piece::Entity && store.entity_ids.with_untracked(Vec::is_empty);
    let is_room = desk.canvas.size().0 >= ROOM;
    let aside = if is_first && is_room { FIRST } else { 0.0 };
    let wanted = (x - width / 2.0 - aside, y - height / 2.0);
    // Filled in, it is to cover no neighbour.
    let room = match piece {
        Piece::Entity => height.max(placement::FILLED_ENTITY_HEIGHT),
        Piece::Gsi | Piece::Lsi => height,
    };
    let at = store.with(|design| placement::free_place(design, wanted, width, room));
    add(store, piece, at);
    desk.pane.set(Pane::Canvas);
    if let Some(card) = store
        .selection
        .with_untracked(|cards| cards.first().copied())
    {
        desk.canvas.reveal(card);
    }
}

/// The palette.
#[component]
pub fn Palette() -> impl IntoView {
    view! {
        <div class="palette" role="group" aria-label="Add to the design">
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
    let desk = use_desk();
    let start = StoredValue::new(None::<(f64, f64)>);
    let ghost = RwSignal::new(None::<(f64, f64)>);
    // The click that ends a drag, or one that Escape has ended, adds nothing.
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
                        // On a small screen the canvas is behind the outline.
                        desk.pane.set(Pane::Canvas);
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
                if was_dragged && let Some(place) = desk.canvas.place_under(x, y) {
                    let (width, _) = piece.size(store);
                    add(store, piece, (place.0 - width / 2.0, place.1 - HEAD / 2.0));
                }
            }
            on:pointercancel=move |_| end()
            on:click=move |event| {
                let by_key = event.detail() == 0;
                if by_key || !dragged.get_value() {
                    add_in_middle(store, desk, piece);
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
