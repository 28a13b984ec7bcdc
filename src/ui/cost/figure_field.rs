//! The field of a figure: what is typed is stored when the person leaves it or presses Enter.

use crate::ui::state::store::Store;
use crate::ui::widgets::field::Commit;
use crate::ui::widgets::late_text::LateText;
use keyfold_app::Refused;
use leptos::prelude::*;
use web_sys::HtmlInputElement;

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
    stored: impl Fn() -> String + Send + Sync + 'static,
    /// Shown while it is empty.
    placeholder: impl Fn() -> Option<String> + Send + Sync + 'static,
    /// Stores a text.
    set: impl Fn(&str) -> Result<(), Refused> + Send + Sync + 'static,
) -> impl IntoView {
    let late = LateText::new(stored, Commit::new(move |text: String| set(&text)));
    view! {
        <input
            id=id
            type="text"
            inputmode=decimal.then_some("decimal")
            spellcheck="false"
            autocomplete="off"
            placeholder=placeholder
            aria-label=label
            aria-invalid=move || late.reason().map(|_| "true")
            title=move || late.reason()
            data-draft=move || late.draft()
            prop:value=move || late.text()
            on:input=move |event| late.typed(event_target_value(&event))
            on:change=move |event| {
                let input: HtmlInputElement = event_target(&event);
                let Some((shown, refused)) = late.left(input.value()) else {
                    return;
                };
                input.set_value(&shown);
                if let Some(refused) = refused {
                    store.notices.complain(format!("{}: {refused}", untrack(label)));
                }
            }
            // If nothing was typed, Escape leaves the place that the field is in.
            on:keydown=move |event| {
                if event.key() == "Escape" && let Some(stored) = late.drop_typed() {
                    let input: HtmlInputElement = event_target(&event);
                    event.stop_propagation();
                    input.set_value(&stored);
                    input.select();
                }
            }
        />
    }
}
