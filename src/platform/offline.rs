//! The service worker, which keeps the app for visits without a network: `src/offline`. Only `scripts/build` makes it.

use super::script;
use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// The file with the script, served beside the page.
const FILE: &str = "offline.js";

#[wasm_bindgen]
extern "C" {
    type Module;
    #[wasm_bindgen(method)]
    fn keep(this: &Module, offer: &Function) -> Promise;
}

/// Reloads the page with the new version of the app.
pub struct NewVersion(Function);

impl NewVersion {
    /// Does so.
    pub fn use_it(&self) {
        let _ = self.0.call0(&JsValue::UNDEFINED);
    }
}

/// Keeps the app, and calls `offer` when a new version of it is there. Browsers without service workers, and those that
/// refuse them, keep nothing.
pub async fn keep(mut offer: impl FnMut(NewVersion) + 'static) {
    let Some(module) = script::load(FILE).await else {
        return;
    };
    let module: Module = module.unchecked_into();
    let offer = Closure::<dyn FnMut(Function)>::new(move |use_: Function| offer(NewVersion(use_)));
    let _ = JsFuture::from(module.keep(offer.as_ref().unchecked_ref())).await;
    // The browser calls it as long as the page is open.
    offer.forget();
}
