//! Observing elements: their size, and changes of the page.

use super::erased::effect;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::wasm_bindgen::closure::Closure;
use web_sys::{Element, MutationObserver, MutationObserverInit, ResizeObserver};

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

/// Calls `changed` after elements were added or removed anywhere in the page, once for those of a task, until the reactive
/// owner is disposed.
pub fn on_elements_changed(changed: impl Fn() + 'static) {
    let changed = Closure::<dyn Fn()>::new(changed);
    let observer = MutationObserver::new(changed.as_ref().unchecked_ref()).ok();
    if let (Some(observer), Some(body)) = (&observer, document().body()) {
        let options = MutationObserverInit::new();
        options.set_child_list(true);
        options.set_subtree(true);
        let _ = observer.observe_with_options(&body, &options);
    }
    let watcher = StoredValue::new_local((changed, observer));
    on_cleanup(move || {
        watcher.with_value(|(_, observer)| observer.as_ref().map(MutationObserver::disconnect));
    });
}
