//! Files that are served beside the page.

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The text of a file beside the page; `None` if it cannot be read.
pub async fn text(name: &str) -> Option<String> {
    let window = web_sys::window()?;
    let response = JsFuture::from(window.fetch_with_str(name)).await.ok()?;
    if !Reflect::get(&response, &JsValue::from_str("ok"))
        .ok()?
        .is_truthy()
    {
        return None;
    }
    let read: Function = (Reflect::get(&response, &JsValue::from_str("text")).ok()?)
        .dyn_into()
        .ok()?;
    let text: Promise = read.call0(&response).ok()?.dyn_into().ok()?;
    JsFuture::from(text).await.ok()?.as_string()
}
