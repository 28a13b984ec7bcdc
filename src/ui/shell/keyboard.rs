//! Binds the keys of the actions to the page, and keeps the keyboard focus from getting lost.

use super::app_context::{Action, AppContext};
use crate::ui::dom::key_chords::{Press, chords, is_typing};
use crate::ui::state::actions::group;
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// What works in the list of access patterns, for the help.
pub const PATTERN_KEYS: &[(&str, &str)] = &[
    (
        "↑, ↓, Home, End",
        "From one to the next, to the first, the last",
    ),
    ("Enter", "From the list to the form"),
    ("Alt+↑, Alt+↓", "Move it up or down"),
    ("Ctrl+D", "Duplicate it"),
    ("Delete", "Delete it"),
];

/// What works on a focused card or the canvas besides the actions, for the help.
pub const GESTURES: &[(&str, &str)] = &[
    (
        "Arrow keys",
        "Nudge the selected cards; with Shift, farther",
    ),
    (
        "Alt+arrow keys",
        "From a card to the next one in that direction",
    ),
    (
        "W, Shift+W",
        "From a card along its wires, one after the other, and back",
    ),
    ("Enter", "From a card to the inspector"),
    ("Alt+drag", "Drag copies of the selected cards"),
    ("Ctrl while dragging", "Do not snap"),
    (
        "Double click on a card",
        "Rename it, or go to the field of its line",
    ),
    ("Shift+click", "Add a card to the selection, or take it out"),
    ("Scroll, two fingers, Space+drag, middle drag", "Pan"),
    ("Ctrl+scroll, pinch", "Zoom at the pointer"),
    ("Double click on the canvas", "Add an entity there"),
    (
        "Right click, long press",
        "Open the menu of a card or the canvas",
    ),
    (
        "Drag from a card's port",
        "Join an index; on an empty spot, a new GSI",
    ),
    (
        "Click on a wire",
        "Select it; Delete takes the entity out of the index",
    ),
    ("Drag a wire's end", "Move the entity to another index"),
    (
        "Type, F2 or Enter in a cell",
        "Edit it; Escape leaves it as it was",
    ),
    ("Enter, Tab in a cell", "Store it and go down, or right"),
    (
        "Shift+arrow keys, Shift+click, drag in the table",
        "Select cells; with Ctrl, to the edge",
    ),
    (
        "Shift+Space, Ctrl+Space in the table",
        "Select the row, the column",
    ),
    (
        "Ctrl+C, Ctrl+X, Ctrl+V in the table",
        "Copy, cut and paste cells, also from and to spreadsheets",
    ),
    (
        "Arrow up from the first row",
        "To the heads of the columns: Enter opens the menu, Alt+arrow keys move the column, Shift+arrow keys \
         set its width",
    ),
];

/// Binds the keys of the actions to the page.
pub fn bind(app: AppContext) {
    rescue_focus(app);
    part_fields(app);
    let listener = window_event_listener(ev::keydown, move |event| {
        if event.default_prevented() || event.is_composing() {
            return;
        }
        let Some(press) = Press::of(&event) else {
            return;
        };
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        let within = |selector: &str| {
            let found = target.as_ref().map(|target| target.closest(selector));
            matches!(found, Some(Ok(Some(_))))
        };
        // An open dialog or menu has the keys to itself.
        let on_page = |selector: &str| matches!(document().query_selector(selector), Ok(Some(_)));
        if on_page("dialog[open]") || press.key == "Escape" && on_page(".menu[open]") {
            return;
        }
        // A draft is not in the design yet: undoing in it is the browser's.
        let undoes = press.ctrl && matches!(press.key.as_str(), "z" | "Z" | "y" | "Y");
        if undoes && within("[data-draft]") {
            return;
        }
        // Keys without Ctrl are the canvas's: elsewhere they would act on what one is not looking at.
        let for_menu = matches!(press.key.as_str(), "F10" | "ContextMenu") && within(".grid");
        let for_help = press.key == "?" && !within(".grid, .menu");
        let on_canvas = app.canvas.is_seen();
        let elsewhere = !press.ctrl
            && !for_menu
            && !for_help
            && (!on_canvas || within(".panel, .inspector, .menu"));
        let typing = is_typing(&event) || elsewhere;
        // What edits the cards acts on what one is not looking at in the panel, or where only another region is shown.
        let are_cards_elsewhere = !on_canvas || within(".panel");
        let edits_cards =
            |action: &Action| action.group == group::EDIT && !action.context.is_empty();
        let on_cell = within(".grid") && !is_typing(&event);
        let pressed = |action: &&Action| {
            let here = match action.in_table {
                true => on_cell,
                false if are_cards_elsewhere && edits_cards(action) => false,
                false => action.in_fields || !typing,
            };
            here && !action.native && chords(action.keys).flatten().any(|c| c.matches(&press))
        };
        let all: Vec<&Action> = app.actions().filter(pressed).collect();
        let enabled = |action: &&&Action| (action.enabled)(app);
        let of_table = (all.iter()).filter(|action| action.in_table).find(enabled);
        let found = of_table.or_else(|| all.iter().find(enabled));
        // What works in fields too is never the browser's: its undo knows nothing of the design.
        let ours = found.is_some() || all.iter().any(|action| action.in_fields);
        // A gesture takes no other step than that which Escape takes back.
        let found = found.filter(|_| press.key == "Escape" || !app.canvas.is_busy());
        if ours && press.key != "Escape" {
            event.prevent_default();
        }
        if let Some(action) = found {
            (action.run)(app);
        }
    });
    on_cleanup(move || listener.remove());
}

/// What is changed in a field until that is left goes together in the undo history; choices and switches do not.
fn part_fields(app: AppContext) {
    let left = window_event_listener(ev::focusout, move |_| app.store.leave_field());
    let chosen = window_event_listener(ev::change, move |event| {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        if target.is_some_and(|target| {
            target.matches("select, [type=checkbox], [type=radio]") == Ok(true)
        }) {
            app.store.leave_field();
        }
    });
    on_cleanup(move || {
        left.remove();
        chosen.remove();
    });
}

/// What can have the focus in the inspector and deletes nothing: an Enter too many does no harm there.
fn in_inspector() -> Vec<HtmlElement> {
    let selector = ".inspector :is(button, input, select, textarea, summary):enabled:not([tabindex='-1'], .danger)";
    let Ok(all) = document().query_selector_all(selector) else {
        return Vec::new();
    };
    let all = (0..all.length()).filter_map(|at| all.get(at)?.dyn_into::<HtmlElement>().ok());
    all.filter(|element| element.offset_parent().is_some())
        .collect()
}

/// The place of an element among those.
fn place_in_inspector(element: &Element) -> Option<usize> {
    element.closest(".inspector").ok()??;
    let is_it = |other: &HtmlElement| AsRef::<Element>::as_ref(other) == element;
    in_inspector().iter().position(is_it)
}

/// A key that takes away what had the focus leaves nobody behind: the focus goes to what has its place in the inspector, to
/// the selected card, or to the canvas.
fn rescue_focus(app: AppContext) {
    let look = move |event: ev::KeyboardEvent| {
        let acts = event.ctrl_key()
            || matches!(
                event.key().as_str(),
                "Enter" | "Escape" | " " | "Delete" | "Backspace"
            );
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        let Some(target) = target.filter(|target| acts && target.tag_name() != "BODY") else {
            return;
        };
        let place = place_in_inspector(&target);
        let head = document().query_selector(".inspector-head").ok().flatten();
        // What the key does may take a frame to show.
        let view = app.store.view;
        view.next_frame(move || {
            view.next_frame(move || {
                let focus = document().active_element();
                if focus.is_some_and(|focus| focus.tag_name() != "BODY") {
                    return;
                }
                // The table gives the focus to the item that had it.
                let table = app.tables.shown.get_value();
                if let Some(grid) = table.filter(|grid| grid.focused.get_value()) {
                    grid.focus();
                    // It may be out of sight, which takes the focus away without a word.
                    if grid.has_focus() {
                        return;
                    }
                }
                // What was left with Escape is still there; fields of something else are no place to go on typing.
                let is_same = head.is_some_and(|head| head.is_connected());
                let place = place.filter(|_| is_same && !target.is_connected());
                let fields = place.map(|place| in_inspector().into_iter().take(place + 1).rev());
                let selection = app.store.selection;
                let card = selection.with_untracked(|cards| cards.first().copied());
                let card = card.map(|card| format!("[data-card=\"{card}\"]"));
                // On a small screen only one of the regions is shown.
                let regions = [
                    card.as_deref(),
                    Some(".canvas"),
                    Some(".pane-tabs .current"),
                ];
                let regions = (regions.into_iter().flatten())
                    .filter_map(|selector| document().query_selector(selector).ok()?)
                    .filter_map(|found| found.dyn_into::<HtmlElement>().ok());
                // What is folded away or on another screen does not take it.
                let takes = |element: HtmlElement| {
                    let _ = element.focus();
                    element.is_same_node(document().active_element().as_deref())
                };
                let _ = fields.into_iter().flatten().chain(regions).any(takes);
            });
        });
    };
    let down = window_event_listener(ev::keydown, look);
    let up = window_event_listener(ev::keyup, look);
    on_cleanup(move || {
        down.remove();
        up.remove();
    });
}
