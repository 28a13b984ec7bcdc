//! Commands for the selected cards: clipboard, duplicates, alignment.

use super::handle::{CanvasHandle, TOOLS};
use crate::ui::dom::focus::{has_focus_in, has_selected_text};
use crate::ui::reactive::on_demand::when_loaded;
use crate::ui::state::action_registry::NOT_ABOUT_CARDS;
use crate::ui::state::arrangement::load_arrange;
use crate::ui::state::clipboard_notices;
use keyfold_app::arrange::{self, Align, Axis};
use keyfold_app::viewport::{Area, Selection, rounded};
use keyfold_app::{card_clipboard, placement};
use keyfold_core::model::{CardId, Design, Point};
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::ClipboardEvent;

/// Distance of a new card from the selected one, in canvas pixels: the one between columns of arranged cards.
const BESIDE: f64 = 96.0;
/// Distance of a new card from the edge of the canvas, in CSS pixels.
const EDGE: f64 = 16.0;

impl CanvasHandle {
    fn selected_areas(self) -> Vec<(CardId, Area)> {
        let selection = self.store.selection.get_untracked();
        self.scene.with_untracked(|card_boxes| {
            (card_boxes.iter())
                .filter(|card_box| selection.contains(&card_box.card))
                .map(|card_box| (card_box.card, card_box.area))
                .collect()
        })
    }

    /// Returns the place beside the selected card if exactly one is selected.
    pub(super) fn beside_selected(self) -> Option<(f64, f64)> {
        match self.selected_areas().as_slice() {
            [(_, area)] => Some((area.x + area.width + BESIDE, area.y)),
            _ => None,
        }
    }

    /// Returns the free place nearest to `wanted` for cards of this size, in sight if there is one.
    pub(super) fn free_place(self, wanted: (f64, f64), size: (f64, f64)) -> (f64, f64) {
        let (width, height) = self.size();
        let viewport = self.store.viewport.get_untracked();
        let seen = viewport
            .visible(width, height - TOOLS)
            .grown(-EDGE / viewport.zoom);
        (self.store).with(|design| placement::free_place(design, wanted, size, Some(seen)))
    }

    fn move_cards(self, moves: Vec<(CardId, Point)>) {
        if !moves.is_empty() {
            self.store.complain_if_refused(self.store.move_cards(moves));
        }
    }

    /// Aligns the edges or middles of the selected cards.
    pub fn align(self, to: Align) {
        self.move_cards(arrange::align(&self.selected_areas(), to));
    }

    /// Makes the gaps between the selected cards equal.
    pub fn distribute(self, along: Axis) {
        self.move_cards(arrange::distribute(&self.selected_areas(), along));
    }

    /// Arranges all cards and shows them.
    pub fn arrange_all(self) {
        let (store, (width, height)) = (self.store, self.size());
        let in_design = store.opened.get_untracked();
        when_loaded(store.view, load_arrange(), move |arrange| match arrange {
            Ok(_) if store.opened.get_untracked() != in_design => {}
            Ok(arrange) => {
                let room = (width, (height - TOOLS).max(height / 2.0));
                let detail = store.detail.get_untracked();
                let moves = store.with(|design| arrange(design, detail, room));
                self.move_cards(moves);
                self.fit();
            }
            Err(error) => store
                .notices
                .error(format!("Nothing was arranged: {error}.")),
        });
    }

    /// Returns the selected cards as text for the clipboard; `None` if none of them can be copied.
    fn copied(self) -> Option<String> {
        let selection: Selection = self.store.selection.get_untracked();
        (self.store).with(|design| card_clipboard::copy(design, &selection))
    }

    /// Copies the selected cards, for a menu; keys use the browser's own events.
    pub fn copy(self) {
        self.copy_then(Box::new(|| {}));
    }

    /// Copies the selected cards, and deletes them if the browser allowed the copy.
    pub fn cut(self) {
        // The browser may answer late: only the copied cards are deleted.
        let cards = self.store.selection.get_untracked();
        let store = self.store;
        self.copy_then(store.in_this_design(move || store.delete_cards(&cards)));
    }

    fn copy_then(self, then: Box<dyn FnOnce()>) {
        let notices = self.store.notices;
        match self.copied() {
            Some(text) => clipboard_notices::copy(notices, text, clipboard_notices::BY_KEY, then),
            None => notices.say("Nothing to copy. Select an entity, an index or a note."),
        }
    }

    /// Pastes the cards of the clipboard, for a menu.
    pub fn paste(self, at: Option<(f64, f64)>) {
        let opened = self.store.opened.get_untracked();
        let take = move |text: &str| match self.store.opened.get_untracked() == opened {
            true => self.paste_text(text, at),
            false => (self.store.notices).say("Nothing was pasted: another design is open."),
        };
        clipboard_notices::paste(self.store.notices, Box::new(take));
    }

    /// Adds copies of the selected cards beside them.
    pub fn duplicate(self) {
        if let Some(text) = self.copied()
            && let Ok(clip) = card_clipboard::read(&text)
        {
            self.paste_clip(clip, None, true);
        }
    }

    /// Adds the cards of a clip at the free place nearest to `at`, or to the right of the originals if those are visible, else
    /// to the middle. Gives the first card the keyboard focus.
    fn paste_clip(self, clip: Design, at: Option<(f64, f64)>, duplicates: bool) {
        let Some(area) = placement::clip_area(&clip) else {
            return;
        };
        let (width, height) = self.size();
        let seen = self.store.viewport.get_untracked().visible(width, height);
        let wanted = at.unwrap_or_else(|| match area.intersects(seen) {
            true => (area.x + area.width + BESIDE, area.y),
            false => {
                let (x, y) = self.middle();
                (x - area.width / 2.0, y - area.height / 2.0)
            }
        });
        let (x, y) = self.free_place(wanted, (area.width, area.height));
        self.store.paste(clip, rounded(x, y), duplicates);
        let first = (self.store.selection).with_untracked(|cards| cards.first().copied());
        if let Some(card) = first {
            self.focus(card);
        }
    }

    /// Adds the cards of a text, near a place if it is given. A text of another tool goes to the dialog that imports designs.
    fn paste_text(self, text: &str, at: Option<(f64, f64)>) {
        if card_clipboard::is_foreign_file(text)
            && let Some(take) = self.take_foreign.get_value()
        {
            return take.run(text.to_owned());
        }
        let clip = match card_clipboard::read(text) {
            Ok(clip) => clip,
            Err(reason) => {
                self.store
                    .notices
                    .error(format!("Nothing was pasted: {reason}."));
                return;
            }
        };
        self.paste_clip(clip, at, false);
    }

    /// Handles the browser's copy, cut and paste events for the canvas.
    pub(super) fn follow_clipboard(self) {
        let text_of = move |event: &ev::Event| {
            let event = event.dyn_ref::<ClipboardEvent>()?;
            about_canvas().then(|| event.clipboard_data()).flatten()
        };
        let copied = move |event: ev::Event, cut: bool| {
            if cut && has_focus_in(NOT_ABOUT_CARDS) {
                return;
            }
            if let Some(data) = text_of(&event)
                && let Some(text) = self.copied()
                && data.set_data("text/plain", &text).is_ok()
            {
                event.prevent_default();
                if cut {
                    self.store.delete_selected();
                } else {
                    self.store.spoken.set("Copied".to_owned());
                }
            }
        };
        let listeners = [
            window_event_listener_untyped("copy", move |event| copied(event, false)),
            window_event_listener_untyped("cut", move |event| copied(event, true)),
            window_event_listener_untyped("paste", move |event| {
                let text = text_of(&event).and_then(|data| data.get_data("text/plain").ok());
                if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
                    event.prevent_default();
                    self.paste_text(&text, None);
                }
            }),
        ];
        on_cleanup(move || listeners.into_iter().for_each(WindowListenerHandle::remove));
    }
}

/// Returns whether a clipboard event concerns cards, and not selected text, a field or the table.
fn about_canvas() -> bool {
    let elsewhere = "input, textarea, select, dialog, .panel, .inspector, .context-menu";
    // Without a focus, the event's target depends on the browser.
    !has_focus_in(elsewhere) && !has_selected_text()
}
