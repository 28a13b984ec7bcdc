//! The widths of columns, and the edge that is dragged to set one.

use super::columns;
use super::grid::Grid;
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::Element;

/// Minimum and maximum width of a column, in CSS pixels.
const MIN_WIDTH: f64 = 48.0;
const MAX_WIDTH: f64 = 900.0;

impl Grid {
    /// Sets the width of a column, in CSS pixels, within the limits.
    pub fn set_width(self, name: &str, width: f64) {
        self.resized.update(|all| {
            all.insert(name.to_owned(), width.clamp(MIN_WIDTH, MAX_WIDTH));
        });
    }

    /// Returns the width of a column, in CSS pixels.
    pub fn width_of(self, name: &str) -> f64 {
        let at = self.names().iter().position(|other| other == name);
        at.and_then(|at| self.widths.with_untracked(|widths| widths.get(at).copied()))
            .unwrap_or(MIN_WIDTH)
    }

    /// Fits a column's width to its content.
    pub fn fit_column(self, name: &str) {
        let width = self
            .sheet
            .with_untracked(|sheet| columns::fitting(sheet.view(), name));
        self.set_width(name, width);
    }
}

/// The edge between two columns: drag to resize, double-click to fit the content.
#[component]
pub fn Edge(grid: Grid, at: usize, name: String) -> impl IntoView {
    let start = StoredValue::new(None::<(f64, f64)>);
    let name = StoredValue::new(name);
    let x = |event: &ev::PointerEvent| f64::from(event.client_x());
    view! {
        <span
            class="edge"
            aria-hidden="true"
            on:pointerdown=move |event| {
                event.prevent_default();
                let width = grid.widths.with_untracked(|widths| widths.get(at).copied());
                start.set_value(width.map(|width| (x(&event), width)));
                let target = event.current_target().and_then(|t| t.dyn_into::<Element>().ok());
                if let Some(target) = target {
                    let _ = target.set_pointer_capture(event.pointer_id());
                }
            }
            on:pointermove=move |event| {
                if let Some((from, width)) = start.get_value() {
                    grid.set_width(&name.get_value(), width + x(&event) - from);
                }
            }
            on:pointerup=move |_| start.set_value(None)
            on:pointercancel=move |_| start.set_value(None)
            on:dblclick=move |_| grid.fit_column(&name.get_value())
        ></span>
    }
}
