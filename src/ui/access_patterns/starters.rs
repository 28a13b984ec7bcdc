//! Access patterns to start with: those that the keys of the design offer.

use super::add::{add, add_all, add_pattern};
use crate::ui::reactive::erased::{For, Memo, Show, memo};
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::patterns::key_condition_offers::{missing, starters};
use keyfold_core::model::AccessPattern;
use leptos::prelude::*;

/// Maximum number of suggestions shown by name.
const OFFERED: usize = 24;

/// Suggested first access patterns that the design does not have.
fn offered(store: Store) -> Memo<Vec<AccessPattern>> {
    // They take long in a large design, and do not depend on the access patterns, which change while one is edited.
    let all = memo(move |_| {
        store.cards.track();
        store.delimiter.track();
        store.opened.track();
        store.with(starters)
    });
    memo(move |_| {
        store.access_patterns.track();
        store.with(|design| all.with(|all| missing(design, all)))
    })
}

/// A button for each suggestion, as far as there is room.
fn starter_buttons(store: Store, found: Memo<Vec<AccessPattern>>) -> impl IntoView + use<> {
    let each = move || found.with(|found| found.iter().take(OFFERED).cloned().collect::<Vec<_>>());
    let more = move || found.with(|found| found.len().saturating_sub(OFFERED));
    view! {
        <ul class="patterns-starters" aria-label="Suggested access patterns">
            <For each=each key=|pattern| pattern.name.clone() let:pattern>
                <li>
                    <button
                        class="button small"
                        on:click={
                            let pattern = pattern.clone();
                            move |_| {
                                add_pattern(store, pattern.clone());
                                store.proofs.offering.set(true);
                            }
                        }
                    >
                        <Icon glyph=Glyph::Plus />
                        {pattern.name.clone()}
                    </button>
                </li>
            </For>
            {move || {
                let more = more();
                (more > 0).then(|| view! { <li class="hint">{format!("and {more} more")}</li> })
            }}
        </ul>
    }
}

/// The remaining suggestions after the first access pattern was added.
#[component]
pub(super) fn MoreOnes() -> impl IntoView {
    let store = use_store();
    let found = offered(store);
    view! {
        <Show when=move || found.with(|found| !found.is_empty())>
            <div class="patterns-more">
                {starter_buttons(store, found)}
                <button
                    class="button small"
                    on:click=move |_| add_all(store, found.get_untracked())
                >
                    "Add all"
                </button>
                <button
                    class="icon-button"
                    aria-label="Hide suggestions"
                    title="Hide suggestions"
                    on:click=move |_| store.proofs.offering.set(false)
                >
                    <Icon glyph=Glyph::Close />
                </button>
            </div>
        </Show>
    }
}

/// The empty state, with suggestions.
pub(super) fn first_ones(store: Store) -> impl IntoView + use<> {
    let found = offered(store);
    let several = move || found.with(|found| found.len() > 1);
    view! {
        <div class="patterns-first">
            <h2>"Start with the access patterns"</h2>
            <p>
                "Add one access pattern for each query of your application, such as a user by email, or the orders of a user, newest first. "
                "Keyfold proves on the samples which of them the keys serve and what each one costs, and suggests an index for the others."
            </p>
            <div class="patterns-starters">
                <button class="button primary" on:click=move |_| add(store)>
                    <Icon glyph=Glyph::Plus />
                    "New access pattern"
                </button>
                {move || {
                    several()
                        .then(|| {
                            view! {
                                <button
                                    class="button"
                                    on:click=move |_| add_all(store, found.get_untracked())
                                >
                                    "Add all"
                                </button>
                            }
                        })
                }}
            </div>
            {starter_buttons(store, found)}
        </div>
    }
}
