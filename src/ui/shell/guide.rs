//! The guided first design: a card on the canvas that tells the next step, and notices when it is done.

use super::app_context::AppContext;
use crate::ui::reactive::erased::{Show, effect};
use crate::ui::state::page_state::{Tab, use_page};
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::guide::{GuideState, STEPS, next_step};
use leptos::prelude::*;

/// Begins the guide, in an empty design.
pub fn begin(app: AppContext) {
    if !app.store.with(|design| design.entities.is_empty()) {
        app.designs.add_new();
    }
    app.page
        .tab
        .set(Tab::Items(keyfold_core::model::IndexId::PRIMARY));
    app.page.guide.set(Some(0));
    // The card of the guide comes with its text in it, which screen readers do not tell.
    let Some(first) = STEPS.first() else { return };
    (app.store.spoken).set(format!("{}. {}", first.title, first.how));
}

/// The card of the guide, while it is under way.
#[component]
pub fn Guide() -> impl IntoView {
    let store = use_store();
    let page = use_page();
    let step = page.guide;
    // Another design that has something in it is not the work of the one who is guided.
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
            "That is a single-table design",
            "Two kinds of items in one table, one item collection that one Query reads, and an index for another \
             question. The pattern library has more; ? lists all keys.",
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
                        aria-label="End the guide"
                        title="End the guide"
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
                    aria-label="Steps done"
                ></progress>
                <div class="guide-foot">
                    <Show when=move || at() < STEPS.len()>
                        <button
                            class="button small quiet"
                            on:click=move |_| step.update(|step| *step = step.map(|step| step + 1))
                        >
                            "Skip this step"
                        </button>
                    </Show>
                </div>
            </aside>
        </Show>
    }
}
