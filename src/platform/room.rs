//! Whether the browser keeps what the page stores: <https://storage.spec.whatwg.org/#persistence>.

use js_sys::Promise;
use leptos::prelude::window;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Whether the browser deletes the page's data only when the user wants it; `None` if it does not say.
pub async fn is_kept() -> Option<bool> {
    answer(window().navigator().storage().persisted()).await
}

/// Asks the browser to keep the page's data. Some browsers ask the user. Returns whether it will; `None` if it does not
/// say.
pub async fn keep() -> Option<bool> {
    answer(window().navigator().storage().persist()).await
}

/// Outside a secure context there is no storage manager: then the call throws.
async fn answer(asked: Result<Promise, JsValue>) -> Option<bool> {
    JsFuture::from(asked.ok()?).await.ok()?.as_bool()
}
