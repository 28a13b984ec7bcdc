//! Keyboard shortcuts of the whole page. The help dialog lists them from the same table that binds them.

use super::designs::Designs;
use super::desk::{Desk, Pane};
use super::store::Store;
use crate::app::session::Selection;
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// What a shortcut acts on.
#[derive(Clone, Copy)]
pub struct Reach {
    /// The open design.
    pub store: Store,
    /// The arrangement of the page.
    pub desk: Desk,
    /// The stored designs.
    pub designs: Designs,
    /// Whether the help dialog is open.
    pub help: RwSignal<bool>,
}

/// A key combination and what it does.
pub struct Shortcut {
    /// As the help shows it; `Ctrl` is Cmd on a Mac.
    pub keys: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    /// Whether it also works while one types in a field.
    in_fields: bool,
    matches: fn(&Press) -> bool,
    run: fn(Reach),
}

/// A key press, reduced to what shortcuts ask for.
struct Press {
    key: String,
    ctrl: bool,
    shift: bool,
}

/// Every shortcut of the page, in the order of the help.
pub const SHORTCUTS: &[Shortcut] = &[
    Shortcut {
        keys: "Ctrl+Z",
        what: "Undo",
        in_fields: true,
        matches: |p| p.ctrl && !p.shift && p.key == "z",
        run: |r| r.store.undo(),
    },
    Shortcut {
        keys: "Ctrl+Shift+Z, Ctrl+Y",
        what: "Redo",
        in_fields: true,
        matches: |p| p.ctrl && ((p.shift && p.key == "z") || p.key == "y"),
        run: |r| r.store.redo(),
    },
    Shortcut {
        keys: "Delete, Backspace",
        what: "Delete what is selected",
        in_fields: false,
        matches: |p| !p.ctrl && (p.key == "delete" || p.key == "backspace"),
        run: |r| r.store.delete_selected(),
    },
    Shortcut {
        keys: "Ctrl+A",
        what: "Select all cards",
        in_fields: false,
        matches: |p| p.ctrl && p.key == "a",
        run: |r| {
            let all = r.store.with(|design| design.cards().collect());
            r.store.selection.set(all);
        },
    },
    Shortcut {
        keys: "Escape",
        what: "Cancel a gesture, leave a field, select nothing",
        in_fields: true,
        matches: |p| p.key == "escape",
        run: escape,
    },
    Shortcut {
        keys: "E",
        what: "Add an entity",
        in_fields: false,
        matches: |p| !p.ctrl && p.key == "e",
        run: |r| super::palette::add_in_middle(r.store, r.desk, super::palette::Piece::Entity),
    },
    Shortcut {
        keys: "G",
        what: "Add a global secondary index",
        in_fields: false,
        matches: |p| !p.ctrl && p.key == "g",
        run: |r| super::palette::add_in_middle(r.store, r.desk, super::palette::Piece::Gsi),
    },
    Shortcut {
        keys: "Ctrl+0",
        what: "Show everything",
        in_fields: true,
        matches: |p| p.ctrl && p.key == "0",
        run: |r| r.desk.canvas.fit(),
    },
    Shortcut {
        keys: "1",
        what: "Zoom to 100 %",
        in_fields: false,
        matches: |p| !p.ctrl && p.key == "1",
        run: |r| r.desk.canvas.actual_size(),
    },
    Shortcut {
        keys: "+, -",
        what: "Zoom in, zoom out",
        in_fields: false,
        matches: |p| !p.ctrl && (p.key == "+" || p.key == "="),
        run: |r| r.desk.canvas.zoom(1.25),
    },
    Shortcut {
        keys: "",
        what: "",
        in_fields: false,
        matches: |p| !p.ctrl && p.key == "-",
        run: |r| r.desk.canvas.zoom(1.0 / 1.25),
    },
    Shortcut {
        keys: "Ctrl+S",
        what: "Store now (every change is stored by itself)",
        in_fields: true,
        matches: |p| p.ctrl && p.key == "s",
        run: |r| {
            r.designs.save_now();
            r.store.notices.say("Stored in this browser.");
        },
    },
    Shortcut {
        keys: "?",
        what: "Show this list",
        in_fields: false,
        matches: |p| !p.ctrl && p.key == "?",
        run: |r| r.help.set(true),
    },
];

/// What works on a focused card or the canvas besides the table above, for the help.
pub const GESTURES: &[(&str, &str)] = &[
    (
        "Arrow keys",
        "Nudge the selected cards; with Shift, farther",
    ),
    ("Enter", "From a card to the inspector"),
    ("Shift+click", "Add a card to the selection, or take it out"),
    ("Scroll, two fingers, Space+drag, middle drag", "Pan"),
    ("Ctrl+scroll, pinch", "Zoom at the pointer"),
    ("Double click on the canvas", "Add an entity there"),
    (
        "Drag from a card's port",
        "Join an index; on an empty spot, a new GSI",
    ),
    (
        "Type, F2 or Enter in a cell",
        "Edit it; Escape leaves it as it was",
    ),
    ("Enter, Tab in a cell", "Store it and go down, or right"),
    (
        "Ctrl+Backspace in the table",
        "Delete the row, or the selected rows",
    ),
];

/// Binds the shortcuts to the page.
pub fn bind(reach: Reach) {
    let listener = window_event_listener(ev::keydown, move |event| {
        if event.default_prevented() || event.alt_key() || event.is_composing() {
            return;
        }
        let press = Press {
            key: event.key().to_lowercase(),
            ctrl: event.ctrl_key() || event.meta_key(),
            shift: event.shift_key(),
        };
        // A draft is not in the design yet: undoing in it is the browser's.
        if press.ctrl && matches!(press.key.as_str(), "z" | "y") && is_draft(&event) {
            return;
        }
        let typing = is_typing(&event);
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        let within = |selector: &str| {
            let found = target.as_ref().map(|target| target.closest(selector));
            matches!(found, Some(Ok(Some(_))))
        };
        let in_dialog = within("dialog");
        // Keys without Ctrl are the canvas's: elsewhere they would act on what one is not looking at.
        let typing = typing || (!press.ctrl && within(".panel, .inspector, .menu"));
        let found = (SHORTCUTS.iter())
            .find(|shortcut| (shortcut.matches)(&press) && (shortcut.in_fields || !typing));
        if let Some(shortcut) = found
            && !in_dialog
        {
            if press.key != "escape" {
                event.prevent_default();
            }
            (shortcut.run)(reach);
        }
    });
    on_cleanup(move || listener.remove());
}

/// Whether the event comes from a field in which one types.
pub fn is_typing(event: &ev::KeyboardEvent) -> bool {
    let Some(target) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else {
        return false;
    };
    let is_text_input = |element: &Element| {
        !matches!(
            element.get_attribute("type").as_deref(),
            Some("checkbox" | "radio" | "button")
        )
    };
    match target.tag_name().as_str() {
        "INPUT" => is_text_input(&target),
        "TEXTAREA" | "SELECT" => true,
        _ => target.has_attribute("contenteditable"),
    }
}

/// Whether the event comes from a field whose text is not stored before it is done.
fn is_draft(event: &ev::KeyboardEvent) -> bool {
    (event.target().and_then(|t| t.dyn_into::<Element>().ok()))
        .is_some_and(|target| target.has_attribute("data-draft"))
}

fn escape(reach: Reach) {
    if reach.desk.canvas.is_busy() {
        // The gesture is what Escape cancels.
        return;
    }
    let active = document().active_element();
    let field = active
        .and_then(|element| element.dyn_into::<HtmlElement>().ok())
        .filter(|element| matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT"));
    match field {
        Some(field) => {
            let _ = field.blur();
        }
        None => reach.store.selection.set(Selection::new()),
    }
}

/// Moves the focus to the first field of the inspector; on a small screen, shows it.
pub fn focus_inspector(desk: Desk) {
    desk.pane.set(Pane::Inspector);
    focus_first_field();
}

/// Moves the focus to the first field of the inspector, if it is shown.
pub fn focus_first_field() {
    request_animation_frame(|| {
        let field = document().query_selector(".inspector input, .inspector select");
        if let Ok(Some(field)) = field
            && let Ok(field) = field.dyn_into::<web_sys::HtmlInputElement>()
        {
            let _ = field.focus();
            field.select();
        }
    });
}
