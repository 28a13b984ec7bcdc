//! Which card or cards the inspector shows.

use super::entity::EntityInspector;
use super::index::IndexInspector;
use super::note::NoteInspector;
use super::section::Folds;
use super::several::SeveralEntities;
use super::table::TableInspector;
use crate::ui::dom::focus::is_focus_requested;
use crate::ui::reactive::erased::{effect, memo};
use crate::ui::reactive::later::painted;
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view};
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::moved_ids::HoldsIds;
use keyfold_app::viewport::Selection;
use keyfold_compare::NewIds;
use keyfold_core::model::{CardId, EntityId, IndexId, NoteId};
use leptos::prelude::*;

on_demand!(panels, table: Part = |()| view! { <TableInspector /> }.into_any());

on_demand!(panels, entity: Part<EntityId> = |id| view! { <EntityInspector id=id /> }.into_any());

on_demand!(panels, index: Part<IndexId> = |id| view! { <IndexInspector id=id /> }.into_any());

on_demand!(panels, several_entities: Part = |()| view! { <SeveralEntities /> }.into_any());

on_demand!(panels, note: Part<NoteId> = |id| view! { <NoteInspector id=id /> }.into_any());

/// What the inspector shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    Table,
    Entity(EntityId),
    Index(IndexId),
    Note(NoteId),
    /// Several cards.
    Cards,
}

impl HoldsIds for Subject {
    fn follow(&mut self, moved: &NewIds) {
        match self {
            Subject::Entity(id) => id.follow(moved),
            Subject::Index(id) => id.follow(moved),
            Subject::Note(id) => id.follow(moved),
            Subject::Table | Subject::Cards => {}
        }
    }
}

fn subject(selection: &Selection) -> Subject {
    let mut cards = selection.iter();
    match (cards.next(), cards.next()) {
        (None, _) => Subject::Table,
        (Some(CardId::Index(id)), None) if id.is_primary() => Subject::Table,
        (Some(CardId::Index(id)), None) => Subject::Index(*id),
        (Some(CardId::Entity(id)), None) => Subject::Entity(*id),
        (Some(CardId::Note(id)), None) => Subject::Note(*id),
        _ => Subject::Cards,
    }
}

/// The inspector.
#[component]
pub fn Inspector(
    /// The commands for several cards.
    #[prop(into)]
    several: ViewFn,
) -> impl IntoView {
    let store = use_store();
    provide_context(Folds::new());
    // In another numbering the same IDs are other objects.
    let shown = memo(move |_| {
        let wire = store.wire.get().map(|(entity, _)| Subject::Entity(entity));
        let subject = wire.unwrap_or_else(|| store.selection.with(subject));
        (store.numbering.get(), subject)
    });
    // A press is answered before the next subject is built: the last one stays until that is painted, if it still exists.
    // Where the focus is about to go, such as the name of a new entity, the next key must find its field.
    let built = painted(store.view, move || shown.get(), is_focus_requested);
    store.when_moved(move |moved| {
        let (_, mut subject) = built.get_untracked();
        subject.follow(moved);
        built.set((store.numbering.get_untracked(), subject));
    });
    let current = memo(move |_| {
        let ((numbering, subject), shown) = (built.get(), shown.get());
        let is_there = match subject {
            Subject::Table => true,
            Subject::Entity(id) => store.entity_ids.with(|ids| ids.contains(&id)),
            Subject::Index(id) => store.index_ids.with(|ids| ids.contains(&id)),
            Subject::Note(id) => store.note_ids.with(|ids| ids.contains(&id)),
            Subject::Cards => shown.1 == Subject::Cards,
        };
        (is_there && numbering == shown.0 && !store.unpainted.get()).then_some((numbering, subject))
    });
    let content = move || match current.get().map(|(_, subject)| subject) {
        None => ().into_any(),
        Some(Subject::Table) => on_demand_view(table, ()),
        Some(Subject::Entity(id)) => on_demand_view(entity, id),
        Some(Subject::Index(id)) => on_demand_view(index, id),
        Some(Subject::Note(id)) => on_demand_view(note, id),
        Some(Subject::Cards) => view! { <Cards several=several.clone() /> }.into_any(),
    };
    // Another subject begins at its top. Scrolling would force a layout, so it is done only if needed.
    let region: NodeRef<leptos::html::Aside> = NodeRef::new();
    let is_scrolled = StoredValue::new(false);
    let scrolled = move |_| {
        if let Some(region) = region.get_untracked() {
            is_scrolled.set_value(region.scroll_top() > 0);
        }
    };
    effect(move || {
        current.track();
        if let Some(region) = region.get_untracked()
            && is_scrolled.get_value()
        {
            region.set_scroll_top(0);
        }
    });
    view! {
        // A press on it takes the focus from the canvas, so that keys do not act there.
        <aside
            class="inspector"
            aria-label="Inspector"
            tabindex="-1"
            aria-busy=move || (built.get() != shown.get()).to_string()
            node_ref=region
            on:scroll=scrolled
        >
            {content}
        </aside>
    }
}

/// Returns how many cards of each kind are selected.
#[component]
fn Cards(several: ViewFn) -> impl IntoView {
    let store = use_store();
    let counted = move || {
        store.selection.with(|cards| {
            let count = |fits: fn(&CardId) -> bool| cards.iter().filter(|card| fits(card)).count();
            let line = |number: usize, one: &str, many: &str| match number {
                0 => None,
                1 => Some(format!("1 {one}")),
                number => Some(format!("{number} {many}")),
            };
            let lines = [
                line(
                    count(|c| matches!(c, CardId::Entity(_))),
                    "entity",
                    "entities",
                ),
                line(
                    count(|c| matches!(c, CardId::Index(id) if !id.is_primary())),
                    "index",
                    "indexes",
                ),
                line(count(|c| matches!(c, CardId::Note(_))), "note", "notes"),
                line(
                    count(|c| *c == CardId::Index(IndexId::PRIMARY)),
                    "table",
                    "tables",
                ),
            ];
            (lines.into_iter().flatten())
                .map(|line| view! { <li>{line}</li> })
                .collect_view()
        })
    };
    let total = move || store.selection.with(|cards| cards.len());
    let entities = memo(move |_| {
        let is_entity = |card: &&CardId| matches!(card, CardId::Entity(_));
        store
            .selection
            .with(|cards| cards.iter().filter(is_entity).count() > 1)
    });
    let removable = move || {
        store
            .selection
            .with(|cards| cards.iter().any(|c| *c != CardId::Index(IndexId::PRIMARY)))
    };
    view! {
        <header class="inspector-head">
            <span class="kind">"Selection"</span>
            <h2>{total} " selected"</h2>
        </header>
        <div class="section-body first">
            <ul class="counts">{counted}</ul>
            <div class="several">{several.run()}</div>
        </div>
        {move || entities.get().then(|| on_demand_view(several_entities, ()))}
        <footer class="inspector-foot">
            <button
                type="button"
                class="button small danger"
                disabled=move || !removable()
                on:click=move |_| store.delete_selected()
            >
                <Icon glyph=Glyph::Trash />
                "Delete selected"
            </button>
        </footer>
    }
}
