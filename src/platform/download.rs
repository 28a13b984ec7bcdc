//! Files handed to the person.

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// Offers a text as a file of this name. A browser without downloads does nothing.
pub fn text(name: &str, content: &str) {
    // A failure here is the browser's own refusal; it shows its own message.
    let _ = try_text(name, content);
}

fn try_text(name: &str, content: &str) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type("text/plain;charset=utf-8");
    let parts = js_sys::Array::of1(&content.into());
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options)?;
    let url = Url::create_object_url_with_blob(&blob)?;
    let document = web_sys::window()
        .and_then(|window| window.document())
        .ok_or(JsValue::NULL)?;
    let anchor: HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
    anchor.set_href(&url);
    anchor.set_download(name);
    anchor.click();
    Url::revoke_object_url(&url)
}
