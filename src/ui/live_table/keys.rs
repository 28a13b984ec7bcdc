//! Keys and pointers on the table: one handler for all cells.

use super::state::{Grid, LINE, Spot};
use crate::app::grid::Go;
use crate::domain::model::{AttributeType, SampleId, Value};
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// A key press in the table. What it does not know goes on to the page's own shortcuts.
pub fn pressed(grid: Grid, event: &ev::KeyboardEvent) {
    if event.is_composing() {
        return;
    }
    let handled = match grid.editing.with_untracked(Option::is_some) {
        true => in_field(grid, event),
        false => on_cell(grid, event),
    };
    if handled {
        event.prevent_default();
        event.stop_propagation();
    }
}

/// In the edited cell; all else is the field's.
fn in_field(grid: Grid, event: &ev::KeyboardEvent) -> bool {
    let shift = event.shift_key();
    let then = match event.key().as_str() {
        "Enter" if shift => grid.target(Go::Up),
        "Enter" => grid.target(Go::Down),
        "Tab" if shift => grid.editable_target(Go::Previous),
        "Tab" => grid.editable_target(Go::Next),
        "Escape" => {
            grid.revert();
            return true;
        }
        _ => return false,
    };
    grid.commit(then);
    true
}

fn on_cell(grid: Grid, event: &ev::KeyboardEvent) -> bool {
    if event.alt_key() {
        return false;
    }
    let command = event.ctrl_key() || event.meta_key();
    let shift = event.shift_key();
    let page = (grid.height.get_untracked() / LINE).floor().max(1.0) as usize;
    let key = event.key();
    let on_head = grid
        .active
        .with_untracked(|spot| spot.as_ref().is_some_and(|spot| spot.column.is_none()));
    let go = match key.as_str() {
        "ArrowUp" if command => Go::Top,
        "ArrowDown" if command => Go::Bottom,
        "ArrowLeft" if command => Go::RowStart,
        "ArrowRight" if command => Go::RowEnd,
        "ArrowUp" => Go::Up,
        "ArrowDown" => Go::Down,
        "ArrowLeft" => Go::Left,
        "ArrowRight" => Go::Right,
        "PageUp" => Go::PageUp(page),
        "PageDown" => Go::PageDown(page),
        "Home" if command => {
            grid.go(Go::Top);
            Go::RowStart
        }
        "End" if command => {
            grid.go(Go::Bottom);
            Go::RowEnd
        }
        "Home" => Go::RowStart,
        "End" => Go::RowEnd,
        // Within the row; at its end the tab key leaves the table, so that nobody is caught in it.
        "Tab" if shift && grid.moves(Go::Left) => Go::Left,
        "Tab" if !shift && grid.moves(Go::Right) => Go::Right,
        _ => return act(grid, event, &key, command, on_head),
    };
    let range =
        shift && on_head && matches!(go, Go::Up | Go::Down | Go::PageUp(_) | Go::PageDown(_));
    if range && let Some(spot) = grid.active.get_untracked() {
        if !grid
            .selected
            .with_untracked(|rows| rows.contains(&spot.sample))
        {
            grid.select(spot.sample, false);
        }
        grid.go(go);
        if let Some(spot) = grid.active.get_untracked() {
            grid.select(spot.sample, true);
        }
    } else {
        grid.go(go);
    }
    true
}

fn act(grid: Grid, event: &ev::KeyboardEvent, key: &str, command: bool, on_head: bool) -> bool {
    match key {
        "Backspace" | "Delete" if command || on_head => grid.delete_rows(),
        "Backspace" | "Delete" => grid.change(|_, _| None),
        "a" | "A" if command => grid.select_all(),
        "Escape" if grid.selected.with_untracked(|rows| !rows.is_empty()) => {
            grid.selected.set(Default::default());
        }
        _ if command => return false,
        "Enter" | " " if on_head => {
            if let Some(spot) = grid.active.get_untracked() {
                grid.select(spot.sample, event.shift_key());
            }
        }
        "Enter" | "F2" => grid.edit(false),
        " " if grid.is_boolean() => toggle(grid),
        // The field is there and has the focus before the browser enters the character.
        _ if key.chars().count() == 1 || matches!(key, "Process" | "Dead" | "Unidentified") => {
            if !on_head {
                grid.edit(true);
            }
            event.stop_propagation();
            return false;
        }
        _ => return false,
    }
    true
}

fn toggle(grid: Grid) {
    grid.change(|_: AttributeType, value| {
        let on = matches!(value, Some(Value::Bool(true)));
        Some(Value::Bool(!on))
    });
}

/// The cell under an event.
fn spot_of(event: &web_sys::Event) -> Option<Spot> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let cell = target.closest("[data-column], [data-head]").ok()??;
    let row = cell.closest("[data-sample]").ok()??;
    let sample: SampleId = row.get_attribute("data-sample")?.parse().ok()?;
    let column = cell.get_attribute("data-column");
    Some(Spot { sample, column })
}

/// A click, or a tap: makes the cell the active one. A second tap edits it, a click on a row's head selects
/// the row.
pub fn clicked(grid: Grid, event: &ev::MouseEvent) {
    let Some(spot) = spot_of(event) else {
        return;
    };
    if !grid.commit(None) {
        if let Some(input) = grid.input.get_untracked() {
            let _ = input.focus();
        }
        return;
    }
    let touch = (event.dyn_ref::<web_sys::PointerEvent>())
        .is_some_and(|event| event.pointer_type() == "touch");
    // The focus that came with the press has made it active already; a tap's has not been there before.
    let again = touch && grid.tapped.get_value().as_ref() == Some(&spot);
    grid.tapped.set_value(Some(spot.clone()));
    if spot.column.is_none() {
        grid.select(spot.sample, event.shift_key());
    }
    grid.activate(spot);
    if again {
        grid.edit(false);
    }
}

/// A double click edits the cell.
pub fn double_clicked(grid: Grid, event: &ev::MouseEvent) {
    if spot_of(event).is_some_and(|spot| spot.column.is_some()) {
        grid.edit(false);
    }
}

/// A cell that gets the keyboard focus is the active one.
pub fn focused(grid: Grid, event: &ev::FocusEvent) {
    grid.focused.set_value(true);
    if let Some(spot) = spot_of(event)
        && grid.editing.with_untracked(Option::is_none)
        && (grid.active).with_untracked(|active| active.as_ref() != Some(&spot))
    {
        grid.hint.set(None);
        grid.active.set(Some(spot));
    }
}

/// The focus goes elsewhere: what was typed is stored.
pub fn blurred(grid: Grid, event: &ev::FocusEvent) {
    let next = event
        .related_target()
        .and_then(|t| t.dyn_into::<HtmlElement>().ok());
    let Some(next) = next else {
        return;
    };
    let inside =
        (grid.scroller.get_untracked()).is_some_and(|scroller| scroller.contains(Some(&next)));
    if !inside {
        grid.focused.set_value(false);
        grid.commit(None);
    }
}
