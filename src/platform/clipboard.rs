//! The system clipboard.

use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Returns the text in the clipboard; `None` if the browser does not allow reading it.
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

/// Copies a text to the clipboard.
///
/// # Errors
///
/// The page has no secure context or no permission.
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
