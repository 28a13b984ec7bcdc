//! The height of the table's lines: more for a finger than for a pointer.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::cell::OnceCell;
use web_sys::HtmlElement;

/// Height of a line for a pointer, and for a finger, in CSS pixels.
const LINE: f64 = 28.0;
/// See [`LINE`].
const LINE_FOR_FINGERS: f64 = 44.0;

thread_local! {
    static LINE_HEIGHT: OnceCell<f64> = const { OnceCell::new() };
}

/// Height of a line, in CSS pixels; `--row` in the style sheets. Does not change while the page is open.
pub fn line_height() -> f64 {
    LINE_HEIGHT.with(|height| *height.get_or_init(measure_line))
}

/// Whether the table is used by fingers.
pub fn is_for_fingers() -> bool {
    line_height() == LINE_FOR_FINGERS
}

fn measure_line() -> f64 {
    let coarse = window().match_media("(pointer: coarse)").ok().flatten();
    if !coarse.is_some_and(|coarse| coarse.matches()) {
        return LINE;
    }
    let root = document().document_element();
    if let Some(Ok(root)) = root.map(|root| root.dyn_into::<HtmlElement>()) {
        let _ = (root.style()).set_property("--row", &format!("{LINE_FOR_FINGERS}px"));
    }
    LINE_FOR_FINGERS
}
