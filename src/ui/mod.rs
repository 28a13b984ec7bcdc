//! The page, in Leptos. It reads the document through [`store::Store`] and changes it through commands alone;
//! whatever can be decided without a page is in `app` and `domain`.

pub mod actions;
mod afterwards;
mod asked;
mod canvas;
mod clipboard;
mod code_panel;
mod command_palette;
mod context_menu;
mod designs;
mod desk;
mod dialogs;
mod file_drop;
mod follow;
mod generate;
mod guide;
mod help;
mod inspector;
pub mod keyboard;
mod library;
mod live_table;
mod notice;
mod palette;
mod panel;
mod parts;
mod patterns;
mod problems;
mod rail;
mod sample_files;
mod shell;
mod store;
mod top_bar;
mod welcome;

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::any::Any;
use web_sys::HtmlElement;

/// Shows the app in the page's `#app` element, in place of what stands there, for as long as the page is open.
pub fn mount() {
    designs::install_panic_hook();
    let root = (document().get_element_by_id("app"))
        .and_then(|element| element.dyn_into().ok())
        .or_else(|| document().body());
    if let Some(root) = root {
        // Leptos has no executor yet.
        wasm_bindgen_futures::spawn_local(async move { std::mem::forget(mount_in(root).await) });
    }
}

/// Shows the app in an element, in place of what stands there, until the returned value is dropped. It is shown once the
/// design that was open last was read.
pub async fn mount_in(root: HtmlElement) -> Box<dyn Any> {
    let start = shell::start().await;
    root.set_inner_html("");
    Box::new(mount_to(
        root,
        move || view! { <shell::Shell start=start /> },
    ))
}
