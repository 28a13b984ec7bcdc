//! Observing the size of elements.

use super::erased::effect;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};

/// Calls `changed` when the element enters the page and whenever its size changes, until the reactive owner is
/// disposed. `element` returns the element and is tracked.
pub fn on_resize(element: impl Fn() -> Option<Element> + 'static, changed: impl Fn() + 'static) {
    let changed = Closure::<dyn Fn()>::new(changed);
    let observer = ResizeObserver::new(changed.as_ref().unchecked_ref()).ok();
    let watcher = StoredValue::new_local((changed, observer.clone()));
    effect(move || {
        if let (Some(element), Some(observer)) = (element(), &observer) {
            observer.disconnect();
            observer.observe(&element);
        }
    });
    on_cleanup(move || {
        watcher.with_value(|(_, observer)| observer.as_ref().map(ResizeObserver::disconnect));
    });
}
