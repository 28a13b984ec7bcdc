//! The pattern library's dialog, and what all dialogs and menus have in common.

use super::designs::use_designs;
use super::parts::icon::{Glyph, Icon};
use crate::domain::library;
use crate::ui::parts::erased::{Show, effect};
use leptos::ev;
use leptos::html::{self, Details};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;

/// A modal dialog with a title and a way to close it. The browser keeps the focus inside and closes it with
/// Escape.
#[component]
pub fn Dialog(
    /// Whether it is open.
    open: RwSignal<bool>,
    /// Its title.
    title: &'static str,
    /// What is in it; made anew each time it opens.
    children: ChildrenFn,
) -> impl IntoView {
    let dialog: NodeRef<html::Dialog> = NodeRef::new();
    let children = StoredValue::new(children);
    effect(move || {
        let Some(dialog) = dialog.get() else { return };
        match (open.get(), dialog.open()) {
            (true, false) => {
                let _ = dialog.show_modal();
            }
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    view! {
        <dialog
            node_ref=dialog
            aria-label=title
            on:close=move |_| open.set(false)
            on:click=move |event| {
                // A click on the backdrop is one on the dialog itself, outside what is in it.
                let on_backdrop = event.target() == event.current_target();
                if on_backdrop {
                    open.set(false);
                }
            }
        >
            <div class="dialog-body">
                <header class="dialog-head">
                    <h2>{title}</h2>
                    <button
                        class="icon-button"
                        aria-label="Close"
                        title="Close (Escape)"
                        on:click=move |_| open.set(false)
                    >
                        <Icon glyph=Glyph::Close />
                    </button>
                </header>
                <Show when=move || open.get()>{children.with_value(|children| children())}</Show>
            </div>
        </dialog>
    }
}

/// Closes a menu when something outside it is pressed, and on Escape.
pub fn close_menu_outside(menu: NodeRef<Details>) {
    let close = move |target: Option<web_sys::EventTarget>| {
        let Some(menu) = menu.get_untracked().filter(|menu| menu.open()) else {
            return;
        };
        let inside = (target.and_then(|t| t.dyn_into::<web_sys::Node>().ok()))
            .is_some_and(|node| menu.contains(Some(&node)));
        if !inside {
            menu.set_open(false);
        }
    };
    let press = window_event_listener(ev::pointerdown, move |event| close(event.target()));
    let key = window_event_listener(ev::keydown, move |event| {
        if event.key() == "Escape" {
            close(None);
        }
    });
    on_cleanup(move || {
        press.remove();
        key.remove();
    });
}

/// The pattern library.
#[component]
pub fn LibraryDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    let designs = use_designs();
    view! {
        <Dialog open=open title="Start from a pattern">
            <p class="dialog-text">
                "Each pattern opens as a design of its own; the one you have open stays as it is."
            </p>
            <ul class="pattern-list">
                {library::patterns()
                    .iter()
                    .map(|pattern| {
                        view! {
                            <li>
                                <button
                                    class="pattern"
                                    data-pattern=pattern.name
                                    on:click=move |_| {
                                        designs.add_pattern(pattern);
                                        open.set(false);
                                    }
                                >
                                    <strong>{pattern.title}</strong>
                                    <span>{pattern.summary}</span>
                                </button>
                            </li>
                        }
                    })
                    .collect_view()}
            </ul>
        </Dialog>
    }
}
