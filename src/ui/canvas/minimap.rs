//! The minimap: all cards as small boxes, and a frame around what is seen. Clicking it goes there.

use super::CanvasHandle;
use crate::app::placement;
use crate::app::session::{Area, Viewport};
use crate::domain::model::CardId;
use crate::ui::parts::erased::memo;
use crate::ui::store::use_store;
use leptos::prelude::*;

const WIDTH: f64 = 160.0;
const HEIGHT: f64 = 100.0;

/// The minimap. It follows what is stored, so a card that is being dragged moves on it when it is dropped.
#[component]
pub fn Minimap(
    /// The canvas.
    handle: CanvasHandle,
) -> impl IntoView {
    let store = use_store();
    let cards = memo(move |_| {
        store.revision.track();
        store.opened.track();
        store.with(|design| {
            (design.cards())
                .filter_map(|card| {
                    let hue = match card {
                        CardId::Entity(id) => design.entities.get(&id).map(|e| e.hue),
                        _ => None,
                    };
                    Some((
                        placement::stored_area(design, card, store.detail.get())?,
                        hue,
                    ))
                })
                .collect::<Vec<_>>()
        })
    });
    let world = memo(move |_| {
        cards.with(|cards| {
            (cards.iter().map(|(area, _)| *area))
                .reduce(Area::union)
                .map_or(
                    Area {
                        x: 0.0,
                        y: 0.0,
                        width: 1.0,
                        height: 1.0,
                    },
                    |area| area.grown(80.0),
                )
        })
    });
    let view_box = move || {
        let area = world.get();
        format!("{} {} {} {}", area.x, area.y, area.width, area.height)
    };
    let seen = move || {
        let (width, height) = handle.size();
        store.viewport.get().visible(width, height)
    };
    let go = move |x: f64, y: f64| {
        // The drawing keeps its proportions and stands in the middle of the map.
        let area = world.get_untracked();
        let scale = (WIDTH / area.width).min(HEIGHT / area.height);
        let canvas_x = area.x + (x - (WIDTH - area.width * scale) / 2.0) / scale;
        let canvas_y = area.y + (y - (HEIGHT - area.height * scale) / 2.0) / scale;
        let (width, height) = handle.size();
        store.viewport.update(|viewport| {
            *viewport = Viewport {
                x: width / 2.0 - canvas_x * viewport.zoom,
                y: height / 2.0 - canvas_y * viewport.zoom,
                ..*viewport
            };
        });
    };
    view! {
        <svg
            class="minimap"
            viewBox=view_box
            aria-hidden="true"
            on:pointerdown=move |event| {
                event.stop_propagation();
                go(f64::from(event.offset_x()), f64::from(event.offset_y()));
            }
            on:pointermove=move |event| {
                if event.buttons() & 1 == 1 {
                    event.stop_propagation();
                    go(f64::from(event.offset_x()), f64::from(event.offset_y()));
                }
            }
        >
            {move || {
                cards.with(|cards| {
                    (cards.iter())
                        .map(|(area, hue)| {
                            view! {
                                <rect
                                    class=hue.map_or("map-index".to_owned(), |hue| format!("map-entity hue-{hue}"))
                                    x=area.x
                                    y=area.y
                                    width=area.width
                                    height=area.height
                                />
                            }
                        })
                        .collect_view()
                })
            }}
            <rect
                class="map-seen"
                x=move || seen().x
                y=move || seen().y
                width=move || seen().width
                height=move || seen().height
            />
        </svg>
    }
}
