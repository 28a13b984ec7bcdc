//! The heat, when it is switched on: how much of a partition the hottest key of the table and each index takes, and the
//! share of the load that entities and their entries bring. `keyfold_cost::heat::layer` has every figure and sentence.
//! The code is loaded on demand.

use super::culling::Culling;
use super::handle::{CanvasHandle, primary_card};
use super::level_of_detail::Level;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{For, Memo, RwSignal, Show, effect, memo};
use crate::ui::reactive::later::View;
use crate::ui::reactive::on_demand::{Part, on_demand, when_loaded};
use crate::ui::state::page_state::{PageState, use_page};
use crate::ui::state::store::{CanvasPlace, Store, use_store};
use keyfold_app::geometry::{
    ENTITY_WIDTH, INDEX_WIDTH, WireCurve, entity_height, entry_middle, index_height,
};
use keyfold_core::model::{CardId, EntityId, IndexId};
use keyfold_cost::heat::{HeatLayer, HeatLevel, HeatMark, layer};
use leptos::prelude::*;
use std::sync::Arc;

/// Distance of a mark from the lower edge of its card, in canvas pixels.
const BELOW: f64 = 5.0;
/// Distance of the mark of a wire from its entity's card.
const BESIDE: f64 = 22.0;

/// The loaded code.
#[derive(Clone, Copy)]
pub struct HeatParts {
    marks: Part<(CanvasHandle, Culling)>,
    legend: Part,
}

on_demand!(cost, heat_parts: HeatParts = HeatParts {
    marks: |(handle, culling)| view! { <Marks handle=handle culling=culling /> }.into_any(),
    legend: |()| view! { <Legend /> }.into_any(),
});

/// The code, once it is loaded.
type Loaded = RwSignal<Option<HeatParts>>;

/// Switches the heat on or off.
pub fn toggle(store: Store, page: PageState) {
    let shown = !page.heat.get_untracked();
    page.heat.set(shown);
    (store.spoken).set(format!("Heat {}", if shown { "on" } else { "off" }));
}

/// Loads the code when the heat is switched on.
pub fn load(store: Store, page: PageState) -> Loaded {
    let (view, part) = (View::new(), RwSignal::new(None));
    effect(move || {
        if page.heat.get() && part.with_untracked(Option::is_none) {
            when_loaded(view, heat_parts(), move |loaded| match loaded {
                Ok(loaded) => part.set(Some(loaded)),
                Err(error) => {
                    page.heat.set(false);
                    (store.notices).error(format!("The heat is not shown: {error}."));
                }
            });
        }
    });
    part
}

/// The marks on cards and wires, while they are switched on.
#[component]
pub fn HeatMarks(
    /// The code.
    part: Loaded,
    /// The canvas.
    handle: CanvasHandle,
    /// Which cards are in the page.
    culling: Culling,
) -> impl IntoView {
    let page = use_page();
    move || {
        let part = part.get().filter(|_| page.heat.get());
        part.map(|part| untrack(|| (part.marks)((handle, culling))))
    }
}

/// What the marks mean, while they are switched on.
#[component]
pub fn HeatLegend(
    /// The code.
    part: Loaded,
) -> impl IntoView {
    let page = use_page();
    move || {
        let part = part.get().filter(|_| page.heat.get());
        part.map(|part| untrack(|| (part.legend)(())))
    }
}

#[component]
fn Legend() -> impl IntoView {
    let store = use_store();
    let none = memo(move |_| store.access_patterns.with(|all| all.is_empty()));
    let state = memo(
        move |_| match (none.get(), store.heat.with(Option::is_some)) {
            (true, _) => "No load: the design has no access patterns.",
            (false, false) => "Calculating…",
            (false, true) => "Load of the hottest key, as a share of the partition limit:",
        },
    );
    let levels = HeatLevel::ALL.map(|level| {
        view! {
            <li>
                <span class=format!("heat-swatch heat-{}", level.name()) aria-hidden="true"></span>
                {level.words()}
            </li>
        }
    });
    view! {
        <div class="heat-legend" role="group" aria-label="Heat">
            <span role="status">{move || state.get()}</span>
            <ul>{levels.into_iter().collect_view()}</ul>
        </div>
    }
}

#[component]
fn Marks(handle: CanvasHandle, culling: Culling) -> impl IntoView {
    let store = use_store();
    let report = store.look_at_costs(false).report;
    effect(move || {
        let found = report.with(|report| Some(layer(report.as_ref()?)));
        store.heat.set(found.map(|found| ByPtr(Arc::new(found))));
    });
    on_cleanup(move || store.heat.set(None));
    view! {
        <For each=move || culling.mounted.get() key=|id| *id let:id>
            <EntityMarks id=id handle=handle culling=culling />
        </For>
        <For
            each=move || {
                store.opened.track();
                let others = store.index_ids.get();
                std::iter::once(IndexId::PRIMARY).chain(others).collect::<Vec<_>>()
            }
            key=|id| *id
            let:id
        >
            <IndexMark id=id />
        </For>
    }
}

/// A mark of the layer, as a signal.
fn marked(
    store: Store,
    of: impl Fn(&HeatLayer) -> Option<HeatMark> + Send + Sync + 'static,
) -> Memo<Option<HeatMark>> {
    memo(move |_| store.heat.with(|layer| of(layer.as_ref()?)))
}

/// The mark of the table or an index.
#[component]
fn IndexMark(id: IndexId) -> impl IntoView {
    let store = use_store();
    let card = if id.is_primary() {
        primary_card()
    } else {
        CardId::Index(id)
    };
    let place = memo(move |_| {
        // Another design has another signal for its place.
        store.opened.track();
        store.place(card).map_or((0.0, 0.0), |place| place.get())
    });
    let height = memo(move |_| {
        let detail = store.detail.get();
        match store.index(id) {
            Some(node) => node.index.with(|index| index_height(&index.key, detail)),
            None => store.table.with(|table| index_height(&table.key, detail)),
        }
    });
    let mark = marked(store, move |layer| layer.indexes.get(&id).cloned());
    card_mark(card, mark, place, INDEX_WIDTH, height)
}

/// The marks of an entity and its wires.
#[component]
fn EntityMarks(id: EntityId, handle: CanvasHandle, culling: Culling) -> impl IntoView {
    let store = use_store();
    let card = CardId::Entity(id);
    let entity = store.entity(id)?.entity;
    let shown = culling.shown(id);
    let own_place = store.place(card);
    let place = memo(move |_| own_place.as_ref().map_or((0.0, 0.0), |place| place.get()));
    let height = memo({
        let entity = entity.clone();
        move |_| entity.with(|entity| entity_height(entity, store.detail.get()))
    });
    let mark = marked(store, move |layer| layer.entities.get(&id).cloned());
    let indexes = memo({
        let entity = entity.clone();
        move |_| entity.with(|entity| entity.keys.keys().copied().collect::<Vec<_>>())
    });
    let near = memo(move |_| handle.level.get() >= Level::Large);
    let wires = move || {
        let entity = entity.clone();
        view! {
            <For each=move || indexes.get() key=|index| *index let:index>
                {
                    let entity = entity.clone();
                    let down = memo(move |_| {
                        entity.with(|entity| entry_middle(entity, index, store.detail.get()))
                    });
                    wire_mark(id, index, place, down)
                }
            </For>
        }
    };
    Some(view! {
        <div class="heat-entity" hidden=move || !shown.get()>
            {card_mark(card, mark, place, ENTITY_WIDTH, height)}
            <Show when=move || near.get()>{wires()}</Show>
        </div>
    })
}

/// A frame around a card with its mark below.
fn card_mark(
    card: CardId,
    mark: Memo<Option<HeatMark>>,
    place: Memo<CanvasPlace>,
    width: f64,
    height: Memo<f64>,
) -> AnyView {
    let frame = move || {
        let (x, y) = place.get();
        format!("translate({x}px, {y}px)")
    };
    let label = move || {
        let ((x, y), height) = (place.get(), height.get());
        format!("translate({x}px, {}px)", y + height + BELOW)
    };
    let shown = memo(move |_| mark.with(Option::is_some));
    view! {
        <Show when=move || shown.get()>
            <div
                class=move || class("heat-frame", mark)
                aria-hidden="true"
                style:transform=frame
                style:width=format!("{width}px")
                style:height=move || format!("{}px", height.get())
            ></div>
            <div
                class=move || class("heat-mark", mark)
                role="note"
                data-heat=card.to_string()
                title=move || title(mark)
                aria-label=move || title(mark)
                style:transform=label
            >
                {words(mark)}
            </div>
        </Show>
    }
    .into_any()
}

/// The mark at the beginning of a wire.
fn wire_mark(id: EntityId, index: IndexId, place: Memo<CanvasPlace>, down: Memo<f64>) -> AnyView {
    let store = use_store();
    let mark = marked(store, move |layer| layer.wires.get(&(id, index)).cloned());
    let to = store.place(CardId::Index(index));
    let at = move || {
        let to = to.as_ref().map_or((0.0, 0.0), |place| place.get());
        let curve = WireCurve::between(place.get(), down.get(), to);
        let (x, y) = (curve.from.0 + curve.leaves * BESIDE, curve.from.1);
        let side = if curve.leaves > 0.0 { "0" } else { "-100%" };
        format!("translate({x}px, {y}px) translate({side}, -50%)")
    };
    let shown = memo(move |_| mark.with(Option::is_some));
    view! {
        <Show when=move || shown.get()>
            <div
                class=move || class("heat-mark on-wire", mark)
                role="note"
                data-heat=format!("{id}-{index}")
                title=move || title(mark)
                aria-label=move || title(mark)
                style:transform=at.clone()
            >
                <strong>{move || figure_only(mark)}</strong>
            </div>
        </Show>
    }
    .into_any()
}

fn class(base: &str, mark: Memo<Option<HeatMark>>) -> String {
    let level = mark.with(|mark| mark.as_ref().map_or("low", |mark| mark.level.name()));
    format!("{base} heat-{level}")
}

fn title(mark: Memo<Option<HeatMark>>) -> String {
    mark.with(|mark| {
        mark.as_ref()
            .map_or_else(String::new, |mark| mark.title.clone())
    })
}

/// The number of a figure such as `62 % of writes`: a wire has no room for more. Its tooltip says the rest.
fn figure_only(mark: Memo<Option<HeatMark>>) -> String {
    mark.with(|mark| {
        let figure = mark.as_ref().map_or("", |mark| mark.figure.as_str());
        figure.split(" of ").next().unwrap_or_default().to_owned()
    })
}

fn words(mark: Memo<Option<HeatMark>>) -> impl IntoView {
    let of = move |text: fn(&HeatMark) -> &String| {
        mark.with(|mark| {
            mark.as_ref()
                .map_or_else(String::new, |mark| text(mark).clone())
        })
    };
    view! {
        <strong>{move || of(|mark| &mark.figure)}</strong>
        <span>{move || of(|mark| &mark.detail)}</span>
    }
}
