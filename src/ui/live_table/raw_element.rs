//! Elements created without Leptos, for content redrawn at every scroll step.

use leptos::prelude::document;
use leptos::wasm_bindgen::{JsCast, UnwrapThrowExt};
use web_sys::Element;

/// Creates an element with these classes.
pub fn make(tag: &str, class: &str) -> Element {
    let element = (document().create_element(tag)).expect_throw("the tag is a name");
    element.set_class_name(class);
    element
}

/// Sets an attribute.
pub fn set(element: &Element, name: &str, value: &str) {
    let _ = element.set_attribute(name, value);
}

/// Clones an element and its content.
pub fn copy_of(element: &Element) -> Option<Element> {
    (element.clone_node_with_deep(true).ok()).map(JsCast::unchecked_into)
}
