//! The overview: hundreds of visible cards are boxes on one canvas element instead of elements of their own. It is
//! under the world layer, whose few remaining cards (selected ones and indexes) cover their boxes.

use super::culling::Culling;
use super::handle::CanvasHandle;
use super::scene;
use super::scene::CardBox;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{effect, memo};
use crate::ui::state::store::{Store, use_store};
use keyfold_app::viewport::Area;
use keyfold_core::model::by_rank;
use leptos::html;
use leptos::prelude::*;
use std::sync::Arc;
use web_sys::CanvasRenderingContext2d;

/// Minimum zoom at which names are drawn.
const LEGIBLE: f64 = 0.22;

/// The boxes.
#[component]
pub fn Overview(
    /// The canvas.
    handle: CanvasHandle,
    /// Decides whether cards are boxes.
    culling: Culling,
) -> impl IntoView {
    let store = use_store();
    let area: NodeRef<html::Canvas> = NodeRef::new();
    // Sorted by color, because setting a color costs more than drawing a box.
    let card_boxes = memo(move |_| {
        let hue = |card_box: &CardBox| card_box.hue.map_or(0, |hue| 1 + u32::from(hue));
        let card_boxes = handle.scene.with(|card_boxes| Vec::clone(card_boxes));
        ByPtr(Arc::new(by_rank(card_boxes, |card_box| {
            [hue(card_box), 0, 0, 0]
        })))
    });
    effect(move || {
        let Some(element) = area.get() else { return };
        let (width, height) = handle.size.get();
        if !culling.boxes.get() {
            return;
        }
        if let Some(pen) = scene::pen(&element, width, height) {
            card_boxes.with(|card_boxes| draw(store, handle, card_boxes, &pen, (width, height)));
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
    card_boxes: &[CardBox],
    pen: &CanvasRenderingContext2d,
    (width, height): (f64, f64),
) {
    let viewport = store.viewport.get();
    let seen = viewport.visible(width, height);
    let zoom = viewport.zoom;
    let colors = handle.colors.get();
    let selection = store.selection.get();
    // Position of a box, in CSS pixels: a selected card may be moving.
    let place = |card_box: &CardBox| {
        let dragged = !selection.is_empty() && selection.contains(&card_box.card);
        let place = dragged.then(|| store.place(card_box.card)).flatten();
        let (x, y) = place.map_or((card_box.area.x, card_box.area.y), |place| place.get());
        let (x, y) = (x * zoom + viewport.x, y * zoom + viewport.y);
        (x.round(), y.round())
    };
    let card_boxes = || {
        card_boxes
            .iter()
            .filter(|card_box| card_box.area.intersects(seen))
    };
    let mut hue = None;
    for card_box in card_boxes() {
        if hue != Some(card_box.hue) {
            hue = Some(card_box.hue);
            pen.set_fill_style_str(colors.of(card_box.hue).0);
        }
        let (x, y) = place(card_box);
        let Area { width, height, .. } = card_box.area;
        let (w, h) = ((width * zoom).round(), (height * zoom).round());
        pen.fill_rect(x, y, w.max(1.0), h.max(1.0));
        if selection.contains(&card_box.card) {
            pen.set_stroke_style_str(&colors.accent);
            pen.set_line_width(2.0);
            pen.stroke_rect(x - 1.0, y - 1.0, w + 2.0, h + 2.0);
        }
    }
    if zoom >= LEGIBLE {
        pen.set_fill_style_str("#fff");
        pen.set_font(&format!("600 {}px system-ui, sans-serif", 28.0 * zoom));
        for card_box in card_boxes() {
            let (x, y) = place(card_box);
            let (y, room) = (y + 32.0 * zoom, card_box.area.width * zoom - 9.0);
            let _ = pen.fill_text_with_max_width(&card_box.name, x + 3.0, y, room);
        }
    }
}
