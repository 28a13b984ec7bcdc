//! Find in the table: a field above the table that goes from match to match.

use super::grid::Grid;
use crate::ui::dom::key_chords::is_composing;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{RwSignal, Show, effect, memo};
use crate::ui::reactive::sliced_task::{Progress, SlicedTask, When};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::grid::find::{CellPosition, CellSearch};
use leptos::ev;
use leptos::html::Input;
use leptos::prelude::*;
use std::sync::Arc;

/// Lines between two checks of the clock.
const STEP: usize = 500;

impl Grid {
    /// Opens the field, or focuses it again.
    pub fn open_find(self) {
        match self.find.with_untracked(Option::is_some) {
            true => self.find.update(|_| {}),
            false => self.find.set(Some(String::new())),
        }
    }

    /// Makes a cell active and visible; the keyboard focus does not move.
    fn show(self, (line, column): CellPosition) {
        let (line, column) = (line as usize, column as usize + 1);
        if !self.commit(None) {
            return;
        }
        if let Some(spot) = self.spot(line, column) {
            self.select_nothing();
            self.active.set(Some(spot));
            self.reveal_line(line);
            self.reveal_column(column);
        }
    }

    fn place(self) -> CellPosition {
        let (line, column) = self.at().unwrap_or((0, 1));
        (line as u32, column.saturating_sub(1) as u32)
    }
}

/// The field, while it is open.
#[component]
pub fn FindBar(
    /// The table.
    grid: Grid,
) -> impl IntoView {
    let is_open = memo(move |_| grid.find.with(Option::is_some));
    view! {
        <Show when=move || is_open.get()>
            <Field grid=grid />
        </Show>
    }
}

#[component]
fn Field(grid: Grid) -> impl IntoView {
    let field: NodeRef<Input> = NodeRef::new();
    let found = RwSignal::new(ByPtr(Arc::new(Vec::new())));
    let task = SlicedTask::new();
    // Whether the results are of the current search. Positions from an earlier search are other cells by now.
    let is_found = StoredValue::new(false);
    // A request to [`go`] that waits until the search is complete.
    let wanted = StoredValue::new(None);
    effect(move || {
        grid.find.track();
        if let Some(field) = field.get() {
            let _ = field.focus();
        }
    });
    // From the active cell on, wrapping around; `from` includes the cell itself.
    let go = move |back: bool, from: bool| {
        if !is_found.get_value() {
            wanted.set_value(Some((back, from)));
            return;
        }
        let here = grid.place();
        let next = found.with_untracked(|found| {
            let before = found.partition_point(|place| match from || back {
                true => *place < here,
                false => *place <= here,
            });
            let at = match (back, before) {
                (true, 0) => found.len().checked_sub(1)?,
                (true, before) => before - 1,
                (false, before) if before == found.len() => 0,
                (false, before) => before,
            };
            found.get(at).copied()
        });
        if let Some(place) = next {
            grid.show(place);
        }
    };
    let sought = memo(move |_| {
        let text = grid.find.get().unwrap_or_default();
        let heads = grid.columns.get();
        let names: Vec<String> = heads.iter().map(|head| head.name.clone()).collect();
        (grid.sheet.get(), names, text)
    });
    effect(move || {
        let (sheet, names, text) = sought.get();
        is_found.set_value(false);
        let mut search = CellSearch::new(sheet.0, names, &text);
        task.start(When::Now, move |slice| {
            let Some(places) = slice.run(|| search.step(STEP)) else {
                return Progress::Unfinished;
            };
            found.set(ByPtr(Arc::new(places)));
            is_found.set_value(true);
            if let Some((back, from)) = wanted.try_update_value(Option::take).flatten() {
                go(back, from);
            }
            Progress::Finished
        });
    });
    let close = move || {
        grid.find.set(None);
        grid.focus();
    };
    let key = move |event: ev::KeyboardEvent| {
        match event.key().as_str() {
            _ if is_composing(&event) => return,
            "Enter" => go(event.shift_key(), false),
            "Escape" => close(),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let count = move || {
        grid.active.track();
        let total = found.with(|found| found.len());
        if grid
            .find
            .with(|text| text.as_ref().is_none_or(String::is_empty))
        {
            return String::new();
        }
        let at = grid.active_line.get().and_then(|_| {
            let here = untrack(|| grid.place());
            found.with(|found| found.binary_search(&here).ok())
        });
        match (total, at) {
            (0, _) => "No results".into(),
            (total, Some(at)) => format!("{} of {total}", at + 1),
            (total, None) => format!("{total} found"),
        }
    };
    view! {
        <div class="find-bar" role="search" aria-label="Find in table">
            <Icon glyph=Glyph::Search />
            <input
                node_ref=field
                type="text"
                aria-label="Find in table"
                placeholder="Find in table"
                spellcheck="false"
                autocomplete="off"
                prop:value=move || grid.find.get().unwrap_or_default()
                on:input=move |event| {
                    wanted.set_value(Some((false, true)));
                    grid.find.set(Some(event_target_value(&event)));
                }
                on:keydown=key
            />
            <span class="find-count" role="status">
                {count}
            </span>
            <button
                class="icon-button"
                aria-label="Previous"
                title="Previous (Shift+Enter)"
                on:click=move |_| go(true, false)
            >
                <Icon glyph=Glyph::ChevronUp />
            </button>
            <button
                class="icon-button"
                aria-label="Next"
                title="Next (Enter)"
                on:click=move |_| go(false, false)
            >
                <Icon glyph=Glyph::ChevronDown />
            </button>
            <button
                class="icon-button"
                aria-label="Close"
                title="Close (Esc)"
                on:click=move |_| close()
            >
                <Icon glyph=Glyph::Close />
            </button>
        </div>
    }
}
