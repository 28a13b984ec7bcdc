//! The page, in Leptos. It reads the document through [`state::store::Store`] and changes it through commands alone;
//! whatever can be decided without a page is in `app` and `domain`.
//!
//! The folders, from below; none imports one that stands after it (`crates/test-support/tests/architecture.rs`):
//!
//! - `reactive`: Leptos's signals, memos and effects, compiled once for all types; callbacks that end with their view.
//! - `dom`: the browser's page without Leptos: focus, elements, key combinations, tints.
//! - `state`: the open design as signals (`store`), the page's arrangement, theme, messages, ways around. No views.
//! - `widgets`: fields, icons, lists: they take values and callbacks.
//! - `designs`: the designs of this browser: opening, autosave, what a crash leaves behind.
//! - `dialogs`: what all dialogs have in common; generating and importing samples, the pattern library.
//! - `canvas`, `live_table`, `inspector`, `exports`, `problems`, `access_patterns`: the panels.
//! - `shell`: the page around them: bars, keyboard, command palette, context menu, help, and the table of actions, which
//!   alone reaches all of the above.

mod access_patterns;
mod canvas;
mod designs;
mod dialogs;
pub mod dom;
mod exports;
mod inspector;
mod live_table;
mod problems;
mod reactive;
pub mod shell;
pub mod state;
mod widgets;

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
