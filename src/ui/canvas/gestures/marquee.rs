//! The marquee: dragging on the empty canvas selects the cards that it touches.

use super::super::handle::between;
use super::Gestures;
use keyfold_app::viewport::{Area, Selection};
use leptos::prelude::*;

impl Gestures {
    /// Draws the marquee up to the pointer and selects the cards in it; with `extend`, also those selected before.
    pub(super) fn draw_marquee(self, point: (f64, f64), before: &Selection, extend: bool) {
        let none = Selection::new();
        let before = if extend { before } else { &none };
        let area = between(self.start.get_value(), point);
        self.marquee.set(Some(area));
        self.select_within(area, before);
    }

    fn select_within(self, area: Area, before: &Selection) {
        let area = between(
            self.place((area.x, area.y)),
            self.place((area.x + area.width, area.y + area.height)),
        );
        let within: Selection = self.handle.scene.with_untracked(|card_boxes| {
            (card_boxes.iter())
                .filter(|card_box| card_box.area.intersects(area))
                .map(|card_box| card_box.card)
                .chain(before.iter().copied())
                .collect()
        });
        let is_shown = (self.store.selection).with_untracked(|cards| *cards == within);
        if !is_shown || self.store.wire.with_untracked(Option::is_some) {
            self.store.select_cards(within);
        }
    }
}
