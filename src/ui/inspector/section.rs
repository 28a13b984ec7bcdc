//! Collapsible sections of the inspector. Which ones are open is remembered until the page closes.

use crate::ui::reactive::erased::RwSignal;
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
    /// The fields. A section that is closed makes them when it is opened.
    children: Children,
) -> impl IntoView {
    let folds: Folds = expect_context();
    let open = (folds.0).with_value(|folds| folds.get(title).copied().unwrap_or(open));
    let was_opened = RwSignal::new(open);
    let mut children = Some(children);
    let fields = move || {
        let made = was_opened.get().then(|| children.take()).flatten();
        made.map(|children| children())
    };
    view! {
        <details
            class="section"
            open=open
            on:toggle=move |event| {
                let open = event_target::<HtmlDetailsElement>(&event).open();
                let _ = folds.0.try_update_value(|folds| folds.insert(title, open));
                if open && !was_opened.get_untracked() {
                    was_opened.set(true);
                }
            }
        >
            <summary>
                <h3>{title}</h3>
                <span class="section-summary">{summary}</span>
            </summary>
            <div class="section-body">{fields}</div>
        </details>
    }
}
