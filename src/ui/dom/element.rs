//! Finding elements of the page.

use js_sys::Reflect;
use leptos::prelude::document;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, Node, PointerEvent};

/// The element itself or its nearest ancestor that matches the selector.
pub fn closest(element: &Element, selector: &str) -> Option<Element> {
    element.closest(selector).ok().flatten()
}

/// The element under the pointer, for events on the canvas or in the table. For touch, the browser may report a nearby
/// element as the target; this returns the element exactly under the finger.
pub fn under(event: &PointerEvent) -> Option<Element> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    if event.pointer_type() != "touch" {
        return Some(target);
    }
    // web-sys rounds the coordinates, and another element may begin there.
    let at = |name: &str| Reflect::get(event, &name.into()).ok()?.as_f64();
    let exact = document().element_from_point(at("clientX")? as f32, at("clientY")? as f32);
    let region = closest(&target, ".canvas, .grid");
    let is_inside = |element: &Element| {
        let node: &Node = element;
        (region.as_ref()).is_some_and(|region| region.contains(Some(node)))
    };
    Some(exact.filter(is_inside).unwrap_or(target))
}
