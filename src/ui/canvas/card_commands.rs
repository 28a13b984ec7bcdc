//! Commands for the selected cards: clipboard, duplicates, alignment.

use super::handle::CanvasHandle;
use crate::ui::state::clipboard as system;
use keyfold_app::arrange::{self, Align, Axis};
use keyfold_app::viewport::{Area, Selection};
use keyfold_app::{Command, clipboard};
use keyfold_core::model::{CardId, Design, Point};
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::ClipboardEvent;

/// Offset of a copy from its original in both directions, in canvas pixels.
const ASIDE: i32 = 32;

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

    fn move_cards(self, moves: Vec<(CardId, Point)>) {
        if !moves.is_empty() {
            self.store.perform(Command::Move(moves));
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
        let detail = self.store.detail.get_untracked();
        let moves = (self.store).with(|design| arrange::auto_layout(design, detail));
        self.move_cards(moves);
        self.fit();
    }

    /// Returns the selected cards as text for the clipboard; `None` if none of them can be copied.
    fn copied(self) -> Option<String> {
        let selection: Selection = self.store.selection.get_untracked();
        (self.store).with(|design| clipboard::copy(design, &selection))
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
            Some(text) => system::copy(notices, text, system::BY_KEY, then),
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
        system::paste(self.store.notices, Box::new(take));
    }

    /// Adds copies of the selected cards beside them.
    pub fn duplicate(self) {
        if let Some(text) = self.copied()
            && let Ok(clip) = clipboard::read(&text)
        {
            let Point { x, y } = corner(&clip);
            let at = Point {
                x: x + ASIDE,
                y: y + ASIDE,
            };
            self.paste_clip(clip, at, true);
        }
    }

    /// Adds the cards of a clip and gives the first one the keyboard focus.
    fn paste_clip(self, clip: Design, at: Point, duplicates: bool) {
        self.store.paste(clip, at, duplicates);
        let first = (self.store.selection).with_untracked(|cards| cards.first().copied());
        if let Some(card) = first {
            self.focus(card);
        }
    }

    /// Adds the cards of a text: at a place, or beside the originals if those are visible, else in the middle. Each
    /// repeated paste moves one step farther.
    fn paste_text(self, text: &str, at: Option<(f64, f64)>) {
        let clip = match clipboard::read(text) {
            Ok(clip) => clip,
            Err(reason) => {
                self.store
                    .notices
                    .error(format!("Nothing was pasted: {reason}"));
                return;
            }
        };
        let (width, height) = self.size();
        let seen = self.store.viewport.get_untracked().visible(width, height);
        let Point { x, y } = corner(&clip);
        let is_in_sight = |x: i32, y: i32| {
            let (x, y) = (f64::from(x), f64::from(y));
            x > seen.x && y > seen.y && x < seen.x + seen.width && y < seen.y + seen.height
        };
        let times = match self.pasted.get_value() {
            Some((last, times)) if last == text => times + 1,
            _ => 1,
        };
        let aside = ASIDE * times;
        let (x, y) = match at {
            Some((x, y)) => (x as i32, y as i32),
            None if is_in_sight(x + aside, y + aside) => (x + aside, y + aside),
            None => {
                let (x, y) = self.middle();
                (x as i32 + aside, y as i32 + aside)
            }
        };
        self.pasted.set_value(Some((text.to_owned(), times)));
        self.paste_clip(clip, Point { x, y }, false);
    }

    /// Handles the browser's copy, cut and paste events for the canvas.
    pub(super) fn follow_clipboard(self) {
        let text_of = move |event: &ev::Event| {
            let event = event.dyn_ref::<ClipboardEvent>()?;
            about_canvas().then(|| event.clipboard_data()).flatten()
        };
        let copied = move |event: ev::Event, cut: bool| {
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
                self.pasted.set_value(None);
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
    // Without a focus, the event's target depends on the browser.
    let focus = document().active_element();
    let elsewhere = "input, textarea, select, dialog, .panel, .inspector";
    let is_elsewhere =
        focus.is_some_and(|t| t.closest(elsewhere).is_ok_and(|found| found.is_some()));
    let has_text =
        (window().get_selection().ok().flatten()).is_some_and(|text| !text.is_collapsed());
    !is_elsewhere && !has_text
}

/// Returns the top left corner of a clip's cards.
fn corner(clip: &Design) -> Point {
    let least = |of: fn(&Point) -> i32| clip.layout.values().map(of).min().unwrap_or(0);
    Point {
        x: least(|point| point.x),
        y: least(|point| point.y),
    }
}
