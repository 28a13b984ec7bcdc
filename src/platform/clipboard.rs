//! The system clipboard.

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// The text that is in the clipboard; `None` if the browser does not tell.
pub async fn read() -> Option<String> {
    let clipboard = web_sys::window()?.navigator().clipboard();
    if clipboard.is_undefined() {
        return None;
    }
    JsFuture::from(clipboard.read_text())
        .await
        .ok()?
        .as_string()
}

/// Puts a text on the clipboard; the error is for pages that may not (no secure context, no permission).
pub async fn copy(text: &str) -> Result<(), JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let clipboard = js_sys::Reflect::get(&window.navigator(), &"clipboard".into())?;
    if clipboard.is_undefined() {
        return Err(JsValue::from_str("no clipboard"));
    }
    JsFuture::from(window.navigator().clipboard().write_text(text))
        .await
        .map(|_| ())
}
