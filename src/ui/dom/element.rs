//! Looking for elements of the page.

use js_sys::Reflect;
use leptos::prelude::document;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, Node, PointerEvent};

/// The element itself or the nearest one around it that the selector fits.
pub fn closest(element: &Element, selector: &str) -> Option<Element> {
    element.closest(selector).ok().flatten()
}

/// What a pointer event on the canvas or in the table is about. The target of a finger's event may be another element
/// near by: a browser takes the one that it thinks was meant. What is meant here is what lies under the finger.
pub fn under(event: &PointerEvent) -> Option<Element> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    if event.pointer_type() != "touch" {
        return Some(target);
    }
    // web-sys rounds them, and something else may begin there.
    let at = |name: &str| Reflect::get(event, &name.into()).ok()?.as_f64();
    let exact = document().element_from_point(at("clientX")? as f32, at("clientY")? as f32);
    let region = closest(&target, ".canvas, .grid");
    let is_inside = |element: &Element| {
        let node: &Node = element;
        (region.as_ref()).is_some_and(|region| region.contains(Some(node)))
    };
    Some(exact.filter(is_inside).unwrap_or(target))
}
