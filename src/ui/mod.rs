//! The user interface.

use leptos::{mount::mount_to, prelude::*, wasm_bindgen::JsCast, web_sys::HtmlElement};

/// Replaces the first paint in `#app` with the app.
pub fn mount() {
    let root: HtmlElement = document()
        .get_element_by_id("app")
        .expect("index.html has #app")
        .unchecked_into();
    root.set_inner_html("");
    mount_to(root, App).forget();
}

#[component]
fn App() -> impl IntoView {
    view! { <h1>"Keyfold"</h1> }
}
