//! The minimap: all cards as small boxes, and a frame around the visible part. A click goes there.

use super::handle::{CanvasHandle, TOOLS, px};
use super::scene;
use crate::ui::reactive::erased::{RwSignal, effect, memo};
use crate::ui::state::page_state::{PageState, use_page};
use crate::ui::state::store::{Store, use_store};
use keyfold_app::viewport::{Area, Viewport};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::HtmlCanvasElement;

const WIDTH: f64 = 160.0;
const HEIGHT: f64 = 100.0;
/// Distance from the edges of the canvas, in CSS pixels.
const MARGIN: f64 = 10.0;
/// How much of the frame always stays on the map, in CSS pixels.
const EDGE: f64 = 2.0;

/// Where the minimap can be: at the bottom above the zoom bar, on the right, or at the top.
const CORNERS: [&str; 4] = ["left", "right", "top right", "top"];
/// Its sizes. It has the first of them that is free in a corner.
const SIZES: [f64; 2] = [1.0, 0.6];

/// Where the minimap is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MapPlace {
    /// In a corner, at one of its sizes.
    Corner(&'static str, f64),
    /// It is switched off.
    Off,
    /// Nowhere: all cards are in view.
    Needless,
    /// Nowhere: it would cover cards.
    NoRoom,
}

/// The part of the canvas on the map, scaled in proportion and centered.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Frame {
    world: Area,
    scale: f64,
    left: f64,
    top: f64,
}

impl Frame {
    fn around(world: Area) -> Frame {
        let scale = (WIDTH / world.width).min(HEIGHT / world.height);
        Frame {
            world,
            scale,
            left: (WIDTH - world.width * scale) / 2.0,
            top: (HEIGHT - world.height * scale) / 2.0,
        }
    }

    /// Maps an area of the canvas to the minimap.
    fn on_map(self, area: Area) -> Area {
        Area {
            x: self.left + (area.x - self.world.x) * self.scale,
            y: self.top + (area.y - self.world.y) * self.scale,
            width: area.width * self.scale,
            height: area.height * self.scale,
        }
    }
}

/// Switches the minimap on or off. If it is on and nowhere to be seen, a message says why.
pub fn toggle(store: Store, page: PageState, handle: CanvasHandle) {
    let shown = !page.minimap.get_untracked();
    page.minimap.set(shown);
    (store.spoken).set(format!("Minimap {}", if shown { "on" } else { "off" }));
    // Its place follows in an effect.
    store.view.next_frame(move || {
        let why = match handle.map.get_untracked() {
            MapPlace::Needless => "It is shown while cards are out of view.",
            MapPlace::NoRoom => "There is no room for it beside the cards here: pan or zoom.",
            MapPlace::Corner(..) | MapPlace::Off => return,
        };
        store.notices.say(format!("The minimap is on. {why}"));
    });
}

/// The minimap. It follows the stored design: a dragged card moves on it when it is dropped.
#[component]
pub fn Minimap(
    /// The canvas.
    handle: CanvasHandle,
) -> impl IntoView {
    let store = use_store();
    let page = use_page();
    let all = memo(move |_| {
        (handle.scene).with(|card_boxes| card_boxes.iter().map(|p| p.area).reduce(Area::union))
    });
    let frame = memo(move |_| {
        Frame::around(all.get().map_or(
            Area {
                x: 0.0,
                y: 0.0,
                width: 1.0,
                height: 1.0,
            },
            |area| area.grown(80.0),
        ))
    });
    // An image, because a canvas element would be a layer that costs every frame.
    let image = RwSignal::new(String::new());
    effect(move || {
        let (frame, colors) = (frame.get(), handle.colors.get());
        // The cards of a large design are painted first.
        if colors.is_unknown() || store.unpainted.get() {
            return;
        }
        let Ok(element) = document().create_element("canvas") else {
            return;
        };
        let element: HtmlCanvasElement = element.unchecked_into();
        let Some(pen) = scene::pen(&element, WIDTH, HEIGHT) else {
            return;
        };
        handle.scene.with(|card_boxes| {
            for card_box in card_boxes.iter() {
                pen.set_fill_style_str(colors.of(card_box.hue).0);
                let area = frame.on_map(card_box.area);
                pen.fill_rect(area.x, area.y, area.width.max(1.5), area.height.max(1.5));
            }
        });
        image.set(element.to_data_url().unwrap_or_default());
    });
    // The visible part. Its place is rounded to half pixels, so that a small pan changes nothing.
    let seen = memo(move |_| {
        let (width, height) = handle.size.get();
        (frame.get()).on_map(store.viewport.get().visible(width, height))
    });
    let extent = memo(move |_| seen.with(|area| (px(Some(area.width)), px(Some(area.height)))));
    let place = memo(move |_| {
        let half = |at: f64| (at * 2.0).round() / 2.0;
        seen.with(|area| {
            let x = half(area.x).clamp(EDGE - area.width, WIDTH - EDGE);
            let y = half(area.y).clamp(EDGE - area.height, HEIGHT - EDGE);
            format!("translate({x}px, {y}px)")
        })
    });
    // Hidden while all cards are visible.
    let whole = memo(move |_| {
        let (width, height) = handle.size.get();
        let seen = store.viewport.get().visible(width, height);
        all.get().is_none_or(|all| seen.contains(all))
    });
    // It moves to a corner where it covers no card.
    let corner = memo(move |before: Option<&MapPlace>| {
        if !page.minimap.get() {
            return MapPlace::Off;
        }
        if whole.get() {
            return MapPlace::Needless;
        }
        let (width, height) = handle.size.get();
        let viewport = store.viewport.get();
        let is_free = |(class, size): &(&str, f64)| {
            let (own_width, own_height) = (WIDTH * size, HEIGHT * size);
            let left = if class.contains("right") {
                width - MARGIN - own_width
            } else {
                MARGIN
            };
            let top = match *class {
                "left" => height - TOOLS - MARGIN - own_height,
                "right" => height - MARGIN - own_height,
                _ => MARGIN,
            };
            let (x, y) = viewport.to_canvas(left, top);
            let area = Area {
                x,
                y,
                width: own_width / viewport.zoom,
                height: own_height / viewport.zoom,
            };
            !(handle.scene).with(|cards| cards.iter().any(|card| card.area.intersects(area)))
        };
        let of_size = |size: f64| {
            let stays = match before {
                Some(MapPlace::Corner(corner, _)) => Some((*corner, size)).filter(is_free),
                _ => None,
            };
            stays.or_else(|| {
                CORNERS
                    .map(|corner| (corner, size))
                    .into_iter()
                    .find(is_free)
            })
        };
        match SIZES.into_iter().find_map(of_size) {
            Some((corner, size)) => MapPlace::Corner(corner, size),
            None => MapPlace::NoRoom,
        }
    });
    effect(move || handle.map.set(corner.get()));
    let class = move || match corner.get() {
        MapPlace::Corner(corner, 1.0) => ["minimap ", corner].concat(),
        MapPlace::Corner(corner, _) => ["minimap small ", corner].concat(),
        _ => "minimap".to_owned(),
    };
    let go = move |x: f64, y: f64| {
        let frame = frame.get_untracked();
        let canvas_x = frame.world.x + (x - frame.left) / frame.scale;
        let canvas_y = frame.world.y + (y - frame.top) / frame.scale;
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
        <div
            class=class
            hidden=move || !matches!(corner.get(), MapPlace::Corner(..))
            aria-hidden="true"
            on:pointerdown=move |event| {
                go(f64::from(event.offset_x()), f64::from(event.offset_y()));
            }
            on:pointermove=move |event| {
                if event.buttons() & 1 == 1 {
                    event.stop_propagation();
                    go(f64::from(event.offset_x()), f64::from(event.offset_y()));
                }
            }
        >
            <img src=move || image.get() alt="" draggable="false" />
            <div
                class="map-seen"
                style:width=move || extent.get().0
                style:height=move || extent.get().1
                style:transform=move || place.get()
            ></div>
        </div>
    }
}
