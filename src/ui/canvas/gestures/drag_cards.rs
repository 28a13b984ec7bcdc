//! Dragging the selected cards: they snap to other cards unless Ctrl is held; with Alt, dropping adds copies.

use super::super::handle::primary_card;
use super::super::scene::CardBox;
use super::{Gesture, Gestures};
use crate::ui::reactive::set_if_other;
use crate::ui::state::store::CanvasPlace;
use keyfold_app::card_clipboard;
use keyfold_app::snap::{SNAP_DISTANCE, SnapGuide, snap};
use keyfold_app::viewport::{Area, rounded};
use keyfold_core::model::{CardId, Point};
use leptos::prelude::*;

impl Gestures {
    pub(super) fn begin_drag(self, copies: bool) {
        let selection = self.store.selection.get_untracked();
        let cards: Vec<(CardId, CanvasPlace)> = (selection.iter())
            .filter_map(|card| Some((*card, self.store.place(*card)?.get_untracked())))
            .collect();
        let (width, height) = self.handle.size();
        let seen = self.store.viewport.get_untracked().visible(width, height);
        let (moving, others) = self.handle.scene.with_untracked(|card_boxes| {
            let (moving, others): (Vec<&CardBox>, Vec<&CardBox>) = card_boxes
                .iter()
                .partition(|card_box| selection.contains(&card_box.card));
            let moving = moving.into_iter().map(|card_box| card_box.area);
            let others = others.into_iter().map(|card_box| card_box.area);
            let near = others.filter(|area| area.intersects(seen)).collect();
            (moving.reduce(Area::union), near)
        });
        let Some(around) = moving else { return };
        self.gesture.set_value(Gesture::Drag {
            cards,
            around,
            others,
            copies,
        });
        set_if_other(self.handle.busy, true);
    }

    /// Moves the dragged cards to the pointer and shows the guides.
    pub(super) fn draw_drag(
        self,
        point: (f64, f64),
        cards: &[(CardId, CanvasPlace)],
        around: Area,
        others: &[Area],
    ) {
        let (by, guides) = self.dragged(point, around, others);
        for (card, from) in cards {
            if let Some(place) = self.store.place(*card) {
                place.set((from.0 + by.0, from.1 + by.1));
            }
        }
        if self.guides.with_untracked(|shown| *shown != guides) {
            self.guides.set(guides);
        }
    }

    /// Puts dragged cards back to where the drag began.
    pub(super) fn restore_cards(self, cards: &[(CardId, CanvasPlace)]) {
        for (card, from) in cards {
            if let Some(place) = self.store.place(*card) {
                place.set(*from);
            }
        }
    }

    /// Returns the offset of dragged cards, in canvas pixels, and the guides to which they snapped.
    fn dragged(
        self,
        point: (f64, f64),
        around: Area,
        others: &[Area],
    ) -> (CanvasPlace, Vec<SnapGuide>) {
        let zoom = self.store.viewport.get_untracked().zoom;
        let start = self.start.get_value();
        let (dx, dy) = ((point.0 - start.0) / zoom, (point.1 - start.1) / zoom);
        if self.free.get_value() {
            return ((dx, dy), Vec::new());
        }
        let moved = Area {
            x: around.x + dx,
            y: around.y + dy,
            ..around
        };
        let found = snap(moved, others, SNAP_DISTANCE / zoom);
        ((dx + found.dx, dy + found.dy), found.guides)
    }

    /// Ends a drag: the cards stay where they are, or go back if they cannot be moved.
    pub(super) fn drop_cards(self, cards: &[(CardId, CanvasPlace)]) {
        let moves: Vec<(CardId, Point)> = (cards.iter())
            .filter_map(|(card, _)| {
                let place = self.store.place(*card)?;
                let (x, y) = place.get_untracked();
                let point = rounded(x, y);
                place.set((f64::from(point.x), f64::from(point.y)));
                Some((*card, point))
            })
            .collect();
        let moved = self.store.move_cards(moves);
        if moved.is_err() {
            self.restore_cards(cards);
        }
        self.store.complain_if_refused(moved);
    }

    /// Adds copies where the cards are dropped, and restores the dragged cards. The table is not copied.
    pub(super) fn drop_copies(self, cards: &[(CardId, CanvasPlace)]) {
        let Some((card, from)) = cards.first() else {
            return;
        };
        let to = self
            .store
            .place(*card)
            .map_or(*from, |place| place.get_untracked());
        let copied = cards.iter().filter(|(card, _)| *card != primary_card());
        let corner = copied.fold((f64::MAX, f64::MAX), |corner, (_, (x, y))| {
            (corner.0.min(*x), corner.1.min(*y))
        });
        let at = (corner.0 + to.0 - from.0, corner.1 + to.1 - from.1);
        self.restore_cards(cards);
        let selection = cards.iter().map(|(card, _)| *card).collect();
        let text = (self.store).with(|design| card_clipboard::copy(design, &selection));
        if let Some(Ok(clip)) = text.map(|text| card_clipboard::read(&text)) {
            self.store.paste(clip, rounded(at.0, at.1), true);
        }
    }
}
