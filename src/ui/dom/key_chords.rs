//! Key combinations: their notation, how they are shown to the user, and how key presses match them.

use crate::ui::dom::element::target_of;
use leptos::ev;
use leptos::prelude::*;
use web_sys::Element;

/// Named keys: the browser's name and the shown name. The browser's name of `Space` is `" "`.
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
    ("PageDown", "Page Down"),
    ("PageUp", "Page Up"),
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
    /// Shift. Ignored for signs such as `?`: which signs need Shift depends on the keyboard layout.
    pub shift: bool,
    /// A letter, a digit, a sign, or one of the named keys.
    pub key: &'static str,
}

impl Chord {
    /// Parses a combination; `None` if it is invalid.
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

    /// The sign, letter or digit; `None` for a named key.
    fn sign(self) -> Option<char> {
        let mut chars = self.key.chars();
        chars.next().filter(|_| chars.next().is_none())
    }

    /// Whether it is a letter, a digit or a sign without Ctrl and Alt: what speech input may type by accident.
    pub fn is_character(self) -> bool {
        self.sign().is_some() && !self.ctrl && !self.alt
    }

    /// Whether a key press matches this combination.
    pub fn matches(self, press: &Press) -> bool {
        let same_key = |name: &str| press.key.eq_ignore_ascii_case(name);
        let same_place = |kind: &str| {
            let place = press.code.strip_prefix(kind);
            place.is_some_and(|place| place.eq_ignore_ascii_case(self.key))
        };
        // If a key gives another sign with a modifier, or a letter of another script, its position counts.
        let (any_shift, same) = match self.sign() {
            Some(c) if c.is_ascii_digit() && self.shift => (false, same_place("Digit")),
            // A French keyboard gives digits with Shift only: its key in this place counts.
            Some(c) if c.is_ascii_digit() => (false, same_key(self.key) || same_place("Digit")),
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

    /// The combination as shown to the user: on a Mac with the symbols of its keys.
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

/// The combinations in a text such as `Delete, Backspace`; `None` for each invalid one.
pub fn chords(keys: &'static str) -> impl Iterator<Item = Option<Chord>> {
    let texts = (!keys.is_empty()).then(|| keys.split(", "));
    texts.into_iter().flatten().map(Chord::parse)
}

/// Each combination as shown to the user.
pub fn shown(keys: &'static str) -> Vec<String> {
    chords(keys).flatten().map(Chord::shown).collect()
}

/// The first combination as shown to the user; empty if there is none.
pub fn first_shown(keys: &'static str) -> String {
    chords(keys)
        .flatten()
        .next()
        .map(Chord::shown)
        .unwrap_or_default()
}

/// A key press, reduced to what combinations compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Press {
    /// The character that the key gives, or its name.
    pub key: String,
    /// The position of the key, such as `KeyZ`.
    pub code: String,
    /// Ctrl; on a Mac, Cmd.
    pub ctrl: bool,
    /// Alt.
    pub alt: bool,
    /// Shift.
    pub shift: bool,
}

impl Press {
    /// The key press of an event; `None` with a modifier that no combination has.
    pub fn of(event: &ev::KeyboardEvent) -> Option<Press> {
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

/// Whether an input method handles the key press: while it composes a text, and for the Enter that ends it, which Safari
/// reports after the composition with key code 229.
pub fn is_composing(event: &ev::KeyboardEvent) -> bool {
    event.is_composing() || event.key_code() == 229
}

/// Whether the event comes from a field that takes typed text, or from a select.
pub fn is_typing(event: &ev::KeyboardEvent) -> bool {
    let Some(target) = target_of(event) else {
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
