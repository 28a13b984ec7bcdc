//! Collapsible sections of the inspector. Which ones are open is remembered until the page closes.

use keyfold_core::model::SortedMap;
use leptos::prelude::*;
use web_sys::HtmlDetailsElement;

/// The sections that the user opened or closed, by title.
#[derive(Clone, Copy)]
pub struct Folds(StoredValue<SortedMap<&'static str, bool>>);

impl Folds {
    /// Every section in its default state.
    pub fn new() -> Self {
        Folds(StoredValue::default())
    }
}

/// A collapsible section with a title.
#[component]
pub fn Section(
    /// Its title.
    title: &'static str,
    /// Whether it is open by default.
    #[prop(optional)]
    open: bool,
    /// A summary of its fields, shown beside the title.
    #[prop(into, optional)]
    summary: Signal<String>,
    /// The fields.
    children: Children,
) -> impl IntoView {
    let folds: Folds = expect_context();
    let open = (folds.0).with_value(|folds| folds.get(title).copied().unwrap_or(open));
    view! {
        <details
            class="section"
            open=open
            on:toggle=move |event| {
                let open = event_target::<HtmlDetailsElement>(&event).open();
                let _ = folds.0.try_update_value(|folds| folds.insert(title, open));
            }
        >
            <summary>
                <h3>{title}</h3>
                <span class="section-summary">{summary}</span>
            </summary>
            <div class="section-body">{children()}</div>
        </details>
    }
}
