//! A field that searches a list.

use super::icon::{Glyph, Icon};
use leptos::ev;
use leptos::prelude::*;

/// A search field with its icon.
#[component]
pub fn SearchField(
    /// Its accessible name.
    label: &'static str,
    /// What stands in it while it is empty.
    #[prop(default = "Search")]
    placeholder: &'static str,
    /// The class of its label, which draws it.
    #[prop(default = "search")]
    class: &'static str,
    /// What stands in it.
    #[prop(into)]
    value: Signal<String>,
    /// Takes what is typed.
    typed: Callback<String>,
) -> impl IntoView {
    // The browser would empty the field without a word, and its list would stay as it is.
    let key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" && !event.is_composing() && !value.get_untracked().is_empty() {
            event.prevent_default();
            event.stop_propagation();
            typed.run(String::new());
        }
    };
    view! {
        <label class=class>
            <Icon glyph=Glyph::Search />
            <input
                type="search"
                aria-label=label
                placeholder=placeholder
                spellcheck="false"
                autocomplete="off"
                prop:value=value
                on:keydown=key
                on:input=move |event| typed.run(event_target_value(&event))
            />
        </label>
    }
}
