//! A button that copies a text and says so itself: a message of the page would be behind an open dialog.

use super::icon::{Glyph, Icon};
use crate::platform::clipboard;
use crate::ui::reactive::erased::RwSignal;
use crate::ui::reactive::later::View;
use leptos::prelude::*;
use std::time::Duration;

/// How long the button says that it has copied.
const SAID: Duration = Duration::from_secs(2);

/// The button.
#[component]
pub fn CopyButton(
    /// Its class.
    class: &'static str,
    /// What it says before it is pressed.
    caption: &'static str,
    /// Its accessible name.
    #[prop(into)]
    label: String,
    /// What it says if the browser blocks the clipboard.
    blocked: &'static str,
    /// Returns the text; called when it is pressed.
    text: Callback<(), String>,
    /// Whether there is nothing to copy.
    #[prop(into)]
    disabled: Signal<bool>,
) -> impl IntoView {
    let view = View::new();
    let said = RwSignal::new(caption);
    let copy = move |_| {
        let text = text.run(());
        let copying = async move { clipboard::copy(&text).await };
        view.answer(copying, move |copied| {
            said.set(match copied {
                Ok(()) => "Copied",
                Err(_) => blocked,
            });
            view.after(SAID, move || said.set(caption));
        });
    };
    view! {
        <button
            type="button"
            class=format!("button {class}")
            aria-label=label
            disabled=move || disabled.get()
            on:click=copy
        >
            <Icon glyph=Glyph::Copy />
            <span aria-live="polite">{move || said.get()}</span>
        </button>
    }
}
