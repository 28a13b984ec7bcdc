//! Key combinations: how they are written in the table of actions, shown to the person, and recognised when
//! they are pressed.

use super::actions::{Action, Reach, actions, group};
use super::desk::{Desk, Pane};
use crate::ui::parts::focus::focus_soon;
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// Keys with a name, as the browser calls them, and how they are shown; the space bar is called by its name.
const NAMED: &[(&str, &str)] = &[
    ("ArrowDown", "↓"),
    ("ArrowLeft", "←"),
    ("ArrowRight", "→"),
    ("ArrowUp", "↑"),
    ("Backspace", "Backspace"),
    ("ContextMenu", "Menu"),
    ("Delete", "Delete"),
    ("End", "End"),
    ("Enter", "Enter"),
    ("Escape", "Esc"),
    ("F10", "F10"),
    ("F2", "F2"),
    ("F6", "F6"),
    ("F8", "F8"),
    ("Home", "Home"),
    ("PageDown", "Page down"),
    ("PageUp", "Page up"),
    ("Space", "Space"),
    ("Tab", "Tab"),
];

/// A key combination, such as `Ctrl+Shift+Z`, `?` or `ArrowLeft`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chord {
    /// Ctrl; on a Mac, Cmd.
    pub ctrl: bool,
    /// Alt; on a Mac, Option.
    pub alt: bool,
    /// Shift. Of no account with a sign such as `?`: which signs need it is the keyboard's affair.
    pub shift: bool,
    /// A letter, a digit, a sign, or one of the named keys.
    pub key: &'static str,
}

impl Chord {
    /// Reads a combination; `None` if it is none.
    pub fn parse(text: &'static str) -> Option<Chord> {
        let (ctrl, text) = modifier(text, "Ctrl+");
        let (alt, text) = modifier(text, "Alt+");
        let (shift, key) = modifier(text, "Shift+");
        let known = key.chars().count() == 1 || NAMED.iter().any(|(name, _)| *name == key);
        known.then_some(Chord {
            ctrl,
            alt,
            shift,
            key,
        })
    }

    /// The sign, letter or digit, if it is no named key.
    fn sign(self) -> Option<char> {
        let mut chars = self.key.chars();
        chars.next().filter(|_| chars.next().is_none())
    }

    /// Whether this is what was pressed.
    pub fn matches(self, press: &Press) -> bool {
        let same_key = |name: &str| press.key.eq_ignore_ascii_case(name);
        let same_place = |kind: &str| {
            let place = press.code.strip_prefix(kind);
            place.is_some_and(|place| place.eq_ignore_ascii_case(self.key))
        };
        // Where keys give other signs with a modifier, or letters of another script, their place counts.
        let (any_shift, same) = match self.sign() {
            Some(c) if c.is_ascii_digit() && self.shift => {
                (false, same_place("Digit") && !same_key(self.key))
            }
            Some(c) if c.is_ascii_digit() && self.alt => {
                (false, same_key(self.key) || same_place("Digit"))
            }
            Some(c) if c.is_ascii_digit() => (true, same_key(self.key)),
            Some(c) if c.is_ascii_alphabetic() => {
                let other = self.alt || !press.key.is_ascii();
                let same = same_key(self.key) || other && same_place("Key");
                (false, same)
            }
            Some(_) => (true, same_key(self.key)),
            None if self.key == "Space" => (false, press.key == " "),
            None => (false, same_key(self.key)),
        };
        same && press.ctrl == self.ctrl
            && press.alt == self.alt
            && (any_shift || press.shift == self.shift)
    }

    /// As it is shown to the person: on a Mac with the signs of its keys.
    fn shown(self) -> String {
        let mac = is_mac();
        let mut text = String::new();
        for (pressed, here, on_mac) in [
            (self.ctrl, "Ctrl+", "⌘"),
            (self.alt, "Alt+", "⌥"),
            (self.shift, "Shift+", "⇧"),
        ] {
            if pressed {
                text.push_str(if mac { on_mac } else { here });
            }
        }
        let named = NAMED.iter().find(|(name, _)| *name == self.key);
        text.push_str(named.map_or(self.key, |(_, shown)| shown));
        text
    }
}

fn modifier(text: &'static str, name: &str) -> (bool, &'static str) {
    match text.strip_prefix(name) {
        Some(rest) => (true, rest),
        None => (false, text),
    }
}

/// The combinations in a text such as `Delete, Backspace`; `None` in place of one that is none.
pub fn chords(keys: &'static str) -> impl Iterator<Item = Option<Chord>> {
    let texts = (!keys.is_empty()).then(|| keys.split(", "));
    texts.into_iter().flatten().map(Chord::parse)
}

/// The combinations as they are shown to the person, one by one.
pub fn shown(keys: &'static str) -> Vec<String> {
    chords(keys).flatten().map(Chord::shown).collect()
}

/// The first combination as it is shown to the person; empty if there is none.
pub fn first_shown(keys: &'static str) -> String {
    chords(keys)
        .flatten()
        .next()
        .map(Chord::shown)
        .unwrap_or_default()
}

/// A key press, reduced to what combinations ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Press {
    /// The sign that the key gives, or its name.
    pub key: String,
    /// Where the key is, such as `KeyZ`.
    pub code: String,
    /// Ctrl; on a Mac, Cmd.
    pub ctrl: bool,
    /// Alt.
    pub alt: bool,
    /// Shift.
    pub shift: bool,
}

impl Press {
    /// What was pressed; `None` with a modifier that no combination has.
    fn of(event: &ev::KeyboardEvent) -> Option<Press> {
        let (ctrl, other) = match is_mac() {
            true => (event.meta_key(), event.ctrl_key()),
            false => (event.ctrl_key() || event.meta_key(), false),
        };
        (!other).then(|| Press {
            key: event.key(),
            code: event.code(),
            ctrl,
            alt: event.alt_key(),
            shift: event.shift_key(),
        })
    }
}

/// Whether this is a Mac, or a tablet with a Mac's keys.
pub fn is_mac() -> bool {
    let platform = window().navigator().platform().unwrap_or_default();
    platform.starts_with("Mac") || platform.starts_with("iP")
}

/// Whether a key was pressed with Ctrl, or Cmd on a Mac.
pub fn is_command(event: &ev::KeyboardEvent, key: &str) -> bool {
    Press::of(event)
        .is_some_and(|press| press.ctrl && !press.alt && press.key.eq_ignore_ascii_case(key))
}

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
pub fn bind(reach: Reach) {
    rescue_focus(reach);
    part_fields(reach);
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
        let on_canvas = reach.desk.canvas.is_seen();
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
        let all: Vec<&Action> = actions().filter(pressed).collect();
        let enabled = |action: &&&Action| (action.enabled)(reach);
        let of_table = (all.iter()).filter(|action| action.in_table).find(enabled);
        let found = of_table.or_else(|| all.iter().find(enabled));
        // What works in fields too is never the browser's: its undo knows nothing of the design.
        let ours = found.is_some() || all.iter().any(|action| action.in_fields);
        // A gesture takes no other step than that which Escape takes back.
        let found = found.filter(|_| press.key == "Escape" || !reach.desk.canvas.is_busy());
        if ours && press.key != "Escape" {
            event.prevent_default();
        }
        if let Some(action) = found {
            (action.run)(reach);
        }
    });
    on_cleanup(move || listener.remove());
}

/// What is changed in a field until that is left goes together in the undo history; choices and switches do not.
fn part_fields(reach: Reach) {
    let left = window_event_listener(ev::focusout, move |_| reach.store.leave_field());
    let chosen = window_event_listener(ev::change, move |event| {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        if target.is_some_and(|target| {
            target.matches("select, [type=checkbox], [type=radio]") == Ok(true)
        }) {
            reach.store.leave_field();
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
fn rescue_focus(reach: Reach) {
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
        let view = reach.store.view;
        view.next_frame(move || {
            view.next_frame(move || {
                let focus = document().active_element();
                if focus.is_some_and(|focus| focus.tag_name() != "BODY") {
                    return;
                }
                // The table gives the focus to the item that had it.
                let table = reach.desk.tables.shown.get_value();
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
                let selection = reach.store.selection;
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

/// Moves the focus to the first field of the inspector, or to its first button where it has no field; on a small
/// screen, shows it.
pub fn focus_inspector(desk: Desk) {
    desk.pane.set(Pane::Inspector);
    let field = document().query_selector(FIRST_FIELD).ok().flatten();
    match field {
        Some(_) => focus_first_field(),
        None => focus_soon(".inspector button".into()),
    }
}

/// The selector of the inspector's first field.
pub const FIRST_FIELD: &str = ".inspector input, .inspector select";

/// Moves the focus to the first field of the inspector, if it is shown.
pub fn focus_first_field() {
    focus_soon(FIRST_FIELD.into());
}
