//! Binds the keys of the actions to the page and restores lost keyboard focus.

use super::app_context::{Action, AppContext};
use crate::ui::dialogs::modal::has_open_dialog;
use crate::ui::dom::element::{closest, target_of};
use crate::ui::dom::focus::{is_focus_awaited, is_focus_lost, is_shown};
use crate::ui::dom::key_chords::{Chord, Press, chords, is_composing, is_typing};
use crate::ui::reactive::observers::on_elements_changed;
use crate::ui::state::action_registry::{NOT_ABOUT_CARDS, Subject, group};
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// The keys of the list of access patterns, for the help.
pub const PATTERN_KEYS: &[(&str, &str)] = &[
    (
        "↑, ↓, Home, End",
        "Go to the previous, next, first or last access pattern",
    ),
    ("Enter", "Go from the list to the form"),
    ("Alt+↑, Alt+↓", "Move the access pattern up or down"),
    ("Ctrl+D", "Duplicate the access pattern"),
    ("Delete", "Delete the access pattern"),
];

/// The keys of the table that concern all of it, and so work on its column heads too.
const HEAD_KEYS: &[&str] = &["Ctrl+A", "Ctrl+F"];

/// The keys and gestures besides the actions, for the help.
pub const GESTURES: &[(&str, &str)] = &[
    (
        "Arrow keys",
        "Nudge the selected cards; with Shift, farther",
    ),
    ("Alt+arrow keys", "Go to the next card in that direction"),
    (
        "Alt+Shift+arrow keys",
        "Add the next card in that direction to the selection",
    ),
    ("Page Down, Page Up", "Go to the next or the previous card"),
    ("Home, End on a card", "Go to the first or the last card"),
    (
        "W, Shift+W",
        "Follow the wires of a card, forward or backward",
    ),
    ("Enter", "Go from a card to the inspector"),
    (
        "Enter or F2 on a note",
        "Edit its text; Ctrl+Enter saves it, Esc cancels",
    ),
    ("Alt+drag", "Drag copies of the selected cards"),
    ("Ctrl while dragging", "Turn off snapping"),
    (
        "Double-click a card",
        "Rename it, write a note, or edit the clicked line in the inspector",
    ),
    (
        "Shift+click, Ctrl+Space on a card",
        "Add a card to the selection, or remove it",
    ),
    ("Scroll, two fingers, Space+drag, middle drag", "Pan"),
    ("Ctrl+scroll, pinch", "Zoom at the pointer"),
    ("Double-click the canvas", "Add an entity there"),
    (
        "Right-click, long press",
        "Open the menu of a card or the canvas",
    ),
    (
        "Drag from a card's port",
        "Add the entity to an index; drop on the empty canvas to add a GSI",
    ),
    (
        "Click a wire",
        "Select it; Delete removes the entity from the index",
    ),
    ("Drag a wire's end", "Move the entity to another index"),
    ("Type, F2 or Enter in a cell", "Edit it; Esc cancels"),
    ("Enter, Tab in a cell", "Save it and go down or right"),
    (
        "Shift+arrow keys, Shift+click, drag in the table",
        "Select cells; with Ctrl, to the edge",
    ),
    (
        "Shift+Space, Ctrl+Space in the table",
        "Select the row or the column",
    ),
    (
        "Ctrl+C, Ctrl+X, Ctrl+V in the table",
        "Copy, cut and paste cells, also to and from spreadsheets",
    ),
    (
        "Arrow up from the first row",
        "Go to the column headers: Enter opens the menu, Alt+arrow keys move the column, Shift+arrow keys \
         set its width",
    ),
];

/// Binds the keys of the actions to the page.
pub fn bind(app: AppContext) {
    rescue_focus(app);
    separate_undo_steps(app);
    let listener = window_event_listener(ev::keydown, move |event| {
        if event.default_prevented() || is_composing(&event) {
            return;
        }
        let Some(press) = Press::of(&event) else {
            return;
        };
        let target = target_of(&event);
        let within = |selector: &str| {
            let found = target.as_ref().map(|target| target.closest(selector));
            matches!(found, Some(Ok(Some(_))))
        };
        // An open dialog or menu has the keys to itself.
        let on_page = |selector: &str| matches!(document().query_selector(selector), Ok(Some(_)));
        if has_open_dialog() || press.key == "Escape" && on_page(".menu[open]") {
            return;
        }
        // What is not in the design, such as a draft or what is searched for, is for the browser to undo.
        let undoes = press.ctrl && matches!(press.key.as_str(), "z" | "Z" | "y" | "Y");
        if undoes && within("[data-draft], [type=search], .cm-panels") {
            return;
        }
        // Keys without Ctrl belong to the canvas: elsewhere they would act on something out of view.
        let for_menu = matches!(press.key.as_str(), "F10" | "ContextMenu") && within(".grid");
        let for_help = press.key == "?" && !within(".grid, .menu");
        let on_canvas = app.canvas.is_seen();
        let elsewhere = !press.ctrl
            && !for_menu
            && !for_help
            && (!on_canvas || within(".panel, .inspector, .menu"));
        let typing = is_typing(&event) || elsewhere;
        // From the panel, the top bar, or the row of another card or an access pattern, or while the canvas is hidden,
        // actions that edit cards would act on something else than what has the focus.
        let is_beside = !on_canvas || within(".panel");
        let is_about_others = within(NOT_ABOUT_CARDS);
        let edits_cards =
            |action: &Action| action.group == group::EDIT && !action.context.is_empty();
        // One of the whole canvas, which selects all, concerns no selected card.
        let of_selected = |action: &Action| !action.context.contains(&Subject::Canvas);
        let on_cell = |action: &Action| {
            let of_head = HEAD_KEYS.contains(&action.keys) || !within(".grid-head");
            within(".grid") && of_head && !is_typing(&event)
        };
        // A letter on a button or a link outside the canvas is not meant for the canvas.
        let on_control =
            within("button, a, summary, input, [tabindex], [role=option]") && !within(".canvas");
        let letters = app.page.letters.get_untracked();
        let takes =
            |chord: &Chord| !chord.is_character() || letters && (!on_control || press.key == "?");
        let is_key = |action: &&Action| {
            let mut keys = chords(action.keys).flatten();
            !action.native && keys.any(|chord| takes(&chord) && chord.matches(&press))
        };
        let is_here = |action: &&Action| match action.in_table {
            true => on_cell(action),
            false
                if edits_cards(action) && (is_beside || is_about_others && of_selected(action)) =>
            {
                false
            }
            false => action.in_fields || !typing,
        };
        let (all, others): (Vec<&Action>, Vec<&Action>) = app
            .actions()
            .filter(is_key)
            .partition(|action| is_here(action));
        let enabled = |action: &&&Action| (action.enabled)(app);
        let of_table = (all.iter()).filter(|action| action.in_table).find(enabled);
        let found = of_table.or_else(|| all.iter().find(enabled));
        // Keys that also work in fields never reach the browser: its undo does not know the design.
        // Nor do those that edit cards or cells elsewhere, such as Ctrl+D, which would make a bookmark.
        let is_blocked = press.ctrl
            && !is_typing(&event)
            && (others.iter()).any(|action| action.in_table || edits_cards(action));
        let ours = found.is_some() || is_blocked || all.iter().any(|action| action.in_fields);
        // During a gesture only Escape works, which cancels it.
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

/// Makes all changes in a field, until it loses the focus, one undo step. Each choice and each switch is its own step.
fn separate_undo_steps(app: AppContext) {
    let left = window_event_listener(ev::focusout, move |_| app.store.leave_field());
    let chosen = window_event_listener(ev::change, move |event| {
        let target = target_of(&event);
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

/// The focusable elements of the inspector that delete nothing, so that one Enter too many does no harm.
fn in_inspector() -> Vec<HtmlElement> {
    let selector = ".inspector :is(button, input, select, textarea, summary):enabled:not([tabindex='-1'], .danger)";
    let Ok(all) = document().query_selector_all(selector) else {
        return Vec::new();
    };
    let all = (0..all.length()).filter_map(|at| all.get(at)?.dyn_into::<HtmlElement>().ok());
    all.filter(|element| element.offset_parent().is_some())
        .collect()
}

/// The position of an element among [`in_inspector`].
fn place_in_inspector(element: &Element) -> Option<usize> {
    element.closest(".inspector").ok()??;
    let is_it = |other: &HtmlElement| AsRef::<Element>::as_ref(other) == element;
    in_inspector().iter().position(is_it)
}

/// Where an element with the focus is.
struct Focused {
    target: Element,
    place: Option<usize>,
    /// The head of the inspector: it is another one for another subject.
    head: Option<Element>,
}

impl Focused {
    fn new(target: Element) -> Focused {
        Focused {
            place: place_in_inspector(&target),
            head: document().query_selector(".inspector-head").ok().flatten(),
            target,
        }
    }
}

/// When the focused element is removed or hidden, by a key, a press or the page itself, moves the focus to the element
/// that takes its place in the inspector, to the selected card, or to the canvas.
fn rescue_focus(app: AppContext) {
    let look = move |focused: Focused, by_press: bool| {
        // The effect of the key may take a frame to show.
        let view = app.store.view;
        view.next_frame(move || {
            view.next_frame(move || pass_focus_on(app, focused, by_press));
        });
    };
    let by_key = move |event: ev::KeyboardEvent| {
        let acts = event.ctrl_key()
            || matches!(
                event.key().as_str(),
                "Enter" | "Escape" | " " | "Delete" | "Backspace"
            );
        let target = target_of(&event);
        if let Some(target) = target.filter(|target| acts && target.tag_name() != "BODY") {
            look(Focused::new(target), false);
        }
    };
    let down = window_event_listener(ev::keydown, by_key);
    let up = window_event_listener(ev::keyup, by_key);
    // A press beside all controls takes the focus away on purpose.
    let click = window_event_listener(ev::click, move |event| {
        let target = target_of(&event);
        let pressed = target.and_then(|target| closest(&target, "button, [role=option], summary"));
        if let Some(pressed) = pressed.filter(|pressed| closest(pressed, "dialog").is_none()) {
            look(Focused::new(pressed), true);
        }
    });
    // What goes without a key or a press, such as the fix of a finding that is computed later, is told by the browser.
    let last = StoredValue::new_local(None::<Focused>);
    let came = window_event_listener(ev::focusin, move |event| {
        last.set_value(target_of(&event).map(Focused::new));
    });
    on_elements_changed(move || {
        let is_gone = last.with_value(|last| {
            let last = last.as_ref();
            last.is_some_and(|last| !last.target.is_connected())
        });
        if is_gone
            && is_focus_lost()
            && let Some(last) = last.try_update_value(Option::take).flatten()
        {
            look(last, false);
        }
    });
    on_cleanup(move || {
        came.remove();
        down.remove();
        up.remove();
        click.remove();
    });
}

/// Moves the focus from an element that had it, if it is lost, to what takes its place.
fn pass_focus_on(app: AppContext, focused: Focused, by_press: bool) {
    // What was asked for may still be drawn or loaded.
    if is_focus_awaited() {
        let again = move || pass_focus_on(app, focused, by_press);
        return app.store.view.next_frame(again);
    }
    let Focused {
        target,
        place,
        head,
    } = focused;
    let focus = document().active_element();
    if focus.is_some_and(|focus| focus.tag_name() != "BODY") {
        return;
    }
    // Safari, and Firefox on a Mac, give a pressed button no focus.
    if by_press && is_shown(&target) {
        return;
    }
    // The table restores the focus to its item.
    let table = app.tables.shown.get_value();
    if table.is_some_and(|table| table.take_focus_again()) {
        return;
    }
    // A field left with Escape is still there. Fields of another subject must not take further typing.
    let is_same = head.is_some_and(|head| head.is_connected());
    let place = place.filter(|_| is_same && !target.is_connected());
    let fields = place.map(|place| in_inspector().into_iter().take(place + 1).rev());
    let selection = app.store.selection;
    let card = selection.with_untracked(|cards| cards.first().copied());
    let card = card.map(|card| format!("[data-card=\"{card}\"]"));
    // On a small screen only one region is shown.
    let regions = [
        card.as_deref(),
        Some(".canvas"),
        Some(".pane-tabs .current"),
    ];
    let regions = (regions.into_iter().flatten())
        .filter_map(|selector| document().query_selector(selector).ok()?)
        .filter_map(|found| found.dyn_into::<HtmlElement>().ok());
    // A collapsed or hidden element does not take the focus.
    let takes = |element: HtmlElement| {
        let _ = element.focus();
        element.is_same_node(document().active_element().as_deref())
    };
    let _ = fields.into_iter().flatten().chain(regions).any(takes);
}
