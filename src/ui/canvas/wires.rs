//! Wires from entities to the indexes they are in. A wire reads the places of its two ends, its entry in the entity
//! and the height of that entry on the card. In a small design it also reads the cards that it routes around.

use super::handle::CanvasHandle;
use super::level_of_detail::Level;
use crate::ui::reactive::erased::{For, Show, memo};
use crate::ui::state::finding_mark::Mark;
use crate::ui::state::store::{CanvasPlace, use_store};
use crate::ui::widgets::classes;
use crate::ui::widgets::template_text::SMALL;
use keyfold_app::geometry::{WireCurve, entry_middle};
use keyfold_app::picture::{condition_text, text_width, truncate};
use keyfold_app::route::{Wire, WireRoute};
use keyfold_app::viewport::Area;
use keyfold_core::model::{CardId, EntityId, IndexEntry, IndexId};
use leptos::prelude::*;

/// Widths of a wire's label, in canvas pixels: the next is tried if one does not fit. The last fits between columns.
const LABEL_WIDTHS: [f64; 3] = [260.0, 120.0, 88.0];
/// Minimum room for a label between two cards of a large design, in canvas pixels.
const MIN_LABEL_ROOM: f64 = 64.0;
/// Line height of a label, as a multiple of its text's size.
const LINE: f64 = 1.28;

/// All wires of an entity.
#[component]
pub fn EntityWires(
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
                                        entry
                                            .with(|entry| place_label(
                                                handle,
                                                (id, index),
                                                entry,
                                                route,
                                                room,
                                                is_lit,
                                            ))
                                    })
                            })?
                    });
                    let width = memo(move |_| label.get().map_or(0.0, |label| label.width));
                    let count = |lines: &Option<Vec<String>>| {
                        lines.as_ref().map_or(0, Vec::len) as f64
                    };
                    on_cleanup(move || {
                        handle.labels.try_update_value(|labels| labels.remove(&(id, index)));
                    });
                    let room = memo(move |_| label.get().map(|label| (label.room, label.size)));
                    let lines = memo(move |_| {
                        let (room, size) = room.get()?;
                        Some(entry.with(|entry| label_lines(entry, room, size)))
                    });
                    let height = move || LINE * room.get().map_or(SMALL, |(_, size)| size);
                    let mark = memo(move |_| {
                        let of = |(at, _): &&(IndexId, Mark)| *at == index;
                        found.with(|found| found.iter().find(of).map(|(_, mark)| mark.clone()))
                    });
                    let title = move || {
                        let mut lines = label_lines(&entry.get(), f64::MAX, SMALL);
                        lines.extend(mark.get().map(|mark| mark.title));
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
                            <Show when=move || room.with(Option::is_some)>
                                <g transform=move || {
                                    let (x, y) = label
                                        .get()
                                        .map_or((0.0, 0.0), |label| label.middle);
                                    format!("translate({x:.1} {y:.1})")
                                }>
                                    <rect
                                        class="wire-label-ground"
                                        rx="4"
                                        x=move || -width.get() / 2.0
                                        width=move || width.get()
                                        y=move || -height() * lines.with(count) / 2.0
                                        height=move || height() * lines.with(count)
                                    />
                                    {move || {
                                        let lines = lines.get().unwrap_or_default();
                                        let height = height();
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
                        </g>
                    }
                }
            </For>
        </svg>
    })
}

/// The place of a wire's label.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Label {
    /// Width to which its lines are truncated, in canvas pixels.
    room: f64,
    /// Its middle, in canvas pixels.
    middle: CanvasPlace,
    /// Its width, in canvas pixels.
    width: f64,
    /// Size of its text, in canvas pixels.
    size: f64,
}

/// Returns the label's place, clear of cards and of other labels; unless it is highlighted, also of other wires. `None` if
/// there is no such place. A large design has no routes: there the label is in the middle of the wire if `room` suffices.
fn place_label(
    handle: CanvasHandle,
    wire: Wire,
    entry: &IndexEntry,
    route: &WireRoute,
    room: f64,
    is_lit: bool,
) -> Option<Label> {
    let size = handle.level.get().text();
    let width = |room: f64| {
        let lines = label_lines(entry, room, size);
        let widths = lines.iter().map(|line| text_width(line, size));
        (widths.fold(0.0, f64::max) + 8.0, lines.len())
    };
    handle.routes.with(|routes| {
        if routes.is_empty() {
            let room = room.min(LABEL_WIDTHS[0]);
            return (room >= MIN_LABEL_ROOM).then(|| Label {
                room,
                middle: route.at(0.5),
                width: width(room).0,
                size,
            });
        }
        LABEL_WIDTHS.into_iter().find_map(|room| {
            let (width, count) = width(room);
            // A highlighted label is above other wires.
            let is_free = |area: Area| {
                routes.is_free(area, |other| !is_lit && other != wire)
                    && (handle.labels)
                        .with_value(|labels| !labels.values().any(|other| other.intersects(area)))
            };
            let area = route.label(width, LINE * size * count as f64, is_free)?;
            handle.labels.update_value(|labels| {
                labels.insert(wire, area);
            });
            let middle = (area.x + area.width / 2.0, area.y + area.height / 2.0);
            Some(Label {
                room,
                middle,
                width,
                size,
            })
        })
    })
}

/// The text of a wire, in a font of this size: its templates, and the condition of a sparse index.
fn label_lines(entry: &IndexEntry, room: f64, size: f64) -> Vec<String> {
    let when = (!entry.when.is_empty()).then(|| {
        let conditions: Vec<String> = entry.when.iter().map(condition_text).collect();
        format!("when {}", conditions.join(" and "))
    });
    (entry.partition.iter().cloned())
        .chain(entry.sort.iter().cloned())
        .chain(when)
        .map(|line| truncate(&line, room, size).into_owned())
        .collect()
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
