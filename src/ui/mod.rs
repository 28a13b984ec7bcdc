//! The page, in Leptos. It reads the document through [`state::store::Store`] and changes it only through commands.
//! Logic that does not need a page is in the crates `keyfold-app` and `keyfold-core`.
//!
//! The folders, from the bottom up; none imports a later one (`crates/test-support/tests/architecture.rs`):
//!
//! - `reactive`: Leptos's signals, memos and effects, compiled once for all types; delayed callbacks of a view.
//! - `dom`: access to the page without Leptos: focus, elements, key combinations, tints.
//! - `state`: the open design as signals (`store`), the page's arrangement, theme, messages, navigation. No views.
//! - `widgets`: fields, icons, lists, which take values and callbacks.
//! - `designs`: the designs of this browser: opening, autosave, crash recovery.
//! - `dialogs`: the common modal dialog; generating and importing samples, the pattern library.
//! - `canvas`, `live_table`, `inspector`, `exports`, `problems`, `access_patterns`,
//!   `cost`, `text_tab`: the panels.
//! - `shell`: the page around them: bars, keyboard, command palette, context menu, help, and the table of actions. Only
//!   the shell imports all of the above.

mod access_patterns;
mod canvas;
pub mod cost;
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
mod text_tab;
mod widgets;

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::any::Any;
use web_sys::HtmlElement;

/// Shows the app in the page's `#app` element, replacing its content, while the page is open.
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

/// Shows the app in an element, replacing its content, until the returned value is dropped. First reads the design that
/// was open last.
pub async fn mount_in(root: HtmlElement) -> Box<dyn Any> {
    let start = shell::start().await;
    root.set_inner_html("");
    Box::new(mount_to(
        root,
        move || view! { <shell::Shell start=start /> },
    ))
}
