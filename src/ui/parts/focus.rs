//! Giving the keyboard focus to what a selector finds, and bringing it into sight.

use super::later::next_frame_with;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{
    FocusOptions, HtmlElement, HtmlInputElement, ScrollIntoViewOptions, ScrollLogicalPosition,
};

/// Gives it the focus in the next frame, when it may only now have come into the page, without scrolling to it.
/// The text of a field is selected. Nothing happens if nothing is found.
pub fn focus_soon(selector: String) {
    soon(selector, true);
}

/// As [`focus_soon`], and scrolls to it if it is out of sight.
pub fn focus_in_sight_soon(selector: String) {
    soon(selector, false);
}

fn soon(selector: String, still: bool) {
    next_frame_with(
        selector,
        match still {
            true => |selector| focus(selector, true),
            false => |selector| focus(selector, false),
        },
    );
}

fn focus(selector: &str, still: bool) {
    let found = document().query_selector(selector).ok().flatten();
    let Some(found) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) else {
        return;
    };
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
