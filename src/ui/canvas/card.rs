//! The cards of entities and indexes. A card reads its content from its entity or index and its position from its
//! place: two signals that do not notify each other.

use super::card_keys::{entity_keys, fitting, key_rows};
use super::culling::Culling;
use super::handle::{CanvasHandle, primary_card};
use crate::ui::dom::key_chords::is_composing;
use crate::ui::reactive::erased::{Memo, RwSignal, Show, effect, memo};
use crate::ui::state::store::{CanvasPlace, Store, use_store};
use crate::ui::widgets::finding_marks::CardMark;
use crate::ui::widgets::{classes, is_long};
use keyfold_app::badge::badge;
use keyfold_app::geometry::{entity_height, index_height};
use keyfold_app::viewport::Detail;
use keyfold_core::engine::key_sources::is_in_index;
use keyfold_core::model::{CardId, Entity, EntityId, IndexId, Projection};
use leptos::html::Input;
use leptos::prelude::*;
use std::sync::Arc;

/// Widths for the name of an index, the attributes of its projection and an attribute's name, in CSS pixels. See
/// [`fitting`].
const NAME: f64 = 150.0;
/// See [`NAME`].
const INCLUDED: f64 = 190.0;
/// See [`NAME`].
const ATTRIBUTE: f64 = 216.0;
/// Maximum number of entity badges on an index card.
const BADGES: usize = 7;

pub(super) fn transform(place: Option<ArcRwSignal<CanvasPlace>>) -> impl Fn() -> String + Clone {
    move || {
        let (x, y) = place.as_ref().map_or((0.0, 0.0), |place| place.get());
        format!("translate({x}px, {y}px)")
    }
}

/// Added to the z-index of a selected card; greater than the number of cards.
pub(super) const SELECTED: u32 = 1 << 30;

pub(super) fn is_selected(store: Store, card: CardId) -> Memo<bool> {
    memo(move |_| store.selection.with(|cards| cards.contains(&card)))
}

/// A focused card becomes the selection unless it is part of it. Focused by keyboard, it scrolls into view.
pub(super) fn select_focused(handle: CanvasHandle, card: CardId) {
    let store = handle.store;
    handle.last.set_value(Some(card));
    let by_key = document().query_selector("[data-card]:focus-visible");
    if by_key.is_ok_and(|found| found.is_some()) {
        handle.reveal(card);
    }
    if !store
        .selection
        .with_untracked(|cards| cards.contains(&card))
    {
        store.select(card);
    }
}

/// The card of an entity.
#[component]
pub fn EntityCard(
    /// The entity.
    id: EntityId,
    /// Whether it is shown.
    culling: Culling,
    /// The canvas.
    handle: CanvasHandle,
) -> impl IntoView {
    let store = use_store();
    let card = CardId::Entity(id);
    let node = store.entity(id)?;
    let shown = culling.shown(id);
    let selected = is_selected(store, card);
    let entity = node.entity;
    let name = memo({
        let entity = entity.clone();
        move |_| entity.with(|entity| entity.name.clone())
    });
    let samples = node.samples;
    let count = memo(move |_| samples.with(|samples| samples.len()));
    let items = node.items;
    let failed = memo(move |_| items.with(|items| items.with_problems()));
    let hue = {
        let entity = entity.clone();
        memo(move |_| entity.with(|entity| entity.hue))
    };
    let class = move || {
        let hue = format!("card entity-card hue-{}", hue.get());
        classes(&hue, &[("selected", selected.get())])
    };
    let height = {
        let entity = entity.clone();
        move || {
            format!(
                "{}px",
                entity.with(|entity| entity_height(entity, store.detail.get()))
            )
        }
    };
    let keys = {
        let entity = entity.clone();
        move || {
            let shown = store.detail.get() != Detail::Names;
            shown.then(|| entity.with(|entity| entity_keys(store, entity)))
        }
    };
    let attributes = move || {
        entity.with(|entity| {
            let shown = store.detail.get() == Detail::All;
            (shown && !entity.attributes.is_empty()).then(|| {
                let rows = (entity.attributes.iter())
                    .map(|attribute| {
                        view! {
                            <li
                                class:required=attribute.required
                                data-follow=attribute.name.clone()
                            >
                                <span class="attribute-name">
                                    {fitting(&attribute.name, ATTRIBUTE)}
                                </span>
                                <span class="attribute-type">{attribute.kind.label()}</span>
                            </li>
                        }
                    })
                    .collect_view();
                view! { <ul class="card-group attributes">{rows}</ul> }
            })
        })
    };
    let badge_text = move || badge(&name.get());
    Some(view! {
        <div
            class=class
            hidden=move || !shown.get()
            tabindex="-1"
            role="group"
            aria-roledescription="entity"
            aria-label=move || {
                let rows = count.get();
                let failing = match failed.get() {
                    0 => String::new(),
                    failed => format!(", {failed} with findings"),
                };
                let rows = match rows {
                    1 => "1 sample".to_owned(),
                    rows => format!("{rows} samples"),
                };
                let refers = (handle.refers)
                    .with(|all| Some(format!(", {}", all.as_ref()?.get(&id)?)));
                format!("{}, {rows}{failing}{}", name.get(), refers.unwrap_or_default())
            }
            data-card=card.to_string()
            // The newer card is on top, as in hit tests, although cards are mounted in any order. Selected cards are
            // above all others.
            style:z-index=move || match selected.get() {
                true => id.0.saturating_add(SELECTED).to_string(),
                false => id.0.saturating_add(1).to_string(),
            }
            style:transform=transform(store.place(card))
            style:height=height
            on:focus=move |_| select_focused(handle, card)
        >
            <header class="card-head">
                <span class="badge" aria-hidden="true">
                    {badge_text}
                </span>
                <CardName card=card name=name handle=handle />
                <CardMark mark=memo(move |_| store.findings.of_card(card)) />
                <span class="card-count" title="Samples">
                    {move || count.get()}
                </span>
                <span
                    class="port"
                    data-port=""
                    title="Drag to an index to add the entity, or to the empty canvas to add a GSI"
                ></span>
            </header>
            {keys}
            {attributes}
        </div>
    })
}

/// The card of the table's primary key.
#[component]
pub fn PrimaryCard(
    /// The canvas.
    handle: CanvasHandle,
) -> impl IntoView {
    let store = use_store();
    let card = primary_card();
    let place = memo(move |_| {
        // Another design has another signal for its place.
        store.opened.track();
        store.place(card).map_or((0.0, 0.0), |place| place.get())
    });
    let key = memo(move |_| store.table.with(|table| table.key.clone()));
    let name = memo(move |_| store.table.with(|table| table.name.clone()));
    let selected = is_selected(store, card);
    let billing = move || {
        store.table.with(|table| match table.billing {
            keyfold_core::model::Billing::OnDemand(_) => "on-demand",
            keyfold_core::model::Billing::Provisioned(_) => "provisioned",
        })
    };
    view! {
        <div
            class="card index-card primary-card"
            class:target=move || handle.target.get() == Some(card)
            class:selected=move || selected.get()
            tabindex="-1"
            role="group"
            aria-roledescription="table"
            aria-label=move || name.get()
            data-card=card.to_string()
            style:transform=move || {
                let (x, y) = place.get();
                format!("translate({x}px, {y}px)")
            }
            style:height=move || format!("{}px", index_height(&key.get(), store.detail.get()))
            on:focus=move |_| select_focused(handle, card)
        >
            <header class="card-head">
                <span class="kind">"Table"</span>
                <CardName card=card name=name handle=handle />
                <CardMark mark=memo(move |_| store.findings.of_card(card)) />
            </header>
            <Show when=move || {
                store.detail.get() != Detail::Names
            }>
                {move || key_rows(&key.get())}
                <div class="card-foot">{billing} <Members index=IndexId::PRIMARY /></div>
            </Show>
        </div>
    }
}

/// The card of a secondary index.
#[component]
pub fn IndexCard(
    /// The index.
    id: IndexId,
    /// The canvas.
    handle: CanvasHandle,
) -> impl IntoView {
    let store = use_store();
    let card = CardId::Index(id);
    let node = store.index(id)?;
    let index = memo(move |_| node.index.get());
    let name = memo(move |_| index.with(|index| index.name.clone()));
    let selected = is_selected(store, card);
    let foot = move || match &index.get().projection {
        Projection::All => "all attributes".to_owned(),
        Projection::KeysOnly => "keys only".to_owned(),
        Projection::Include(names) => fitting(&format!("keys, {}", names.join(", ")), INCLUDED),
    };
    Some(view! {
        <div
            class="card index-card"
            class:target=move || handle.target.get() == Some(card)
            class:selected=move || selected.get()
            tabindex="-1"
            role="group"
            aria-roledescription="index"
            aria-label=move || name.get()
            data-card=card.to_string()
            style:transform=transform(store.place(card))
            style:height=move || format!("{}px", index_height(&index.get().key, store.detail.get()))
            on:focus=move |_| select_focused(handle, card)
        >
            <header class="card-head">
                <span class="kind">{move || index.get().kind.label()}</span>
                <CardName card=card name=name handle=handle />
                <CardMark mark=memo(move |_| store.findings.of_card(card)) />
            </header>
            <Show when=move || {
                store.detail.get() != Detail::Names
            }>
                {move || key_rows(&index.get().key)}
                <div class="card-foot">{foot} <Members index=id /></div>
            </Show>
        </div>
    })
}

/// The badges of the entities in an index.
#[component]
fn Members(index: IndexId) -> impl IntoView {
    let store = use_store();
    let members = memo(move |_| {
        store.cards.track();
        store.opened.track();
        store.with(|design| {
            let is_in = |entity: &&Arc<Entity>| is_in_index(design, entity, index);
            let members = design.entities.values().filter(is_in);
            let first = members.clone().take(BADGES);
            let first = first.map(|entity| (entity.name.clone(), entity.hue));
            (members.count(), first.collect::<Vec<_>>())
        })
    });
    move || {
        let (count, first) = members.get();
        let more = count - first.len();
        view! {
            <div class="members">
                {(count == 0).then_some("no entities")}
                {first
                    .into_iter()
                    .map(|(name, hue)| {
                        view! {
                            <span class=format!("badge hue-{hue}") title=name.clone()>
                                {badge(&name)}
                            </span>
                        }
                    })
                    .collect_view()} {(more > 0).then(|| format!("+{more}"))}
            </div>
        }
    }
}

/// A card's name, or a field while it is renamed.
#[component]
fn CardName(card: CardId, name: Memo<String>, handle: CanvasHandle) -> impl IntoView {
    let store = use_store();
    let field: NodeRef<Input> = NodeRef::new();
    let error = RwSignal::new(None::<String>);
    let focus_card = move || handle.focus(card);
    let close = move || {
        error.set(None);
        if handle.renaming.get_untracked() == Some(card) {
            handle.typed_name.set_value(None);
            handle.renaming.set(None);
        }
    };
    let store_name = move || {
        let Some(field) = field.get_untracked() else {
            return true;
        };
        let text = field.value();
        let refused = match store.rename_command(card, text) {
            Some(command) => store.run(command).err(),
            None => None,
        };
        error.set(refused.map(|refused| refused.to_string()));
        error.with_untracked(Option::is_none)
    };
    effect(move || {
        if let Some(field) = field.get() {
            let _ = field.focus();
            // What was typed already is not replaced.
            match handle.typed_name.get_value() {
                None => field.select(),
                Some(typed) => {
                    let end = typed.encode_utf16().count() as u32;
                    let _ = field.set_selection_range(end, end);
                }
            }
        }
    });
    let shown = move || match card {
        CardId::Entity(_) => name.get(),
        _ => fitting(&name.get(), NAME),
    };
    view! {
        <Show
            when=move || handle.renaming.get() == Some(card)
            fallback=move || {
                view! {
                    <span
                        class="card-name"
                        class:long=move || is_long(&name.get())
                        title=move || name.get()
                    >
                        {shown}
                    </span>
                }
            }
        >
            <input
                class="card-rename"
                aria-label="Name"
                data-draft=""
                spellcheck="false"
                autocomplete="off"
                node_ref=field
                value=handle.typed_name.get_value().unwrap_or_else(|| name.get_untracked())
                title=move || error.get().unwrap_or_default()
                aria-invalid=move || error.with(Option::is_some).to_string()
                on:input=move |event| handle.typed_name.set_value(Some(event_target_value(&event)))
                on:keydown=move |event| {
                    event.stop_propagation();
                    if is_composing(&event) {
                        return;
                    }
                    let done = match event.key().as_str() {
                        "Enter" => store_name(),
                        "Escape" => true,
                        _ => false,
                    };
                    if let Some(reason) = error.get_untracked() {
                        store.notices.complain(reason);
                    }
                    if done {
                        close();
                        focus_card();
                    }
                }
                on:blur=move |_| {
                    if handle.renaming.get_untracked() == Some(card) {
                        store_name();
                    }
                    close();
                }
            />
        </Show>
    }
}
