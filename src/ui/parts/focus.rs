//! Giving the keyboard focus to what a selector finds.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{FocusOptions, HtmlElement, HtmlInputElement};

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
    request_animation_frame(move || {
        let found = document().query_selector(&selector).ok().flatten();
        let Some(found) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) else {
            return;
        };
        let options = FocusOptions::new();
        options.set_prevent_scroll(still);
        let _ = found.focus_with_options(&options);
        if let Some(field) = found.dyn_ref::<HtmlInputElement>() {
            field.select();
        }
    });
}
