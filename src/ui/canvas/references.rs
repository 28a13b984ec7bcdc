//! The references between entities as arrows, when they are switched on: from the attribute that refers to the head of
//! the card referred to. The code is loaded on demand.

use super::culling::Culling;
use super::handle::CanvasHandle;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{For, Memo, RwSignal, Show, effect, memo};
use crate::ui::reactive::later::View;
use crate::ui::reactive::on_demand::{Part, on_demand, when_loaded};
use crate::ui::state::page_state::{PageState, use_page};
use crate::ui::state::store::{CanvasPlace, Store, use_store};
use crate::ui::widgets::classes;
use keyfold_app::geometry::{WireCurve, attribute_middle};
use keyfold_app::references::{descriptions, drawn, label};
use keyfold_app::route::Arrows;
use keyfold_core::engine::generate::Reference;
use keyfold_core::model::{CardId, EntityId};
use leptos::prelude::*;
use std::sync::Arc;

on_demand!(tools, arrows: Part<(CanvasHandle, Culling)> = |(handle, culling)| {
    view! { <AllArrows handle=handle culling=culling /> }.into_any()
});

/// Switches the references on or off.
pub fn toggle(store: Store, page: PageState) {
    let shown = !page.references.get_untracked();
    page.references.set(shown);
    (store.spoken).set(format!("References {}", if shown { "on" } else { "off" }));
}

/// The arrows of all references, while they are switched on.
#[component]
pub fn References(
    /// The canvas.
    handle: CanvasHandle,
    /// Which cards are in the page.
    culling: Culling,
) -> impl IntoView {
    let (store, page, view) = (use_store(), use_page(), View::new());
    let part: RwSignal<Option<Part<(CanvasHandle, Culling)>>> = RwSignal::new(None);
    effect(move || {
        if !page.references.get() {
            handle.refers.set(None);
        } else if part.get_untracked().is_none() {
            when_loaded(view, arrows(), move |loaded| match loaded {
                Ok(loaded) => part.set(Some(loaded)),
                Err(error) => {
                    page.references.set(false);
                    (store.notices).error(format!("The references are not shown: {error}."));
                }
            });
        }
    });
    move || {
        let part = part.get().filter(|_| page.references.get());
        part.map(|part| untrack(|| part((handle, culling))))
    }
}

/// The drawn references of the design.
type Drawn = Memo<ByPtr<Vec<Reference>>>;
/// Their routes between the stored places of the cards.
type Routed = Memo<ByPtr<Arrows>>;

#[component]
fn AllArrows(handle: CanvasHandle, culling: Culling) -> impl IntoView {
    let store = use_store();
    // References depend on the entities alone; not on the places of cards.
    let entities = memo(move |_| {
        store.cards.track();
        store.opened.track();
        store.with(|design| {
            let entities = design.entities.values();
            entities.cloned().map(ByPtr).collect::<Vec<_>>()
        })
    });
    let references: Drawn = memo(move |_| {
        // Not `track`: a memo that is never read follows nothing.
        entities.with(|_| ByPtr(Arc::new(store.with(drawn))))
    });
    let arrows: Routed = memo(move |before: Option<&ByPtr<Arrows>>| {
        store.cards.track();
        let detail = store.detail.get();
        let (references, routes) = (references.get(), handle.routes.get());
        let before = before.map(|before| &**before);
        let arrows = store.with(|design| Arrows::new(design, detail, &references, &routes, before));
        ByPtr(Arc::new(arrows))
    });
    effect(move || {
        let all = store.with(|design| descriptions(design, &references.get()));
        handle.refers.set(Some(all.into_iter().collect()));
    });
    view! {
        <For each=move || culling.mounted.get() key=|id| *id let:id>
            <EntityArrows id=id handle=handle culling=culling references=references arrows=arrows />
        </For>
    }
}

/// The arrows from an entity, in an SVG of their own: a card that moves repaints only those.
#[component]
fn EntityArrows(
    id: EntityId,
    handle: CanvasHandle,
    culling: Culling,
    references: Drawn,
    arrows: Routed,
) -> impl IntoView {
    let own = memo(move |_| {
        references.with(|all| {
            let own = all.iter().filter(|reference| reference.entity == id);
            own.cloned().collect::<Vec<_>>()
        })
    });
    let shown = culling.shown(id);
    view! {
        <Show when=move || {
            own.with(|own| !own.is_empty())
        }>
            {
                let shown = shown.clone();
                view! {
                    <svg
                        class="wires arrows"
                        aria-hidden="true"
                        style:display=move || (!shown.get()).then_some("none")
                    >
                        <For
                            each=move || own.get()
                            key=|reference| (reference.attribute.clone(), reference.target)
                            let:reference
                        >
                            {arrow(handle, reference, arrows)}
                        </For>
                    </svg>
                }
            }
        </Show>
    }
}

fn arrow(handle: CanvasHandle, reference: Reference, arrows: Routed) -> impl IntoView {
    let store = use_store();
    let (from, to) = (reference.entity, reference.target);
    let places = [from, to].map(|id| store.place(CardId::Entity(id)));
    let entity = store.entity(from).map(|node| node.entity);
    let name = reference.attribute.clone();
    let down = memo(move |_| {
        let detail = store.detail.get();
        let middle = |entity: &ArcRwSignal<Arc<_>>| {
            entity.with(|entity| attribute_middle(entity, &name, detail))
        };
        entity.as_ref().map_or(0.0, middle)
    });
    let curve = memo(move |_| {
        let at = |place: &Option<ArcRwSignal<CanvasPlace>>| {
            place.as_ref().map_or((0.0, 0.0), |place| place.get())
        };
        WireCurve::reference(at(&places[0]), down.get(), at(&places[1]))
    });
    let arrow = (from, reference.attribute.clone());
    let route = memo(move |_| {
        let curve = curve.get();
        arrows.with(|arrows| {
            (handle.routes).with_untracked(|routes| arrows.route(&arrow, curve, routes))
        })
    });
    let lit = memo(move |_| {
        let ends = [from, to].map(CardId::Entity);
        let is_end = |card: &CardId| ends.contains(card);
        handle.hover.get().as_ref().is_some_and(is_end)
            || store.selection.with(|cards| cards.iter().any(is_end))
    });
    let path = move || route.with(|route| route.path.clone());
    let title = move || {
        // A new name of an entity.
        store.cards.track();
        store.with(|design| label(design, &reference))
    };
    view! {
        <g class=move || classes("reference", &[("lit", lit.get())])>
            <title>{title}</title>
            <path class="wire-hit" d=path />
            <path class="reference-line" d=path />
            <path class="reference-head" d=move || curve.get().head() />
        </g>
    }
}
