//! The guided first design: a card on the canvas that shows the next step and detects when it is done.

use super::app_context::AppContext;
use crate::ui::reactive::erased::{Show, effect};
use crate::ui::state::page_state::{Tab, use_page};
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::guide::{GuideState, STEPS, next_step};
use leptos::prelude::*;

/// Starts the guide in an empty design.
pub fn begin(app: AppContext) {
    if !app.store.with(|design| design.entities.is_empty()) {
        app.designs.add_new();
    }
    app.page
        .tab
        .set(Tab::Items(keyfold_core::model::IndexId::PRIMARY));
    app.page.guide.set(Some(0));
    // Screen readers do not read a status whose text is there when it enters the page.
    let Some(first) = STEPS.first() else { return };
    (app.store.spoken).set(format!("{}. {}", first.title, first.how));
}

/// The card of the guide while it runs.
#[component]
pub fn Guide() -> impl IntoView {
    let store = use_store();
    let page = use_page();
    let step = page.guide;
    // Opening another design that is not empty ends the guide.
    let last = StoredValue::new(store.opened.get_untracked());
    effect(move || {
        let opened = store.opened.get();
        if last.get_value() != opened {
            last.set_value(opened);
            if !store.with(|design| design.entities.is_empty()) {
                step.set(None);
            }
        }
    });
    effect(move || {
        store.revision.track();
        let tab = page.tab.get();
        let Some(from) = step.get() else { return };
        let reached = store.with(|design| {
            let items = match tab {
                Tab::Items(index) => Some(index),
                _ => None,
            };
            next_step(
                from,
                GuideState {
                    design,
                    items,
                    exports: tab == Tab::Code,
                },
            )
        });
        if reached != from {
            step.set(Some(reached));
        }
    });
    let at = move || step.get().unwrap_or_default();
    let text = move || match STEPS.get(at()) {
        Some(step) => (step.title, step.how),
        None => (
            "Your single-table design is ready",
            "It has two kinds of items in one table, an item collection that one Query reads, and an index for a second \
             access pattern. The pattern library has more designs; press ? for all shortcuts.",
        ),
    };
    view! {
        <Show when=move || step.get().is_some()>
            <aside class="guide" aria-label="Guided first design">
                <header>
                    <span class="guide-count">
                        {move || match at() {
                            at if at < STEPS.len() => format!("Step {} of {}", at + 1, STEPS.len()),
                            _ => "Done".to_owned(),
                        }}
                    </span>
                    <button
                        class="icon-button"
                        aria-label="End guide"
                        title="End guide"
                        on:click=move |_| step.set(None)
                    >
                        <Icon glyph=Glyph::Close />
                    </button>
                </header>
                <div role="status">
                    <h2>{move || text().0}</h2>
                    <p>{move || text().1}</p>
                </div>
                <progress
                    max=STEPS.len().to_string()
                    value=move || at().to_string()
                    aria-label="Steps completed"
                ></progress>
                <div class="guide-foot">
                    <Show when=move || at() < STEPS.len()>
                        <button
                            class="button small quiet"
                            on:click=move |_| step.update(|step| *step = step.map(|step| step + 1))
                        >
                            "Skip step"
                        </button>
                    </Show>
                </div>
            </aside>
        </Show>
    }
}
