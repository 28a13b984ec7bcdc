//! The page, in Leptos. It reads the document through [`store::Store`] and changes it through commands alone;
//! whatever can be decided without a page is in `app` and `domain`.

mod access_patterns;
mod canvas;
mod code_panel;
mod designs;
mod desk;
mod dialogs;
mod help;
mod inspector;
mod keyboard;
mod live_table;
mod notice;
mod palette;
mod panel;
mod parts;
mod rail;
mod shell;
mod store;
mod top_bar;
mod welcome;

use leptos::prelude::*;

/// Shows the app in the page's `#app` element, in place of what stands there.
pub fn mount() {
    designs::install_panic_hook();
    let Some(root) = document().get_element_by_id("app") else {
        mount_to_body(shell::Shell);
        return;
    };
    root.set_inner_html("");
    use leptos::wasm_bindgen::JsCast;
    if let Ok(root) = root.dyn_into::<web_sys::HtmlElement>() {
        mount_to(root, shell::Shell).forget();
    }
}
