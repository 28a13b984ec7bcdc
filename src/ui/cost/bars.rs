//! Bars beside numbers, amounts, and tables that scroll. A bar repeats the number beside it, so screen readers skip it.

use keyfold_cost::bill::dollars;
use leptos::prelude::*;

/// A bar of this share, from 0 to 1. One above 1 is full and striped: the number beside it tells how much.
pub fn bar(share: f64) -> AnyView {
    let is_over = share > 1.0;
    let width = (share.clamp(0.0, 1.0) * 100.0).to_string();
    view! {
        <svg
            class="cost-meter"
            class:over=is_over
            viewBox="0 0 100 8"
            preserveAspectRatio="none"
            aria-hidden="true"
        >
            <rect class="ground" width="100" height="8" />
            <rect class="value" width=width height="8" />
        </svg>
    }
    .into_any()
}

/// A table that scrolls sideways where it has no room, also by keyboard.
fn scroll(label: &'static str, table: AnyView) -> AnyView {
    view! {
        <div class="cost-scroll" role="group" aria-label=label tabindex="0">
            {table}
        </div>
    }
    .into_any()
}

/// A table that scrolls, with these heads: the title, and whether the column is of numbers.
pub fn table(label: &'static str, heads: &[(&'static str, bool)], rows: AnyView) -> AnyView {
    let head = |(title, is_number): &(&'static str, bool)| {
        view! {
            <th scope="col" class:number=*is_number>
                {*title}
            </th>
        }
    };
    let heads = heads.iter().map(head).collect_view();
    let table = view! {
        <table>
            <thead>
                <tr>{heads}</tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    };
    scroll(label, table.into_any())
}

/// US dollars, if they are known.
pub fn amount(amount: Option<f64>) -> String {
    amount.map_or("unknown".to_owned(), dollars)
}
