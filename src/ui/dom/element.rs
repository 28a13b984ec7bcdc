//! Finding elements of the page.

use js_sys::Reflect;
use leptos::prelude::{document, window};
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, Event, Node, PointerEvent};

/// The element itself or its nearest ancestor that matches the selector.
pub fn closest(element: &Element, selector: &str) -> Option<Element> {
    element.closest(selector).ok().flatten()
}

/// The element at which an event happened.
pub fn target_of(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// Width and height of the window, in CSS pixels.
pub fn window_size() -> (f64, f64) {
    let (width, height) = (window().inner_width(), window().inner_height());
    let [width, height] = [width, height].map(|length| length.ok()?.as_f64());
    (width.unwrap_or_default(), height.unwrap_or_default())
}

/// The element under the pointer, for events on the canvas or in the table. For touch, the browser may report a nearby
/// element as the target; this returns the element exactly under the finger. Where several lie upon each other, it is
/// the target: since the browser chose it, hovering may have moved another above it.
pub fn under(event: &PointerEvent) -> Option<Element> {
    let target = target_of(event)?;
    if event.pointer_type() != "touch" {
        return Some(target);
    }
    // web-sys rounds the coordinates, and another element may begin there.
    let at = |name: &str| Reflect::get(event, &name.into()).ok()?.as_f64();
    let (x, y) = (at("clientX")? as f32, at("clientY")? as f32);
    let all = document().elements_from_point(x, y);
    let exact = all.get(0).dyn_into::<Element>().ok();
    let region = closest(&target, ".canvas, .grid");
    let is_in = |outer: &Element, inner: &Element| Node::contains(outer, Some(inner));
    let is_under = all.includes(&target, 0);
    let is_wanted = |element: &Element| {
        (region.as_ref()).is_some_and(|region| is_in(region, element))
            && (!is_under || is_in(&target, element))
    };
    Some(exact.filter(is_wanted).unwrap_or(target))
}
