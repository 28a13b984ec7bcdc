//! A separator between two regions, moved by dragging or with the arrow keys.

use crate::ui::reactive::erased::RwSignal;
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::ops::RangeInclusive;
use web_sys::Element;

/// The direction in which a splitter divides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Regions side by side; the size is the width of the region on the left.
    LeftColumn,
    /// Regions side by side; the size is the width of the region on the right.
    RightColumn,
    /// Regions stacked vertically; the size is the height of the region below.
    Rows,
}

/// Distance that an arrow key moves it, in CSS pixels.
const STEP: f64 = 16.0;

/// The splitter at the edge of a region whose size it sets.
#[component]
pub fn Splitter(
    /// The direction in which it divides.
    axis: Axis,
    /// Its accessible name.
    label: &'static str,
    /// The size, in CSS pixels.
    size: RwSignal<f64>,
    /// The smallest and the largest size, in CSS pixels.
    limits: RangeInclusive<f64>,
) -> impl IntoView {
    // The pointer and the size when the drag began.
    let start = StoredValue::new(None::<(f64, f64)>);
    let are_columns = axis != Axis::Rows;
    let at = move |event: &ev::PointerEvent| match are_columns {
        true => f64::from(event.client_x()),
        false => f64::from(event.client_y()),
    };
    // The region grows against the direction of the pointer, unless it is on the left.
    let grows = if axis == Axis::LeftColumn { 1.0 } else { -1.0 };
    let (least, most) = limits.into_inner();
    let set = move |wanted: f64| size.set(wanted.clamp(least, most));
    view! {
        <div
            class="splitter"
            class:columns=are_columns
            class:left=axis == Axis::LeftColumn
            role="separator"
            tabindex="0"
            aria-label=label
            aria-orientation=if are_columns { "vertical" } else { "horizontal" }
            aria-valuemin=least
            aria-valuemax=most
            aria-valuenow=move || size.get()
            on:pointerdown=move |event| {
                start.set_value(Some((at(&event), size.get_untracked())));
                let target = event.current_target().and_then(|t| t.dyn_into::<Element>().ok());
                if let Some(target) = target {
                    let _ = target.set_pointer_capture(event.pointer_id());
                }
            }
            on:pointermove=move |event| {
                if let Some((from, before)) = start.get_value() {
                    set(before + grows * (at(&event) - from));
                }
            }
            on:pointerup=move |_| start.set_value(None)
            on:pointercancel=move |_| start.set_value(None)
            on:keydown=move |event| {
                let by = match (are_columns, event.key().as_str()) {
                    (true, "ArrowLeft") | (false, "ArrowUp") => -STEP,
                    (true, "ArrowRight") | (false, "ArrowDown") => STEP,
                    _ => return,
                };
                event.prevent_default();
                set(size.get_untracked() + grows * by);
            }
        ></div>
    }
}
