//! The common behavior of dialogs and menus.

use crate::ui::dom::key_chords::is_composing;
use crate::ui::reactive::erased::{RwSignal, Show, effect};
use crate::ui::reactive::later::View;
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::icon::{Glyph, Icon};
use leptos::ev;
use leptos::html::{self, Details};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::cell::RefCell;
use web_sys::HtmlElement;

/// The element that has the keyboard focus.
pub fn focused() -> Option<HtmlElement> {
    (document().active_element())
        .and_then(|element| element.dyn_into::<HtmlElement>().ok())
        .filter(|element| element.tag_name() != "BODY")
}

/// Returns the keyboard focus to an element, or to the canvas if the element is gone. This does not select a focused
/// card.
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

thread_local! {
    /// What had the focus before the first of the open dialogs.
    static BEFORE_DIALOGS: RefCell<Option<HtmlElement>> = const { RefCell::new(None) };
}

/// The button of a menu for one of its lines, which is hidden by the time that the focus returns; else the element itself.
fn outside_menu(element: HtmlElement) -> HtmlElement {
    let menu = element.closest(".menu").ok().flatten();
    let button = menu.and_then(|menu| menu.query_selector("summary").ok().flatten());
    let button = button.and_then(|button| button.dyn_into().ok());
    button.unwrap_or(element)
}

/// Whether a dialog is open.
pub fn has_open_dialog() -> bool {
    matches!(document().query_selector("dialog[open]"), Ok(Some(_)))
}

/// Tells a press on the dimmed page around a dialog from one that only ends there, as the selection of text in a field may.
#[derive(Clone, Copy, Default)]
pub struct OutsidePress(StoredValue<bool>);

impl OutsidePress {
    /// Remembers where a press begins: for the dialog's `pointerdown`.
    pub fn begin(self, event: &ev::PointerEvent) {
        self.0.set_value(is_on_dialog_itself(event));
    }

    /// Whether a click of the dialog is such a press.
    pub fn is_ended_by(self, event: &ev::MouseEvent) -> bool {
        self.0.get_value() && is_on_dialog_itself(event)
    }
}

/// Whether an event of a dialog is not one of its content.
fn is_on_dialog_itself(event: &ev::Event) -> bool {
    event.target() == event.current_target()
}

/// A modal dialog. The browser keeps the focus inside. Escape and a press outside close it, and then the focus returns
/// to where it was before any dialog was open.
#[component]
pub fn Modal(
    /// Whether it is open.
    open: RwSignal<bool>,
    /// Its accessible name.
    name: &'static str,
    /// Its class.
    #[prop(optional)]
    class: &'static str,
    /// Whether only the page behind it is dimmed so far.
    #[prop(into, optional)]
    is_empty: Signal<bool>,
    /// Its content, rebuilt each time it opens.
    children: ChildrenFn,
) -> impl IntoView {
    let store = use_store();
    let dialog: NodeRef<html::Dialog> = NodeRef::new();
    let children = StoredValue::new(children);
    let outside = OutsidePress::default();
    effect(move || {
        let Some(dialog) = dialog.get() else { return };
        match (open.get(), dialog.open()) {
            (true, false) => {
                if !has_open_dialog() {
                    BEFORE_DIALOGS.set(focused().map(outside_menu));
                }
                let _ = dialog.show_modal();
            }
            (false, true) => {
                keep_selection(store, &|| dialog.close());
                if !has_open_dialog() {
                    go_back(store, BEFORE_DIALOGS.take());
                }
            }
            _ => {}
        }
    });
    view! {
        <dialog
            node_ref=dialog
            class=class
            class:empty=move || is_empty.get()
            aria-label=name
            on:close=move |_| {
                if dialog.get_untracked().is_some_and(|dialog| !dialog.open()) {
                    open.set(false);
                }
            }
            on:keydown=move |event| {
                if event.key() == "Escape" && !is_composing(&event) {
                    event.prevent_default();
                    open.set(false);
                }
            }
            on:pointerdown=move |event| outside.begin(&event)
            on:click=move |event| {
                if outside.is_ended_by(&event) {
                    open.set(false);
                }
            }
        >
            <Show when=move || open.get()>{children.with_value(|children| children())}</Show>
        </dialog>
    }
}

/// A modal dialog with a title and a close button. The press that opens it is answered by the dimmed page; its content
/// follows after the paint.
#[component]
pub fn Dialog(
    /// Whether it is open.
    open: RwSignal<bool>,
    /// Its title.
    title: &'static str,
    /// Its class.
    #[prop(optional)]
    class: &'static str,
    /// Its content, rebuilt each time it opens.
    children: ChildrenFn,
) -> impl IntoView {
    let children = StoredValue::new(children);
    let view = View::new();
    let is_drawn = RwSignal::new(false);
    effect(move || match open.get() {
        true => view.after_paint(move || is_drawn.set(open.get_untracked())),
        false => is_drawn.set(false),
    });
    view! {
        <Modal open=open name=title class=class is_empty=Signal::derive(move || !is_drawn.get())>
            <div class="dialog-body">
                <header class="dialog-head">
                    <h2>{title}</h2>
                    <button
                        class="icon-button"
                        aria-label="Close"
                        title="Close (Esc)"
                        on:click=move |_| open.set(false)
                    >
                        <Icon glyph=Glyph::Close />
                    </button>
                </header>
                <Show when=move || {
                    is_drawn.get()
                }>{children.with_value(|children| children())}</Show>
            </div>
        </Modal>
    }
}

/// Closes a menu on a press outside it, and on Escape, which returns the focus to its button.
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
