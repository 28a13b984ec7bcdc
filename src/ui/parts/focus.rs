//! Giving the keyboard focus to what a selector finds, and bringing it into sight.

use super::later::next_frame_with;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{
    Element, FocusOptions, HtmlElement, HtmlInputElement, ScrollIntoViewOptions,
    ScrollLogicalPosition,
};

/// For so many frames an element is waited for: a long list is drawn piece by piece.
const PATIENCE: u8 = 30;

/// Gives it the focus in the next frame, when it may only now have come into the page, without scrolling to it.
/// If it is not there yet it is waited for, as long as the focus stays where it is. The text of a field is selected.
/// Nothing happens if nothing is found.
pub fn focus_soon(selector: String) {
    soon(selector, true);
}

/// As [`focus_soon`], and scrolls to it if it is out of sight.
pub fn focus_in_sight_soon(selector: String) {
    soon(selector, false);
}

fn soon(selector: String, still: bool) {
    let wanted = Wanted {
        selector,
        still,
        from: document().active_element(),
        frames: PATIENCE,
    };
    next_frame_with(wanted, look_for);
}

/// An element that is to have the focus.
struct Wanted {
    selector: String,
    /// Without scrolling to it.
    still: bool,
    /// What had the focus when it was asked for.
    from: Option<Element>,
    /// For so many more frames it is waited for.
    frames: u8,
}

fn look_for(wanted: Wanted) {
    let found = document().query_selector(&wanted.selector).ok().flatten();
    if let Some(found) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        return focus(&found, wanted.still);
    }
    let now = document().active_element();
    let stays = now == wanted.from || now.is_none_or(|now| now.tag_name() == "BODY");
    if let Some(frames) = wanted.frames.checked_sub(1).filter(|_| stays) {
        next_frame_with(Wanted { frames, ..wanted }, look_for);
    }
}

fn focus(found: &HtmlElement, still: bool) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(still);
    let _ = found.focus_with_options(&options);
    if let Some(field) = found.dyn_ref::<HtmlInputElement>() {
        field.select();
    }
}

/// Takes the keyboard focus from a field, if one has it, as a press elsewhere does.
pub fn leave_field() {
    let focus = document().active_element();
    let field = focus.filter(|focus| focus.matches("input, textarea").unwrap_or_default());
    if let Some(field) = field.and_then(|field| field.dyn_into::<HtmlElement>().ok()) {
        let _ = field.blur();
    }
}

/// Scrolls as little as needed to have the element of this id in sight, if there is one.
pub fn bring_into_sight(id: &str) {
    if let Some(found) = document().get_element_by_id(id) {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        found.scroll_into_view_with_scroll_into_view_options(&options);
    }
}
