//! The view from afar: with hundreds of cards in sight, they are boxes on one drawing area instead of elements.
//! It lies under the world, whose few remaining cards (the selected ones, the indexes) cover their boxes.

use super::CanvasHandle;
use super::culling::Culling;
use super::scene::{self, Plate};
use crate::domain::model::by_rank;
use crate::ui::store::{Store, use_store};
use leptos::html;
use leptos::prelude::*;
use web_sys::CanvasRenderingContext2d;

/// From this zoom on names can be read.
const LEGIBLE: f64 = 0.22;

/// The boxes.
#[component]
pub fn Overview(
    /// The canvas.
    handle: CanvasHandle,
    /// Whether cards are boxes.
    culling: Culling,
) -> impl IntoView {
    let store = use_store();
    let area: NodeRef<html::Canvas> = NodeRef::new();
    Effect::new(move |_| {
        let Some(element) = area.get() else { return };
        let (width, height) = handle.size.get();
        if !culling.boxes.get() {
            return;
        }
        if let Some(pen) = scene::pen(&element, width, height) {
            draw(store, handle, &pen, width, height);
        }
    });
    view! {
        <canvas
            class="overview"
            aria-hidden="true"
            hidden=move || !culling.boxes.get()
            node_ref=area
        ></canvas>
    }
}

fn draw(
    store: Store,
    handle: CanvasHandle,
    pen: &CanvasRenderingContext2d,
    width: f64,
    height: f64,
) {
    let viewport = store.viewport.get();
    let seen = viewport.visible(width, height);
    let zoom = viewport.zoom;
    let colours = handle.colours.get();
    let selection = store.selection.get();
    let round = |x: f64, y: f64| {
        let (x, y) = (x * zoom + viewport.x, y * zoom + viewport.y);
        (x.round(), y.round())
    };
    handle.scene.with(|plates| {
        let plates: Vec<&Plate> = (plates.iter())
            .filter(|p| p.area.intersects(seen))
            .collect();
        // By colour: setting one costs more than a box.
        let plates = by_rank(plates, |plate| {
            [plate.hue.map_or(0, |hue| 1 + u32::from(hue)), 0, 0, 0]
        });
        let mut hue = None;
        for plate in plates {
            if hue != Some(plate.hue) {
                hue = Some(plate.hue);
                pen.set_fill_style_str(colours.of(plate.hue).0);
            }
            let mut area = plate.area;
            if selection.contains(&plate.card)
                && let Some(place) = store.place(plate.card)
            {
                (area.x, area.y) = place.get();
            }
            let (x, y) = round(area.x, area.y);
            let (w, h) = ((area.width * zoom).round(), (area.height * zoom).round());
            pen.fill_rect(x, y, w.max(1.0), h.max(1.0));
            if selection.contains(&plate.card) {
                pen.set_stroke_style_str(&colours.accent);
                pen.set_line_width(2.0);
                pen.stroke_rect(x - 1.0, y - 1.0, w + 2.0, h + 2.0);
            }
            if zoom >= LEGIBLE {
                label(pen, plate, (x, y), w, zoom);
            }
        }
    });
}

fn label(pen: &CanvasRenderingContext2d, plate: &Plate, (x, y): (f64, f64), width: f64, zoom: f64) {
    pen.save();
    pen.set_fill_style_str("#fff");
    pen.set_font(&format!("600 {}px system-ui, sans-serif", 28.0 * zoom));
    let _ = pen.fill_text_with_max_width(&plate.name, x + 3.0, y + 32.0 * zoom, width - 6.0);
    pen.restore();
}
