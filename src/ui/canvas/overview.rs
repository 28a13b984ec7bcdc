//! The view from afar: with hundreds of cards in sight, they are boxes on one drawing area instead of elements.
//! It lies under the world, whose few remaining cards (the selected ones, the indexes) cover their boxes.

use super::culling::Culling;
use super::handle::CanvasHandle;
use super::scene;
use super::scene::Plate;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{effect, memo};
use crate::ui::state::store::{Store, use_store};
use keyfold_app::session::Area;
use keyfold_core::model::by_rank;
use leptos::html;
use leptos::prelude::*;
use std::sync::Arc;
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
    // By colour: setting one costs more than a box.
    let plates = memo(move |_| {
        let hue = |plate: &Plate| plate.hue.map_or(0, |hue| 1 + u32::from(hue));
        let plates = handle.scene.with(|plates| Vec::clone(plates));
        ByPtr(Arc::new(by_rank(plates, |plate| [hue(plate), 0, 0, 0])))
    });
    effect(move || {
        let Some(element) = area.get() else { return };
        let (width, height) = handle.size.get();
        if !culling.boxes.get() {
            return;
        }
        if let Some(pen) = scene::pen(&element, width, height) {
            plates.with(|plates| draw(store, handle, plates, &pen, (width, height)));
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
    plates: &[Plate],
    pen: &CanvasRenderingContext2d,
    (width, height): (f64, f64),
) {
    let viewport = store.viewport.get();
    let seen = viewport.visible(width, height);
    let zoom = viewport.zoom;
    let colours = handle.colours.get();
    let selection = store.selection.get();
    // Where a box is drawn, in CSS pixels: a selected card may be on its way.
    let place = |plate: &Plate| {
        let dragged = !selection.is_empty() && selection.contains(&plate.card);
        let place = dragged.then(|| store.place(plate.card)).flatten();
        let (x, y) = place.map_or((plate.area.x, plate.area.y), |place| place.get());
        let (x, y) = (x * zoom + viewport.x, y * zoom + viewport.y);
        (x.round(), y.round())
    };
    let plates = || plates.iter().filter(|plate| plate.area.intersects(seen));
    let mut hue = None;
    for plate in plates() {
        if hue != Some(plate.hue) {
            hue = Some(plate.hue);
            pen.set_fill_style_str(colours.of(plate.hue).0);
        }
        let (x, y) = place(plate);
        let Area { width, height, .. } = plate.area;
        let (w, h) = ((width * zoom).round(), (height * zoom).round());
        pen.fill_rect(x, y, w.max(1.0), h.max(1.0));
        if selection.contains(&plate.card) {
            pen.set_stroke_style_str(&colours.accent);
            pen.set_line_width(2.0);
            pen.stroke_rect(x - 1.0, y - 1.0, w + 2.0, h + 2.0);
        }
    }
    if zoom >= LEGIBLE {
        pen.set_fill_style_str("#fff");
        pen.set_font(&format!("600 {}px system-ui, sans-serif", 28.0 * zoom));
        for plate in plates() {
            let (x, y) = place(plate);
            let (y, room) = (y + 32.0 * zoom, plate.area.width * zoom - 9.0);
            let _ = pen.fill_text_with_max_width(&plate.name, x + 3.0, y, room);
        }
    }
}
