//! Wires from entities to the indexes they are in. A wire reads the places of its two ends, and of the entity
//! no more than how far down its entry stands.

use crate::app::geometry::{Course, entry_middle};
use crate::app::session::Selection;
use crate::domain::model::{CardId, EntityId, IndexId};
use crate::ui::parts::erased::{For, memo};
use crate::ui::store::{Place, use_store};
use leptos::prelude::*;

/// All wires of an entity.
#[component]
pub fn EntityWires(
    /// The entity.
    id: EntityId,
    /// Whether its card is shown.
    shown: ArcRwSignal<bool>,
) -> impl IntoView {
    let store = use_store();
    let node = store.entity(id)?;
    let entity = node.entity;
    let indexes = memo({
        let entity = entity.clone();
        move |_| entity.with(|entity| entity.keys.keys().copied().collect::<Vec<_>>())
    });
    let hue = memo({
        let entity = entity.clone();
        move |_| entity.with(|entity| entity.hue)
    });
    let selected = memo(move |_| {
        (store.selection).with(|cards: &Selection| cards.contains(&CardId::Entity(id)))
    });
    // A drawing of its own: when a card moves, only its wires are painted anew.
    Some(view! {
        <svg class="wires" aria-hidden="true">
        <For each=move || indexes.get() key=|index| *index let:index>
            {
                let entity = entity.clone();
                let down = memo(move |_| entity.with(|entity| entry_middle(entity, index, store.detail.get())));
                let from = store.place(CardId::Entity(id));
                let to = store.place(CardId::Index(index));
                let path = move || {
                    let at = |place: &Option<ArcRwSignal<Place>>| place.as_ref().map(|p| p.get());
                    match (at(&from), at(&to)) {
                        (Some(from), Some(to)) => Course::between(from, down.get(), to).path(),
                        _ => String::new(),
                    }
                };
                let lit = Memo::new(move |_| {
                    selected.get()
                        || store.selection.with(|cards| cards.contains(&CardId::Index(index)))
                });
                let shown = shown.clone();
                view! {
                    <path
                        class=move || format!("wire hue-{}", hue.get())
                        class:primary=index == IndexId::PRIMARY
                        class:lit=lit
                        hidden=move || !shown.get() && !lit.get()
                        data-wire=format!("{id}-{index}")
                        d=path
                    />
                }
            }
        </For>
        </svg>
    })
}

/// The wire that is being drawn: from the entity's port to the pointer.
#[component]
pub fn LooseWire(
    /// Its two ends, in canvas pixels.
    wire: Signal<Option<(Place, Place)>>,
) -> impl IntoView {
    let path = move || match wire.get() {
        Some(((x1, y1), (x2, y2))) => {
            let bend = ((x2 - x1).abs() * 0.5).clamp(24.0, 160.0);
            format!("M{x1} {y1}C{} {y1} {} {y2} {x2} {y2}", x1 + bend, x2 - bend)
        }
        None => String::new(),
    };
    view! {
        <svg class="wires" aria-hidden="true">
            <path class="wire loose" d=path />
        </svg>
    }
}
