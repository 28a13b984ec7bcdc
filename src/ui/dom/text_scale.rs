//! The size of the page's text: larger than designed if the user sets a larger font size in the browser.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::cell::OnceCell;
use web_sys::HtmlElement;

/// Width of a character of the monospaced font at 12 px, in CSS pixels, as the page is designed.
pub const CHARACTER: f64 = 7.3;
/// Number of measured characters.
const MEASURED: usize = 64;

thread_local! {
    static SCALE: OnceCell<f64> = const { OnceCell::new() };
}

/// How much wider the text of the table is than designed, at least 1. Measured once: browsers apply another font size
/// when the page is loaded again.
pub fn text_scale() -> f64 {
    SCALE.with(|scale| *scale.get_or_init(|| measured().unwrap_or(1.0).clamp(1.0, 4.0)))
}

fn measured() -> Option<f64> {
    let probe: HtmlElement = document().create_element("code").ok()?.unchecked_into();
    probe.set_text_content(Some(&"0".repeat(MEASURED)));
    probe.style().set_property("position", "absolute").ok()?;
    document().body()?.append_child(&probe).ok()?;
    let width = probe.get_bounding_client_rect().width();
    probe.remove();
    Some(width / MEASURED as f64 / CHARACTER)
}
