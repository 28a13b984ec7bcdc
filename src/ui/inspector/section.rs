//! Parts of the inspector that fold. Which are open is remembered while the page is.

use keyfold_core::model::SortedMap;
use leptos::prelude::*;
use web_sys::HtmlDetailsElement;

/// Which sections a person has opened or closed, by title.
#[derive(Clone, Copy)]
pub struct Folds(StoredValue<SortedMap<&'static str, bool>>);

impl Folds {
    /// Everything as it is by itself.
    pub fn new() -> Self {
        Folds(StoredValue::default())
    }
}

/// A titled part of the inspector that folds.
#[component]
pub fn Section(
    /// Its title.
    title: &'static str,
    /// Whether it is open by itself.
    #[prop(optional)]
    open: bool,
    /// What its fields add up to, shown beside the title.
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
