//! Keys on a focused card.

use super::{Gestures, card_under};
use crate::ui::dom::element::target_of;
use keyfold_app::card_navigation::Direction;
use keyfold_app::viewport::{Area, rounded};
use keyfold_app::{Command, card_navigation};
use keyfold_core::model::{CardId, Point};
use leptos::ev;
use leptos::prelude::*;

/// Distance of an arrow key's nudge, in canvas pixels; 10 times as far with Shift.
const NUDGE: f64 = 4.0;

impl Gestures {
    /// Arrow keys nudge the selected cards; with Alt they go to the next card in that direction. W follows wires. Page down
    /// and Page up go from card to card, Home and End to the first and the last.
    /// Enter goes to the inspector; on a note, it edits the text. Ctrl+Space adds the card to the selection or removes it;
    /// Alt+Shift+arrow adds the next card in that direction.
    pub fn key(self, event: &ev::KeyboardEvent) {
        let target = target_of(event);
        let card = target
            .filter(|target| target.has_attribute("data-card"))
            .and_then(|target| card_under(&target));
        let Some(card) = card else { return };
        if event.ctrl_key() || event.meta_key() {
            if event.key() == " " {
                event.prevent_default();
                self.store.toggle_card(card);
            }
            return;
        }
        let follows = event.key().eq_ignore_ascii_case("w") && self.page.letters.get_untracked();
        if event.alt_key() || follows {
            // Alt+Left would leave the page.
            if event.key().starts_with("Arrow") {
                event.prevent_default();
            }
            if let Some(next) = self.next_card(card, event) {
                event.prevent_default();
                match event.alt_key() && event.shift_key() {
                    true => self.extend_to(next),
                    false => self.handle.go_to(next),
                }
            }
            return;
        }
        let neighbor = match event.key().as_str() {
            "PageDown" => self.handle.card_from(card, |at, _| Some(at + 1)),
            "PageUp" => self.handle.card_from(card, |at, _| at.checked_sub(1)),
            "Home" => self.handle.card_from(card, |_, _| Some(0)),
            "End" => self.handle.card_from(card, |_, count| count.checked_sub(1)),
            _ => None,
        };
        if let Some(next) = neighbor {
            event.prevent_default();
            return self.handle.go_to(next);
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

    /// Adds a card to the selection, brings it into view and gives it the keyboard focus.
    fn extend_to(self, card: CardId) {
        if !(self.store.selection).with_untracked(|cards| cards.contains(&card)) {
            self.store.toggle_card(card);
        }
        self.handle.reveal(card);
        self.handle.focus(card);
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
        card_navigation::toward(&cards, card, direction)
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
            .with(|design| card_navigation::along_wires(design, from));
        let at = ends.iter().position(|end| *end == card);
        let next = at.map_or(0, |at| (at + 1) % ends.len());
        let next = *ends.get(next)?;
        self.walk.set_value(Some((from, next)));
        Some(next)
    }
}
