//! Keys on a focused card.

use super::super::hit_test::field_of;
use super::{Gestures, at_of, card_under, closest};
use crate::ui::dom::focus::focus_soon;
use crate::ui::state::page_state::Pane;
use keyfold_app::geometry::{ENTITY_WIDTH, HEAD};
use keyfold_app::navigate::Direction;
use keyfold_app::viewport::{Area, rounded};
use keyfold_app::{Command, navigate};
use keyfold_core::model::{CardId, Point};
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::Element;

/// Distance of an arrow key's nudge, in canvas pixels; 10 times as far with Shift.
const NUDGE: f64 = 4.0;

/// Maximum time from the first press of a double click to its end, in milliseconds; browsers use half of it.
const DOUBLE_CLICK: f64 = 1000.0;
/// Maximum distance between the presses of a double click, in CSS pixels.
const NEAR: f64 = 16.0;

impl Gestures {
    /// Arrow keys nudge the selected cards; with Alt they go to the next card in that direction. W follows wires.
    /// Enter goes to the inspector; on a note, it edits the text.
    pub fn key(self, event: &ev::KeyboardEvent) {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        let card = target
            .filter(|target| target.has_attribute("data-card"))
            .and_then(|target| card_under(&target));
        let Some(card) = card.filter(|_| !event.ctrl_key() && !event.meta_key()) else {
            return;
        };
        if event.alt_key() || event.key().eq_ignore_ascii_case("w") {
            // Alt+Left would leave the page.
            if event.key().starts_with("Arrow") {
                event.prevent_default();
            }
            if let Some(next) = self.next_card(card, event) {
                event.prevent_default();
                self.handle.go_to(next);
            }
            return;
        }
        let step = if event.shift_key() {
            NUDGE * 10.0
        } else {
            NUDGE
        };
        let by = match event.key().as_str() {
            "ArrowLeft" => (-step, 0.0),
            "ArrowRight" => (step, 0.0),
            "ArrowUp" => (0.0, -step),
            "ArrowDown" => (0.0, step),
            "Enter" if matches!(card, CardId::Note(_)) => {
                event.prevent_default();
                self.handle.write_note(card);
                return;
            }
            "Enter" => {
                event.prevent_default();
                crate::ui::state::navigate::focus_inspector(self.page);
                return;
            }
            _ => return,
        };
        event.prevent_default();
        let moves: Vec<(CardId, Point)> = self.store.selection.with_untracked(|cards| {
            (cards.iter())
                .filter_map(|card| {
                    let (x, y) = self.store.place(*card)?.get_untracked();
                    Some((*card, rounded(x + by.0, y + by.1)))
                })
                .collect()
        });
        let first = moves.first().map(|(card, _)| *card);
        self.store.perform(Command::Move(moves));
        if let Some(card) = first {
            self.handle.reveal(card);
        }
    }

    /// Returns the card that a key leads to: with Alt and an arrow, the next one in that direction; with W, the end
    /// of the next wire; with Shift+W, the card where following wires began.
    fn next_card(self, card: CardId, event: &ev::KeyboardEvent) -> Option<CardId> {
        let direction = match event.key().as_str() {
            "ArrowLeft" => Direction::Left,
            "ArrowRight" => Direction::Right,
            "ArrowUp" => Direction::Up,
            "ArrowDown" => Direction::Down,
            "w" | "W" if !event.alt_key() => return self.along_wires(card, event.shift_key()),
            _ => return None,
        };
        let cards: Vec<(CardId, Area)> = (self.handle.scene)
            .with_untracked(|card_boxes| card_boxes.iter().map(|p| (p.card, p.area)).collect());
        navigate::toward(&cards, card, direction)
    }

    fn along_wires(self, card: CardId, back: bool) -> Option<CardId> {
        // Repeated W visits all wires of the card where it began.
        let walked = self.walk.get_value().filter(|(_, last)| *last == card);
        let from = walked.map_or(card, |(from, _)| from);
        if back {
            self.walk.set_value(None);
            return walked.map(|(from, _)| from);
        }
        let ends = self
            .store
            .with(|design| navigate::along_wires(design, from));
        let at = ends.iter().position(|end| *end == card);
        let next = at.map_or(0, |at| (at + 1) % ends.len());
        let next = *ends.get(next)?;
        self.walk.set_value(Some((from, next)));
        Some(next)
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
        let others = ".canvas-corner, .welcome, [data-port], [data-wire], input, textarea";
        if closest(&target, others).is_some() {
            return;
        }
        if closest(&target, ".card-head, .note-card").is_some() {
            self.handle.rename();
        } else if closest(&target, "[data-card]").is_some() {
            self.page.pane.set(Pane::Inspector);
            focus_soon(self.store.with(|design| field_of(design, &target)));
        } else if let Some(place) = self.handle.place_under(x, y) {
            super::super::pieces::add(
                self.handle,
                super::super::pieces::Piece::Entity,
                (place.0 - ENTITY_WIDTH / 2.0, place.1 - HEAD / 2.0),
            );
        }
    }
}
