//! The field of a figure: what is typed is stored when the person leaves it or presses Enter.

use crate::ui::reactive::erased::RwSignal;
use crate::ui::state::store::Store;
use keyfold_app::Refused;
use leptos::prelude::*;
use web_sys::HtmlInputElement;

/// A text that was refused, and why.
#[derive(Clone)]
struct RefusedText {
    text: String,
    reason: String,
}

/// The field of a figure. A text that is refused stays in it, marked, and the reason is its title; Escape takes back what
/// was typed.
#[component]
pub fn FigureField(
    store: Store,
    /// Its id, if something refers to it.
    #[prop(optional, into)]
    id: Option<String>,
    /// Whether it takes a plain number only.
    #[prop(optional)]
    decimal: bool,
    /// Its name, for screen readers and before the reason that a text is refused.
    label: impl Fn() -> String + Copy + Send + Sync + 'static,
    /// The stored figure as text.
    stored: impl Fn() -> String + Copy + Send + Sync + 'static,
    /// Shown while it is empty.
    placeholder: impl Fn() -> Option<String> + Send + Sync + 'static,
    /// Stores a text.
    set: impl Fn(&str) -> Result<(), Refused> + Send + Sync + 'static,
) -> impl IntoView {
    let refused: RwSignal<Option<RefusedText>> = RwSignal::default();
    let accept = move || {
        if refused.with_untracked(Option::is_some) {
            refused.set(None);
        }
    };
    let text = move || match refused.get() {
        Some(refused) => refused.text,
        None => stored(),
    };
    let reason = move || refused.with(|it| it.as_ref().map(|it| it.reason.clone()));
    view! {
        <input
            id=id
            type="text"
            inputmode=decimal.then_some("decimal")
            spellcheck="false"
            autocomplete="off"
            placeholder=placeholder
            aria-label=label
            aria-invalid=move || refused.with(Option::is_some).then_some("true")
            title=reason
            prop:value=text
            on:change=move |event| {
                let input: HtmlInputElement = event_target(&event);
                let text = input.value();
                match set(&text) {
                    Ok(()) => {
                        accept();
                        input.set_value(&untrack(stored));
                    }
                    Err(reason) => {
                        let reason = reason.to_string();
                        store.notices.complain(format!("{}: {reason}", untrack(label)));
                        refused.set(Some(RefusedText { text, reason }));
                    }
                }
            }
            // If nothing was typed, Escape leaves the place that the field is in.
            on:keydown=move |event| {
                let input: HtmlInputElement = event_target(&event);
                let stored = untrack(stored);
                if event.key() == "Escape" && input.value() != stored {
                    event.stop_propagation();
                    accept();
                    input.set_value(&stored);
                    input.select();
                }
            }
        />
    }
}
