//! Commands for many cells: copy, cut, paste, clear, fill down.

use super::grid::Grid;
use super::handle::CopyFormat;
use super::selected_cells::{CellId, TableSelection};
use crate::ui::dom::focus::{has_focus_in, has_selected_text};
use crate::ui::state::clipboard_notices;
use keyfold_app::grid::Sheet;
use keyfold_app::grid::cells::{Cells, say_undeclared};
use keyfold_app::grid::copy::{self, Copied};
use keyfold_app::grid::fill::{self, CellChange};
use keyfold_app::grid::paste::{PasteResult, paste};
use keyfold_app::{Command, SampleEdits};
use keyfold_core::model::{EntityId, SampleId};
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use web_sys::ClipboardEvent;

impl Grid {
    /// Returns the selected cells as text; `None` if there are none.
    fn copied(self, form: CopyFormat) -> Option<String> {
        let area = self.area();
        let any = !area.lines.is_empty();
        any.then(|| {
            self.with_cells(|cells| match form {
                CopyFormat::Text => {
                    let copied = Copied::new(cells, &area);
                    let text = copied.text.clone();
                    self.tables.copied.set_value(Some(Arc::new(copied)));
                    text
                }
                CopyFormat::Csv => copy::csv(cells, &area),
                CopyFormat::Json => copy::json(cells, &area.lines),
            })
        })
    }

    /// Copies the selected cells, for a menu; keys use the browser's own events.
    pub fn copy(self, form: CopyFormat) {
        self.copy_then(form, Box::new(|| {}));
    }

    /// Copies the cells; if the browser allowed that, clears them, or deletes whole rows.
    pub fn cut(self) {
        if !self.can_cut() {
            return;
        }
        // The browser may answer late: only the copied cells are cleared.
        let choice = self.choice();
        let clear = move || {
            if self.is_of(&choice) {
                self.clear_those(&choice);
            }
        };
        self.copy_then(CopyFormat::Text, Box::new(clear));
    }

    /// Returns whether the selected cells can be cut. If the copy of whole rows would lack a value, says so.
    fn can_cut(self) -> bool {
        let area = self.area();
        let left_out = || self.with_cells(|cells| copy::left_out(cells, &area.lines));
        let lost = area.whole.then(left_out).flatten();
        if let Some(name) = &lost {
            self.store.notices.say(format!(
                "Nothing was cut: the copy would lack `{name}`, which is not shown. Cut the rows in the table with all columns, or delete them."
            ));
        }
        lost.is_none()
    }

    fn copy_then(self, form: CopyFormat, then: Box<dyn FnOnce()>) {
        let notices = self.store.notices;
        match self.copied(form) {
            Some(text) => clipboard_notices::copy(notices, text, clipboard_notices::BY_KEY, then),
            None => notices.say("Nothing to copy. Select a cell."),
        }
    }

    /// Pastes the clipboard, for a menu.
    pub fn paste(self) {
        // The browser may ask for permission first: paste only into the table where it was requested.
        let choice = self.choice();
        let take = move |text: &str| match self.is_of(&choice) {
            true => self.paste_at(&choice, text),
            false => self
                .store
                .notices
                .say("Nothing was pasted: another table is open."),
        };
        clipboard_notices::paste(self.store.notices, Box::new(take));
    }

    /// Clears the selected cells; deletes them if they are whole rows.
    pub fn clear(self) {
        self.clear_those(&self.choice());
    }

    fn clear_those(self, choice: &TableSelection) {
        let area = self.area_of(choice);
        match area.whole {
            true => self.delete(choice),
            false => self.change_cells(|cells| fill::clear(cells, &area)),
        }
    }

    /// Copies the first selected row to the others, or continues its series.
    pub fn fill_down(self, series: bool) {
        let area = self.area();
        self.change_cells(|cells| fill::down(cells, &area, series));
    }

    fn change_cells(self, change: impl FnOnce(&Cells) -> CellChange) {
        let change = self.with_cells(change);
        let mut left = Vec::new();
        if change.locked > 0 {
            left.push(format!(
                "{} that a template renders or the index does not project",
                change.locked
            ));
        }
        if change.mismatched > 0 {
            left.push(format!("{} with another type", change.mismatched));
        }
        let undeclared = say_undeclared(&change.undeclared);
        let done = change.edits.values.len();
        if !self.run(change.edits) {
            return;
        }
        let what = if done == 1 { "cell" } else { "cells" };
        let mut said = format!("{done} {what} changed");
        if !left.is_empty() {
            said = format!("{said}; unchanged: {}", left.join(", "));
        }
        if let Some(undeclared) = &undeclared {
            said = format!("{said}. {undeclared}.");
        }
        if !left.is_empty() || undeclared.is_some() {
            self.hint.set(Some(said.clone()));
        }
        self.store.spoken.set(said);
        self.once_shown(move || self.reveal());
    }

    /// Carries out the edits and returns whether they were accepted.
    fn run(self, edits: SampleEdits) -> bool {
        edits.is_empty() || self.perform(Command::EditSamples(Box::new(edits)))
    }

    /// Runs a command and returns whether it was accepted. Shows a refusal as a message.
    pub fn perform(self, command: Command) -> bool {
        let result = self.store.run(command);
        let is_done = result.is_ok();
        self.store.complain_if_refused(result);
        is_done
    }

    /// Pastes a text, starting at the active cell.
    pub fn paste_text(self, text: &str) {
        self.paste_at(&self.choice(), text);
    }

    fn paste_at(self, choice: &TableSelection, text: &str) {
        let area = self.area_of(choice);
        let of_active = || {
            let sample = choice.active.as_ref()?.sample;
            self.sheet.with_untracked(|sheet| {
                let line = sheet.find(sample, 0)?;
                sheet.item(line).map(|item| item.entity)
            })
        };
        let entity = of_active().or_else(|| untrack(|| self.new_row_entity()));
        let copied = self.tables.copied.get_value();
        let pasted = self.with_cells(|cells| paste(cells, &area, entity, text, copied.as_deref()));
        match pasted {
            Ok(pasted) => self.show_pasted(pasted),
            Err(reason) => {
                let text = format!("Nothing was pasted: {reason}.");
                self.store.notices.complain(text);
            }
        }
    }

    fn show_pasted(self, pasted: PasteResult) {
        let summary = pasted.summary();
        let PasteResult {
            edits,
            filled,
            columns,
            skipped,
            locked,
            undeclared,
            ..
        } = pasted;
        let added: Vec<EntityId> = edits.added.iter().map(|(entity, _)| *entity).collect();
        let quiet = added.is_empty() && locked == 0 && skipped.is_empty() && undeclared.is_empty();
        if !self.run(edits) {
            return;
        }
        if !skipped.is_empty() {
            self.store.notices.complain(summary);
        } else if quiet {
            self.store.spoken.set(summary);
        } else {
            self.store.notices.say(summary);
        }
        if filled.is_empty() {
            return self.select_newest(&added);
        }
        self.once_shown(move || self.select_pasted(&filled, columns));
    }

    /// Selects the pasted rows in these columns: the first one and their number.
    fn select_pasted(self, filled: &[SampleId], columns: (usize, usize)) {
        let (Some(first), Some(last)) = (filled.first(), filled.last()) else {
            return;
        };
        let spot = |sample: SampleId, column: usize| {
            let name = self.names().get(column).cloned();
            CellId {
                sample,
                column: name,
            }
        };
        self.activate(spot(*first, columns.0));
        if filled.len() > 1 || columns.1 > 1 {
            // New keys may have moved the rows: others may now be between them.
            let corner = spot(*last, columns.0 + columns.1.max(1) - 1);
            self.select_items(corner, filled.iter().copied().collect());
            self.reveal();
        }
    }

    /// Selects the rows added last, the given number of each entity, and goes to the first.
    pub fn select_newest(self, added: &[EntityId]) {
        let new = self.store.with(|design| {
            let of = |entity: &EntityId| {
                let count = added.iter().filter(|other| *other == entity).count();
                let samples = design.samples_of(*entity);
                let new = samples.iter().skip(samples.len().saturating_sub(count));
                new.map(|sample| sample.id).collect::<Vec<_>>()
            };
            FxHashSet::from_iter(design.entities.keys().flat_map(of))
        });
        self.once_shown(move || self.select_new(new));
    }

    fn select_new(self, new: FxHashSet<SampleId>) {
        let first = |sheet: &Sheet| {
            let mut items = (0..sheet.len()).filter_map(|line| sheet.item(line));
            items.find(|item| new.contains(&item.id())).map(|i| i.id())
        };
        let Some(sample) = self.sheet.with_untracked(|sheet| first(sheet)) else {
            return;
        };
        self.activate(CellId {
            sample,
            column: None,
        });
        if new.len() > 1 {
            self.selected.set(new);
        }
    }

    /// Handles the browser's copy, cut and paste events for cells.
    pub fn follow_clipboard(self) {
        let data_of = move |event: &ev::Event| {
            let event = event.dyn_ref::<ClipboardEvent>()?;
            self.is_on_cells().then(|| event.clipboard_data()).flatten()
        };
        let copied = move |event: ev::Event, cut: bool| {
            if self.is_on_cells() && cut && !self.can_cut() {
                return event.prevent_default();
            }
            if let Some(data) = data_of(&event)
                && let Some(text) = self.copied(CopyFormat::Text)
                && data.set_data("text/plain", &text).is_ok()
            {
                event.prevent_default();
                match cut {
                    true => self.clear(),
                    false => self.store.spoken.set("Copied".to_owned()),
                }
            }
        };
        let listeners = [
            window_event_listener_untyped("copy", move |event| copied(event, false)),
            window_event_listener_untyped("cut", move |event| copied(event, true)),
            window_event_listener_untyped("paste", move |event| {
                let text = data_of(&event).and_then(|data| data.get_data("text/plain").ok());
                if let Some(text) = text.filter(|text| !text.is_empty()) {
                    event.prevent_default();
                    self.paste_text(&text);
                }
            }),
        ];
        on_cleanup(move || listeners.into_iter().for_each(WindowListenerHandle::remove));
    }

    /// Returns whether keys go to the cells: the focus is not in a field or on a column head, and no text is selected.
    fn is_on_cells(self) -> bool {
        let other = "input, textarea, select, .grid-head";
        self.has_focus() && !has_focus_in(other) && !has_selected_text()
    }
}
