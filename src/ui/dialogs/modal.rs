//! What all dialogs and menus have in common.

use crate::ui::reactive::erased::{RwSignal, Show, effect};
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::icon::{Glyph, Icon};
use leptos::ev;
use leptos::html::{self, Details};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The element that has the keyboard focus, to go back to later.
pub fn focused() -> Option<HtmlElement> {
    (document().active_element())
        .and_then(|element| element.dyn_into::<HtmlElement>().ok())
        .filter(|element| element.tag_name() != "BODY")
}

/// Gives an element the keyboard focus again; if it is gone, the canvas gets it. A card that gets the focus this
/// way is not selected by it.
pub fn go_back(store: Store, to: Option<HtmlElement>) {
    let canvas = || {
        let canvas = document().query_selector(".canvas").ok()??;
        canvas.dyn_into::<HtmlElement>().ok()
    };
    if let Some(element) = to.filter(|to| to.is_connected()).or_else(canvas) {
        keep_selection(store, &|| {
            let _ = element.focus();
        });
    }
}

fn keep_selection(store: Store, act: &dyn Fn()) {
    let selection = store.selection.get_untracked();
    act();
    if store.selection.with_untracked(|now| *now != selection) {
        store.selection.set(selection);
    }
}

/// What all modal dialogs have in common: the browser keeps the focus inside and closes it with Escape; a press
/// outside closes it too; afterwards the focus is where it was.
#[component]
pub fn Modal(
    /// Whether it is open.
    open: RwSignal<bool>,
    /// Its accessible name.
    name: &'static str,
    /// Its class.
    #[prop(optional)]
    class: &'static str,
    /// What is in it; made anew each time it opens.
    children: ChildrenFn,
) -> impl IntoView {
    let store = use_store();
    let dialog: NodeRef<html::Dialog> = NodeRef::new();
    let children = StoredValue::new(children);
    let before = StoredValue::new_local(None::<HtmlElement>);
    effect(move || {
        let Some(dialog) = dialog.get() else { return };
        match (open.get(), dialog.open()) {
            (true, false) => {
                before.set_value(focused());
                let _ = dialog.show_modal();
            }
            (false, true) => {
                keep_selection(store, &|| dialog.close());
                go_back(store, before.try_update_value(Option::take).flatten());
            }
            _ => {}
        }
    });
    view! {
        <dialog
            node_ref=dialog
            class=class
            aria-label=name
            on:close=move |_| {
                // It may be open again by the time that this is heard.
                if dialog.get_untracked().is_some_and(|dialog| !dialog.open()) {
                    open.set(false);
                }
            }
            on:keydown=move |event| {
                // Not left to the browser, which would select the card that it gives the focus back to.
                if event.key() == "Escape" && !event.is_composing() {
                    event.prevent_default();
                    open.set(false);
                }
            }
            on:click=move |event| {
                // A click on the backdrop is one on the dialog itself, outside what is in it.
                let on_backdrop = event.target() == event.current_target();
                if on_backdrop {
                    open.set(false);
                }
            }
        >
            <Show when=move || open.get()>{children.with_value(|children| children())}</Show>
        </dialog>
    }
}

/// A modal dialog with a title and a way to close it.
#[component]
pub fn Dialog(
    /// Whether it is open.
    open: RwSignal<bool>,
    /// Its title.
    title: &'static str,
    /// Its class.
    #[prop(optional)]
    class: &'static str,
    /// What is in it; made anew each time it opens.
    children: ChildrenFn,
) -> impl IntoView {
    let children = StoredValue::new(children);
    view! {
        <Modal open=open name=title class=class>
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
                {children.with_value(|children| children())}
            </div>
        </Modal>
    }
}

/// Closes a menu when something outside it is pressed, and on Escape, which leaves the focus on its button.
pub fn close_menu_outside(menu: NodeRef<Details>) {
    let store = use_store();
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
        let open = menu.get_untracked().filter(|menu| menu.open());
        if event.key() == "Escape"
            && let Some(menu) = open
        {
            close(None);
            let button = menu.query_selector("summary").ok().flatten();
            go_back(store, button.and_then(|button| button.dyn_into().ok()));
        }
    });
    on_cleanup(move || {
        press.remove();
        key.remove();
    });
}
