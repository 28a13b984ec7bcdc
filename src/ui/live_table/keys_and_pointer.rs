//! Keys and pointers on the table: one handler for all cells.

use super::grid::Grid;
use super::line_height::line_height;
use super::selected_cells::CellId;
use crate::ui::dom::element::target_of;
use crate::ui::dom::key_chords::is_composing;
use keyfold_app::grid::CellMove;
use keyfold_core::model::{AttributeType, SampleId, Value};
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// Handles a key press in the table. Unknown keys go on to the page's shortcuts.
pub fn pressed(grid: Grid, event: &ev::KeyboardEvent) {
    // Column heads have their own keys.
    let target = target_of(event);
    let in_head = target.is_some_and(|target| matches!(target.closest(".grid-head"), Ok(Some(_))));
    let is_editing = grid.editing.with_untracked(Option::is_some);
    // On a cell, the first key of an input method begins to edit, so its key code does not count there.
    let composes = event.is_composing() || is_editing && is_composing(event);
    if composes || in_head {
        return;
    }
    let handled = match is_editing {
        true => in_field(grid, event),
        false => on_cell(grid, event),
    };
    if handled {
        event.prevent_default();
        event.stop_propagation();
    }
}

/// Keys in the edited cell; all others go to the field.
fn in_field(grid: Grid, event: &ev::KeyboardEvent) -> bool {
    let shift = event.shift_key();
    let then = match event.key().as_str() {
        "Enter" if shift => grid.target(CellMove::Up),
        "Enter" => grid.target(CellMove::Down),
        "Tab" if shift => grid.editable_target(CellMove::Previous),
        "Tab" => grid.editable_target(CellMove::Next),
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
    // AltGr enters characters; Windows reports it as Ctrl and Alt.
    let enters = event.get_modifier_state("AltGraph") && event.key().chars().count() == 1;
    if event.alt_key() && !enters {
        return false;
    }
    let command = (event.ctrl_key() || event.meta_key()) && !enters;
    let shift = event.shift_key();
    let page = (grid.height.get_untracked() / line_height())
        .floor()
        .max(1.0) as usize;
    let key = event.key();
    let on_head = grid
        .active
        .with_untracked(|spot| spot.as_ref().is_some_and(|spot| spot.column.is_none()));
    let go = match key.as_str() {
        "ArrowUp" if command => CellMove::Top,
        "ArrowDown" if command => CellMove::Bottom,
        "ArrowLeft" if command => CellMove::RowStart,
        "ArrowRight" if command => CellMove::RowEnd,
        // The column heads are above the first row.
        "ArrowUp" if !shift && !on_head && !grid.moves(CellMove::Up) => {
            return super::column_heads::focus_active(grid);
        }
        "ArrowUp" => CellMove::Up,
        "ArrowDown" => CellMove::Down,
        "ArrowLeft" => CellMove::Left,
        "ArrowRight" => CellMove::Right,
        "PageUp" => CellMove::PageUp(page),
        "PageDown" => CellMove::PageDown(page),
        "Home" if command && !shift => {
            grid.go(CellMove::Top);
            CellMove::RowStart
        }
        "End" if command && !shift => {
            grid.go(CellMove::Bottom);
            CellMove::RowEnd
        }
        "Home" if command => CellMove::Top,
        "End" if command => CellMove::Bottom,
        "Home" => CellMove::RowStart,
        "End" => CellMove::RowEnd,
        // Tab moves within the row; at its end it leaves the table, so that it is no keyboard trap.
        "Tab" if shift && grid.moves(CellMove::Left) => CellMove::Left,
        "Tab" if !shift && grid.moves(CellMove::Right) => CellMove::Right,
        _ => return act(grid, event, &key, command, on_head),
    };
    if !shift || key == "Tab" {
        grid.go(go);
    } else if on_head {
        // Moves the focused row head and selects the rows from where it was.
        let rows = grid.selected.get_untracked();
        let from = grid.active.get_untracked();
        if let Some(from) = from.filter(|from| !rows.contains(&from.sample)) {
            grid.select_row(from.sample, false);
        }
        grid.go(go);
        if let Some(to) = grid.active.get_untracked() {
            grid.select_rows_to(to.sample);
        }
    } else {
        grid.extend(go);
    }
    true
}

fn act(grid: Grid, event: &ev::KeyboardEvent, key: &str, command: bool, on_head: bool) -> bool {
    match key {
        "Escape" if grid.is_selecting() => grid.select_nothing(),
        " " if event.shift_key() && !command => {
            for sample in untrack(|| grid.chosen()) {
                grid.select_row(sample, true);
            }
        }
        " " if command => {
            let column = (grid.active).with_untracked(|spot| spot.as_ref()?.column.clone());
            if let Some(column) = column {
                grid.select_column(&column);
            }
        }
        _ if command => return false,
        "Enter" | " " if on_head => {
            if let Some(spot) = grid.active.get_untracked() {
                grid.select_row(spot.sample, true);
            }
        }
        "Enter" | "F2" => grid.edit(false),
        " " if grid.is_boolean() => toggle(grid),
        // The field is mounted and focused before the browser enters the character.
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

/// Returns the cell under an event.
pub fn spot_of(event: &web_sys::Event) -> Option<CellId> {
    spot_at(&event.target()?.dyn_into::<Element>().ok()?)
}

/// Returns the cell that an element belongs to.
pub fn spot_at(element: &Element) -> Option<CellId> {
    let cell = element.closest("[data-column], [data-head]").ok()??;
    let row = cell.closest("[data-sample]").ok()??;
    let sample: SampleId = row.get_attribute("data-sample")?.parse().ok()?;
    let column = cell.get_attribute("data-column");
    Some(CellId { sample, column })
}

/// A click or a tap makes the cell active; with Shift, it selects up to there. A second tap edits it; a click on a
/// row head selects the row.
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
    if event.shift_key() {
        grid.extend_to(spot);
        return;
    }
    let touch = (event.dyn_ref::<web_sys::PointerEvent>())
        .is_some_and(|event| event.pointer_type() == "touch");
    let is_spot = |cell: Option<CellId>| cell.as_ref() == Some(&spot);
    let again = touch && is_spot(grid.tapped.get_value()) && is_spot(grid.active.get_untracked());
    grid.tapped.set_value(Some(spot.clone()));
    if spot.column.is_none() {
        grid.select_row(spot.sample, touch || event.ctrl_key() || event.meta_key());
    }
    grid.activate_in_place(spot);
    if again {
        grid.edit(false);
    }
}

/// A press on a cell starts selecting there. With Shift, or when opening the menu of selected cells, the focus does
/// not move.
pub fn pressed_down(grid: Grid, event: &ev::MouseEvent) {
    let Some(spot) = spot_of(event) else { return };
    let primary = event.button() == 0;
    if primary && event.shift_key() || !primary && grid.is_selected(&spot) {
        event.prevent_default();
    } else if primary {
        grid.dragging.set_value(true);
    }
}

/// While the button is held, selects cells up to the pointer. Beyond an edge the table scrolls.
pub fn follow_pointer(grid: Grid) {
    let moved = window_event_listener(ev::pointermove, move |event| {
        if !grid.dragging.get_value() {
            return;
        }
        if event.buttons() & 1 == 0 || event.pointer_type() == "touch" {
            grid.dragging.set_value(false);
            return;
        }
        let Some(scroller) = grid.scroller.get_untracked() else {
            return;
        };
        let edges = scroller.get_bounding_client_rect();
        let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
        let top = edges.top() + line_height();
        if edges.bottom() <= top {
            return;
        }
        // Not `clamp`: in a low table the upper limit is below the lower one.
        let inside_x = x.min(edges.right() - 16.0).max(edges.left() + 2.0);
        let inside_y = y.min(edges.bottom() - 16.0).max(top + 2.0);
        if y > edges.bottom() || y < top {
            let by = if y < inside_y {
                -line_height()
            } else {
                line_height()
            };
            grid.scroll_to((grid.scroll.get_untracked() + by).max(0.0));
        }
        let under = document().element_from_point(inside_x as f32, inside_y as f32);
        let Some(to) = under.and_then(|under| spot_at(&under)) else {
            return;
        };
        let far = (grid.range)
            .with_untracked(|range| range.as_ref().map(|range| range.extent.clone()))
            .or_else(|| grid.active.get_untracked());
        let is_new = far.as_ref() != Some(&to);
        if is_new && grid.editing.with_untracked(Option::is_none) {
            grid.extend_to(to);
        }
    });
    let up = window_event_listener(ev::pointerup, move |_| grid.dragging.set_value(false));
    on_cleanup(move || {
        moved.remove();
        up.remove();
    });
}

/// A double click edits the cell.
pub fn double_clicked(grid: Grid, event: &ev::MouseEvent) {
    if spot_of(event).is_some_and(|spot| spot.column.is_some()) {
        grid.edit(false);
    }
}

/// A cell that gets the keyboard focus becomes active.
pub fn focused(grid: Grid, event: &ev::FocusEvent) {
    grid.focused.set_value(true);
    grid.uses(|use_| use_.focus = true);
    if let Some(spot) = spot_of(event)
        && grid.editing.with_untracked(Option::is_none)
        && (grid.active).with_untracked(|active| active.as_ref() != Some(&spot))
    {
        grid.hint.set(None);
        grid.range.set(None);
        grid.active.set(Some(spot));
        // A tap moves the focus before its click: that is not a second tap.
        grid.tapped.set_value(None);
    }
}

/// When the focus leaves, stores the entered text.
pub fn blurred(grid: Grid, event: &ev::FocusEvent) {
    let next = event
        .related_target()
        .and_then(|t| t.dyn_into::<HtmlElement>().ok());
    let is_inside = next.as_ref().is_some_and(|next| grid.contains(next));
    // The cell that had the focus may be gone, and another one takes it in the next frame.
    if !is_inside {
        let left = move || {
            if !grid.has_focus() {
                grid.uses(|use_| use_.focus = false);
            }
        };
        grid.view.next_frame(move || grid.view.next_frame(left));
    }
    if next.is_some() && !is_inside {
        grid.focused.set_value(false);
        grid.commit(None);
    }
}
