//! File downloads.

use super::raster::{blob, download};
use js_sys::Uint8Array;
use wasm_bindgen::JsValue;

/// Downloads a text as a file. Does nothing if the browser has no downloads.
pub fn text(name: &str, content: &str) {
    offer(name, &content.into(), "text/plain;charset=utf-8");
}

/// Downloads a zip archive.
pub fn zip(name: &str, content: &[u8]) {
    offer(name, &Uint8Array::from(content), "application/zip");
}

fn offer(name: &str, content: &JsValue, kind: &str) {
    // If the browser refuses, it shows its own message.
    let _ = blob(content, kind).and_then(|file| download(name, &file));
}
