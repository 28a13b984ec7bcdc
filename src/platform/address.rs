//! The address of the page.

use leptos::prelude::window;
use wasm_bindgen::JsValue;
use web_sys::Location;

/// A part of the address; empty if the browser does not tell it.
fn part(read: impl FnOnce(&Location) -> Result<String, JsValue>) -> String {
    read(&window().location()).unwrap_or_default()
}

/// The fragment with its `#`; empty if there is none.
pub fn fragment() -> String {
    part(Location::hash)
}

/// The address without query and fragment.
pub fn page() -> String {
    [part(Location::origin), part(Location::pathname)].concat()
}

/// Takes query and fragment out of the address, without loading the page again.
pub fn keep_page_only() {
    // Without it, a reload opens the same again.
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&page()));
    }
}
