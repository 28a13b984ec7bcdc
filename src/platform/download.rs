//! Files handed to the person.

use super::raster::{blob, download};
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;

/// Offers a text as a file of this name. A browser without downloads does nothing.
pub fn text(name: &str, content: &str) {
    offer(name, &content.into(), "text/plain;charset=utf-8");
}

/// Offers a zip archive likewise.
pub fn zip(name: &str, content: &[u8]) {
    offer(name, &Uint8Array::from(content), "application/zip");
}

fn offer(name: &str, content: &JsValue, kind: &str) {
    // A failure here is the browser's own refusal; it shows its own message.
    let _ = blob(content, kind).and_then(|file| download(name, &file));
}
