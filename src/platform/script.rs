//! Scripts that the page loads on demand. A release build gives them names with a hash (`scripts/assemble.mjs`).

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    // `src/boot.js` has it.
    #[wasm_bindgen(catch, js_name = keyfoldImport)]
    fn import(name: &str) -> Result<Promise, JsValue>;
}

/// Loads a module that is served beside the page; `None` if that fails.
pub async fn load(name: &str) -> Option<JsValue> {
    JsFuture::from(import(name).ok()?).await.ok()
}
