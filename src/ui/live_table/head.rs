//! The line of column heads: the attribute's name and its role, and an edge to drag.

use super::columns::Head;
use super::row::role_class;
use super::state::Grid;
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::Element;

/// Least and greatest width of a column, in CSS pixels.
const LEAST: f64 = 48.0;
const MOST: f64 = 900.0;

/// The heads of all columns.
#[component]
pub fn Heads(
    /// The table.
    grid: Grid,
) -> impl IntoView {
    let heads = move || {
        grid.columns.with(|heads| {
            (heads.iter().enumerate())
                .map(|(at, head)| head_view(grid, at, head))
                .collect_view()
        })
    };
    view! {
        <div class="grid-head" role="row" aria-rowindex="1">
            <div class="grid-cell row-head" role="columnheader" aria-colindex="1">
                <span class="visually-hidden">"Entity"</span>
            </div>
            {heads}
        </div>
    }
}

fn head_view(grid: Grid, at: usize, head: &Head) -> impl IntoView + use<> {
    let name = head.name.clone();
    let number = if head.number { " number" } else { "" };
    view! {
        <div
            class=format!("grid-cell {}{number}", role_class(head, at))
            role="columnheader"
            aria-colindex=(at + 2).to_string()
            title=format!("{} {}", head.name, head.label)
            style:width=format!("var(--w{at})")
        >
            <span class="text">{head.name.clone()}</span>
            <span class="role">{head.label.clone()}</span>
            <Edge grid=grid at=at name=name />
        </div>
    }
}

/// The edge between two columns: drag it to set the width, double click it for the width of the content.
#[component]
fn Edge(grid: Grid, at: usize, name: String) -> impl IntoView {
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
                    let width = (width + x(&event) - from).clamp(LEAST, MOST);
                    grid.resized.update(|all| {
                        all.insert(name.get_value(), width);
                    });
                }
            }
            on:pointerup=move |_| start.set_value(None)
            on:pointercancel=move |_| start.set_value(None)
            on:dblclick=move |_| {
                grid.resized.update(|all| {
                    all.remove(&name.get_value());
                });
            }
        ></span>
    }
}
