//! The access patterns: their list, the editor and proof of the selected one, and the coverage of the table and its
//! indexes. `app::patterns` has the form's logic, `keyfold_core::proof` the proofs; `state/store/proofs.rs` decides
//! when they run.

mod add;
mod condition_offers;
mod coverage;
mod editor;
mod form_row;
mod list;
mod parameters;
mod proof;
mod requests;
mod starters;
mod traffic;

pub use add::add_access_pattern;

use crate::ui::dom::focus::focus_if_lost;
use crate::ui::reactive::erased::{RwSignal, Show, memo};
use crate::ui::reactive::later;
use crate::ui::state::page_state::use_page;
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon};
use add::add;
use coverage::CoverageView;
use editor::Editor;
use keyfold_app::patterns::key_condition_offers::starters;
use leptos::prelude::*;
use list::PatternList;
use proof::ProofView;
use starters::{MoreOnes, first_ones};
use traffic::TrafficOpen;

/// The access patterns.
#[component]
pub fn Patterns() -> impl IntoView {
    let store = use_store();
    store.look_at_proofs();
    let coverage = use_page().coverage;
    let none = memo(move |_| store.access_patterns.with(|patterns| patterns.is_empty()));
    let detail = store.proofs.detail;
    on_cleanup(move || {
        let _ = detail.try_update(|detail| *detail = false);
    });
    let body = move || match (none.get(), coverage.get()) {
        (true, _) => first_ones(store).into_any(),
        (_, true) => view! { <CoverageView shown=coverage /> }.into_any(),
        (_, false) => view! { <ListAndSelected detail=detail /> }.into_any(),
    };
    view! {
        <div class="patterns">
            {move || (!none.get()).then(|| view! { <Views coverage=coverage /> })}
            <Show when=move || !none.get() && store.proofs.offering.get()>
                <MoreOnes />
            </Show> {body}
        </div>
    }
}

/// The list, and the selected access pattern. That is mounted one frame later: with many entities, both at once would
/// block the page.
#[component]
fn ListAndSelected(
    /// Whether a small screen shows the selected one.
    detail: RwSignal<bool>,
) -> impl IntoView {
    let store = use_store();
    provide_context(TrafficOpen::new());
    let has_list = RwSignal::new(false);
    later::View::new().next_frame(move || has_list.set(true));
    let selected = move || {
        let id = store.proofs.selected.get()?;
        let shown = view! {
            <div class="patterns-back">
                <button
                    class="button small quiet"
                    on:click=move |_| {
                        detail.set(false);
                        focus_if_lost(".pattern-list [aria-selected=true]");
                    }
                >
                    "← All access patterns"
                </button>
                {move || list::verdict_mark(store.proofs.verdict(id), true)}
            </div>
            <Editor id=id />
            <ProofView id=id />
        };
        Some(shown)
    };
    view! {
        <div class="patterns-body" class:detail=move || detail.get()>
            <PatternList detail=detail />
            {move || has_list.get().then_some(selected)}
        </div>
    }
}

/// The choice between the list and the matrix.
#[component]
fn Views(coverage: RwSignal<bool>) -> impl IntoView {
    let store = use_store();
    let choice = move |which: bool, text: &'static str| {
        view! {
            <button
                aria-pressed=move || (coverage.get() == which).to_string()
                on:click=move |_| coverage.set(which)
            >
                {text}
            </button>
        }
    };
    view! {
        <div class="patterns-bar">
            <div class="segmented" role="group" aria-label="Access pattern view">
                {choice(false, "List")}
                {choice(true, "Coverage")}
            </div>
            <span class="patterns-sum">{move || store.proofs.summary()}</span>
            <span class="spring"></span>
            <Show when=move || !store.proofs.offering.get()>
                <button
                    class="button small quiet"
                    title="Show suggested access patterns"
                    on:click=move |_| match store.with(starters).is_empty() {
                        true => store.notices.say("No further suggestions."),
                        false => store.proofs.offering.set(true),
                    }
                >
                    "Suggestions"
                </button>
            </Show>
            <button class="button small" on:click=move |_| add(store)>
                <Icon glyph=Glyph::Plus />
                "New access pattern"
            </button>
        </div>
    }
}
