//! Clicks on the canvas: a click selects a card, and a double click edits or adds.

use super::super::hit_test::field_of;
use super::super::pieces::{self, Piece};
use super::{Gesture, Gestures, at_of, closest};
use crate::ui::dom::focus::focus_soon;
use crate::ui::state::page_state::Pane;
use keyfold_app::geometry::{ENTITY_WIDTH, HEAD};
use keyfold_core::model::CardId;
use leptos::ev;
use leptos::prelude::*;

/// Maximum time from the first press of a double click to its end, in milliseconds; browsers use half of it.
const DOUBLE_CLICK: f64 = 1000.0;
/// Maximum distance between the presses of a double click, in CSS pixels.
const NEAR: f64 = 16.0;

impl Gestures {
    /// Selects the pressed card before it moves; with Shift, Ctrl or Cmd, the other cards stay selected.
    pub(super) fn press_card(self, card: CardId, event: &ev::PointerEvent) -> Gesture {
        let was_selected = (self.store.selection).with_untracked(|s| s.contains(&card));
        let extend = event.shift_key() || event.ctrl_key() || event.meta_key();
        if extend {
            let mut cards = self.store.selection.get_untracked();
            cards.insert(card);
            self.store.select_cards(cards);
        } else if !was_selected {
            self.store.select(card);
        }
        Gesture::Press {
            card,
            extend,
            was_selected,
        }
    }

    /// Ends a press that did not move: of several selected cards, only the clicked one stays selected; with Shift, Ctrl
    /// or Cmd, it is deselected.
    pub(super) fn click(self, card: CardId, extend: bool, was_selected: bool) {
        match (extend, was_selected) {
            (true, true) => self.store.selection.update(|cards| {
                cards.remove(&card);
            }),
            (false, true) => self.store.select(card),
            _ => {}
        }
    }

    /// A double click on a card's name or on a note edits it in place; elsewhere on a card it goes to the inspector; on empty
    /// canvas it adds an entity.
    pub fn double_click(self, event: &ev::MouseEvent) {
        // If the element under the first click disappears, only the second click is on the canvas.
        let [(time, first), _] = self.presses.get_value();
        let (x, y) = at_of(event);
        if event.time_stamp() - time > DOUBLE_CLICK || (x - first.0).hypot(y - first.1) > NEAR {
            return;
        }
        // After a press has begun a gesture, the event's own target is the canvas.
        let Some(target) = document().element_from_point(x as f32, y as f32) else {
            return;
        };
        let others =
            ".canvas-corner, .minimap, .welcome, [data-port], [data-wire], input, textarea";
        if closest(&target, others).is_some() {
            return;
        }
        if closest(&target, ".card-head, .note-card").is_some() {
            self.handle.rename();
        } else if closest(&target, "[data-card]").is_some() {
            self.page.pane.set(Pane::Inspector);
            focus_soon(self.store.with(|design| field_of(design, &target)));
        } else if let Some(place) = self.handle.place_under(x, y) {
            pieces::add(
                self.handle,
                Piece::Entity,
                (place.0 - ENTITY_WIDTH / 2.0, place.1 - HEAD / 2.0),
            );
        }
    }
}
