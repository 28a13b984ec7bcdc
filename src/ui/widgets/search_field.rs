//! A search field for a list.

use super::icon::{Glyph, Icon};
use crate::ui::dom::key_chords::is_composing;
use leptos::ev;
use leptos::prelude::*;

/// A search field with an icon.
#[component]
pub fn SearchField(
    /// Its accessible name.
    label: &'static str,
    /// Its placeholder.
    #[prop(default = "Search")]
    placeholder: &'static str,
    /// The class of its label, which styles it.
    #[prop(default = "search")]
    class: &'static str,
    /// Its text.
    #[prop(into)]
    value: Signal<String>,
    /// Called with each new text.
    typed: Callback<String>,
) -> impl IntoView {
    // The browser would empty the field without an event, and the list would stay filtered.
    let key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" && !is_composing(&event) && !value.get_untracked().is_empty() {
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
