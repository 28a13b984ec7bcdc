//! Wires from entities to the indexes they are in. A wire reads the places of its two ends, its entry in the entity
//! and the height of that entry on the card. In a small design it also reads the cards that it routes around. The code is
//! loaded on demand, after the cards.

use super::culling::Culling;
use super::handle::{AroundCards, CanvasHandle};
use super::level_of_detail::Level;
use crate::ui::reactive::erased::{For, RwSignal, Show, memo};
use crate::ui::reactive::later::View;
use crate::ui::reactive::on_demand::{LoadError, Part, on_demand, when_loaded};
use crate::ui::state::finding_mark::Mark;
use crate::ui::state::store::{CanvasPlace, Store, use_store};
use crate::ui::widgets::classes;
use keyfold_app::collections::entity_groups;
use keyfold_app::geometry::{WireCurve, entry_middle};
use keyfold_app::route::{Routes, Wire, WireRoute};
use keyfold_app::viewport::Area;
use keyfold_app::wire_label::{LabelShape, label_shapes, label_text};
use keyfold_core::lint::Severity;
use keyfold_core::model::{CardId, EntityId, IndexId};
use keyfold_cost::heat::HeatLayer;
use leptos::prelude::*;
use std::time::Duration;

/// Distance of the sign of a finding from the entity's card, in canvas pixels.
const MARK: f64 = 14.0;
/// A triangle with an exclamation mark.
const WARNING_SIGN: &str = "M0-6.5L7 5.5H-7ZM0-2.5V1.5M0 3.5V3.6";
/// A circle with an exclamation mark.
const ERROR_SIGN: &str = "M-6.5 0A6.5 6.5 0 0 1 6.5 0A6.5 6.5 0 0 1-6.5 0ZM0-3.5V1M0 3.4V3.5";

/// Time between two attempts to load the code.
const LOAD_AGAIN: Duration = Duration::from_secs(5);

/// The loaded code.
#[derive(Clone, Copy)]
pub(super) struct WireCode {
    around: AroundCards,
    wires: Part<(CanvasHandle, Culling)>,
}

on_demand!(panels, wire_code: WireCode = WireCode {
    around: AroundCards { groups: entity_groups, routes: Routes::new },
    wires: |(handle, culling)| {
        view! {
            <For each=move || culling.mounted.get() key=|id| *id let:id>
                <EntityWires id=id shown=culling.shown(id) handle=handle />
            </For>
        }
        .into_any()
    },
});

/// The wires of all entities, once their code is loaded. Loads the code of the item collections too.
#[component]
pub fn Wires(
    /// The canvas.
    handle: CanvasHandle,
    /// Which cards are in the page.
    culling: Culling,
) -> impl IntoView {
    let wires = RwSignal::new(None);
    load(View::new(), handle, wires);
    move || {
        let wires: Option<Part<_>> = wires.get();
        wires.map(|wires| untrack(|| wires((handle, culling))))
    }
}

fn load(view: View, handle: CanvasHandle, wires: RwSignal<Option<Part<(CanvasHandle, Culling)>>>) {
    when_loaded(view, wire_code(), move |code| match code {
        Ok(code) => {
            handle.around.set(Some(code.around));
            wires.set(Some(code.wires));
        }
        // The panels show that code is missing.
        Err(LoadError) => {
            view.after(LOAD_AGAIN, move || load(view, handle, wires));
        }
    });
}

/// All wires of an entity.
#[component]
fn EntityWires(
    /// The entity.
    id: EntityId,
    /// Whether its card is visible.
    shown: ArcRwSignal<bool>,
    /// The canvas.
    handle: CanvasHandle,
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
    let selected =
        memo(move |_| (store.selection).with(|cards| cards.contains(&CardId::Entity(id))));
    let found = memo(move |_| store.findings.of_wires(CardId::Entity(id)));
    // One SVG per entity: a card that moves repaints only its own wires.
    Some(view! {
        <svg class="wires" aria-hidden="true">
            <For each=move || indexes.get() key=|index| *index let:index>
                {
                    let entry = memo({
                        let entity = entity.clone();
                        move |_| entity.with(|e| e.keys.get(&index).cloned().unwrap_or_default())
                    });
                    let entity = entity.clone();
                    let down = memo(move |_| {
                        entity.with(|entity| entry_middle(entity, index, store.detail.get()))
                    });
                    let from = store.place(CardId::Entity(id));
                    let to = store.place(CardId::Index(index));
                    let curve = memo(move |_| {
                        let at = |place: &Option<ArcRwSignal<CanvasPlace>>| {
                            place.as_ref().map_or((0.0, 0.0), |place| place.get())
                        };
                        WireCurve::between(at(&from), down.get(), at(&to))
                    });
                    let ends = [CardId::Entity(id), CardId::Index(index)];
                    let route = memo(move |_| {
                        handle.routes.with(|routes| routes.route((id, index), curve.get()))
                    });
                    let lit = memo(move |_| {
                        selected.get()
                            || handle.hover.get().is_some_and(|card| ends.contains(&card))
                            || store.wire.get() == Some((id, index))
                            || store.selection.with(|cards| cards.contains(&CardId::Index(index)))
                    });
                    let sparse = move || entry.with(|entry| !entry.when.is_empty());
                    let shapes = memo(move |_| {
                        entry.with(|entry| label_shapes(entry, handle.level.get().text()))
                    });
                    let label = memo(move |_| {
                        let level = handle.level.get();
                        let is_lit = lit.get();
                        let wanted = is_lit && level > Level::Far
                            || !index.is_primary() && level == Level::Full;
                        handle
                            .labels
                            .update_value(|labels| {
                                labels.remove(&(id, index));
                            });
                        wanted
                            .then(|| {
                                let room = curve
                                    .with(|curve| (curve.to.0 - curve.from.0).abs() - 16.0);
                                route
                                    .with(|route| {
                                        shapes
                                            .with(|shapes| place_label(
                                                handle,
                                                (id, index),
                                                shapes,
                                                route,
                                                room,
                                                is_lit,
                                            ))
                                    })
                            })?
                    });
                    let number = memo(move |_| label.get().map(|label| label.shape));
                    let shape = memo(move |_| {
                        shapes.with(|shapes| shapes.get(number.get()?).cloned())
                    });
                    let size = move |of: fn(&LabelShape) -> f64| {
                        shape.with(|shape| shape.as_ref().map_or(0.0, of))
                    };
                    let width = move || size(|shape| shape.width);
                    let height = move || size(|shape| shape.height);
                    on_cleanup(move || {
                        handle.labels.try_update_value(|labels| labels.remove(&(id, index)));
                    });
                    let mark = memo(move |_| {
                        let of = |(at, _): &&(IndexId, Mark)| *at == index;
                        found.with(|found| found.iter().find(of).map(|(_, mark)| mark.clone()))
                    });
                    let sign = memo(move |_| {
                        mark.with(|mark| match mark.as_ref()?.severity {
                            Severity::Error => Some(ERROR_SIGN),
                            Severity::Warning => Some(WARNING_SIGN),
                            Severity::Info => None,
                        })
                    });
                    let title = move || {
                        let mut lines = entry.with(label_text);
                        lines.extend(mark.get().map(|mark| mark.title));
                        lines.extend(heat_title(store, (id, index)));
                        lines.join("\n")
                    };
                    let hit = move || {
                        if handle.is_busy() {
                            handle.busy.track();
                            return String::new();
                        }
                        route.with(|route| route.path.clone())
                    };
                    let shown = shown.clone();
                    let chosen = memo(move |_| store.wire.get() == Some((id, index)));
                    let class = move || {
                        let others = [
                            ("primary", index.is_primary()),
                            ("lit", lit.get()),
                            ("sparse", sparse()),
                            ("chosen", chosen.get()),
                        ];
                        classes(&format!("wire-group hue-{}", hue.get()), &others)
                    };
                    // The lines do not change while a card is dragged.
                    // No hit path while a card is dragged: each path adds to the cost of every step.
                    view! {
                        <g
                            class=class
                            hidden=move || !shown.get() && !lit.get()
                            data-wire=format!("{id}-{index}")
                            data-found=move || {
                                mark.with(|mark| Some(mark.as_ref()?.severity.label()))
                            }
                        >
                            <title>{title}</title>
                            <path class="wire-hit" d=hit />
                            <path
                                class="wire"
                                class:primary=index.is_primary()
                                d=move || route.with(|route| route.path.clone())
                            />
                            {(!index.is_primary())
                                .then(|| {
                                    view! {
                                        <circle
                                            class="wire-end"
                                            data-wire-end=""
                                            r="6"
                                            cx=move || {
                                                let curve = curve.get();
                                                curve.to.0 + curve.enters * 8.0
                                            }
                                            cy=move || curve.get().to.1
                                        />
                                    }
                                })}
                            <Show when=move || number.get().is_some()>
                                <g transform=move || {
                                    let (x, y) = label
                                        .get()
                                        .map_or((0.0, 0.0), |label| label.middle);
                                    format!("translate({x:.1} {y:.1})")
                                }>
                                    <rect
                                        class="wire-label-ground"
                                        rx="4"
                                        x=move || -width() / 2.0
                                        width=width
                                        y=move || -height() / 2.0
                                        height=height
                                    />
                                    {move || {
                                        let shape = shape.get();
                                        let lines = shape
                                            .map_or_else(Vec::new, |shape| shape.lines);
                                        let height = height() / lines.len().max(1) as f64;
                                        let top = -height * (lines.len() as f64 - 1.0) / 2.0;
                                        (lines.into_iter().enumerate())
                                            .map(|(at, line)| {
                                                let y = top + height * at as f64;
                                                view! {
                                                    <text class="wire-label" y=y>
                                                        {line}
                                                    </text>
                                                }
                                            })
                                            .collect_view()
                                    }}
                                </g>
                            </Show>
                            {move || {
                                sign.get()
                                    .map(|sign| {
                                        let (x, y) = match label.get() {
                                            Some(Label { middle, .. }) => {
                                                (middle.0, middle.1 - height() / 2.0 - 9.0)
                                            }
                                            None => route.with(|route| route.at_distance(MARK)),
                                        };
                                        let at = format!("translate({x:.1} {y:.1})");
                                        view! {
                                            <g transform=at>
                                                <path class="wire-mark" d=sign />
                                            </g>
                                        }
                                    })
                            }}
                        </g>
                    }
                }
            </For>
        </svg>
    })
}

/// What the heat says of a wire, while it is shown.
fn heat_title(store: Store, wire: Wire) -> Option<String> {
    let title = |heat: &HeatLayer| Some(heat.wires.get(&wire)?.title.clone());
    store.heat.with(|heat| heat.as_deref().and_then(title))
}

/// A wire's label.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Label {
    /// The number of its shape.
    shape: usize,
    /// Its middle, in canvas pixels.
    middle: CanvasPlace,
}

/// Returns the first shape that has a place clear of cards, of other labels and of other wires. A highlighted wire without
/// such a place has its label above wires that are drawn before it. `None` if there is no place. A large design has no routes: there
/// the label is in the middle of the wire if there is `room`.
fn place_label(
    handle: CanvasHandle,
    wire: Wire,
    shapes: &[LabelShape],
    route: &WireRoute,
    room: f64,
    is_lit: bool,
) -> Option<Label> {
    handle.routes.with(|routes| {
        let mut all = shapes.iter().enumerate();
        if routes.is_empty() {
            let (shape, _) = all.find(|(_, shape)| shape.width <= room)?;
            let middle = route.at(0.5);
            return Some(Label { shape, middle });
        }
        let place = |(shape, of): (usize, &LabelShape), over_wires: bool| {
            let is_free = |area: Area| {
                routes.is_free(area, |other| {
                    // The later wires of the same entity are drawn over this label.
                    let is_above = other.0 == wire.0 && other.1 > wire.1;
                    other != wire && (!over_wires || is_above)
                }) && (handle.labels)
                    .with_value(|labels| !labels.values().any(|other| other.intersects(area)))
            };
            let area = route.label(of.width, of.height, is_free)?;
            handle.labels.update_value(|labels| {
                labels.insert(wire, area);
            });
            let middle = (area.x + area.width / 2.0, area.y + area.height / 2.0);
            Some(Label { shape, middle })
        };
        // To look at all other wires would cost every step of a drag.
        let is_dragged = is_lit && handle.is_busy();
        if is_dragged {
            handle.busy.track();
        }
        let clear = (!is_dragged).then(|| all.find_map(|shape| place(shape, false)));
        clear.flatten().or_else(|| {
            let mut again = shapes.iter().enumerate().filter(|_| is_lit);
            again.find_map(|shape| place(shape, true))
        })
    })
}

/// The wire being drawn, from the entity's port to the pointer.
#[component]
pub fn LooseWire(
    /// Its two ends, in canvas pixels.
    wire: Signal<Option<(CanvasPlace, CanvasPlace)>>,
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
