//! The access patterns: their list, the editor and proof of the selected one, and the coverage of the table and its
//! indexes. `app::patterns` has the form's logic, `keyfold_core::proof` the proofs; `state/store/proofs.rs` decides
//! when they run.

mod condition_offers;
mod coverage;
mod editor;
mod form_row;
mod list;
mod parameters;
mod proof;
mod requests;

use crate::ui::dom::focus::{focus_if_lost, focus_soon};
use crate::ui::reactive::erased::{For, Memo, RwSignal, Show, memo};
use crate::ui::reactive::later;
use crate::ui::state::page_state::{PageState, Tab, use_page};
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::icon::{Glyph, Icon};
use coverage::CoverageView;
use editor::Editor;
use keyfold_app::patterns::key_condition_offers::{missing, new_pattern, starters};
use keyfold_app::suggest::free_name;
use keyfold_app::{Command, PatternEdit};
use keyfold_core::model::{AccessPattern, Design};
use keyfold_core::proof::read_requirement;
use leptos::prelude::*;
use list::PatternList;
use proof::ProofView;

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
fn MoreOnes() -> impl IntoView {
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
fn first_ones(store: Store) -> impl IntoView + use<> {
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

/// Opens the access patterns and adds one.
pub fn add_access_pattern(store: Store, page: PageState) {
    page.show(Tab::AccessPatterns);
    add(store);
}

/// Adds an access pattern for an entity, without any known attributes.
fn add(store: Store) {
    let pattern = store.with(|design| {
        let taken = |name: &str| design.access_patterns.values().any(|p| p.name == name);
        let name = free_name("New access pattern", taken);
        let mut pattern = new_pattern(name, wished());
        pattern.entities.extend(newest_entity(design));
        pattern
    });
    add_pattern(store, pattern);
    store.proofs.detail.set(true);
    focus_soon(".pattern-editor input".into());
}

fn wished() -> keyfold_core::model::Operation {
    read_requirement(&[], None, false).unwrap_or_else(|_| keyfold_core::model::Operation::Scan {
        index: keyfold_core::model::IndexId::PRIMARY,
        limit: None,
        read: Default::default(),
    })
}

/// Returns the likely entity of a new access pattern: the last one without an access pattern, else the last one.
fn newest_entity(design: &Design) -> Option<keyfold_core::model::EntityId> {
    let is_free = |id| !(design.access_patterns.values()).any(|p| p.entities.contains(id));
    let mut ids = design.entities.keys().rev();
    (ids.clone().find(|id| is_free(id)))
        .or_else(|| ids.next())
        .copied()
}

fn add_pattern(store: Store, pattern: AccessPattern) {
    store.perform(Command::Pattern(PatternEdit::Add(Box::new(pattern))));
    select_last(store);
}

fn add_all(store: Store, patterns: Vec<AccessPattern>) {
    store.perform(Command::Pattern(PatternEdit::AddAll(patterns)));
    select_last(store);
}

fn select_last(store: Store) {
    let last = store.with(|design| design.access_patterns.keys().next_back().copied());
    store.proofs.selected.set(last);
}
