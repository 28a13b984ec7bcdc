//! The field in the edited cell. It is above the rows and not inside one, so that redrawing rows does not affect it.

use super::cell::role_class;
use super::grid::{Editing, Grid};
use super::line_height::line_height;
use crate::ui::reactive::erased::{Memo, effect, memo};
use crate::ui::widgets::classes;
use leptos::prelude::*;

/// Maximum width of the message under the field, in CSS pixels; the style sheet has the same value.
const MESSAGE: f64 = 320.0;

/// The field of the edited cell, if there is one.
#[component]
pub fn Editor(
    /// The table.
    grid: Grid,
) -> impl IntoView {
    // Stored or canceled input is no longer a draft.
    effect(move || {
        let is_open = grid.editing.with(Option::is_some);
        if !is_open && grid.store.draft.with_untracked(Option::is_some) {
            grid.store.draft.set(None);
        }
    });
    // The field takes the focus as soon as it is mounted.
    effect(move || {
        let Some(input) = grid.input.get() else {
            return;
        };
        let Some(editing) = grid.editing.get_untracked() else {
            return;
        };
        input.set_value(editing.start());
        let _ = input.focus();
        let end = input.value().encode_utf16().count() as u32;
        let _ = input.set_selection_range(end, end);
    });
    // The field closes when its row or column is deleted or hidden. Rows can be those of before a merge until they are computed.
    let place = place(grid);
    effect(move || {
        if place.get().is_none() && !grid.store.working.get() {
            grid.give_up();
        }
    });
    move || {
        let editing = grid.editing.get().filter(|editing| !editing.large);
        editing.map(|editing| field(grid, editing, place))
    }
}

/// Line and column of the edited cell, while it is visible: the cell that stores the text, whichever cell is active.
fn place(grid: Grid) -> Memo<Option<(usize, usize)>> {
    memo(move |before: Option<&Option<(usize, usize)>>| {
        let near = before.copied().flatten().map_or(0, |(line, _)| line);
        grid.columns.track();
        grid.sheet.track();
        grid.editing.with(|editing| {
            let spot = &editing.as_ref()?.spot;
            let line = (grid.sheet).with_untracked(|sheet| sheet.find(spot.sample, near))?;
            Some((line, grid.column_of(spot)?.checked_sub(1)?))
        })
    })
}

fn field(grid: Grid, editing: Editing, place: Memo<Option<(usize, usize)>>) -> impl IntoView {
    let line = move || place.get().map_or(0, |(line, _)| line) as f64;
    let column = move || place.get().map_or(0, |(_, column)| column);
    let place = move || format!("translateY({}px)", line() * line_height());
    let left = move || {
        let column = column();
        let before: f64 = grid.widths.with(|widths| widths.iter().take(column).sum());
        format!("{}px", grid.row_head() + before)
    };
    let class = move || {
        let column = column();
        let role = grid.columns.with(|heads| {
            (heads.get(column)).map_or_else(String::new, |head| role_class(head, column))
        });
        let invalid = grid.error.with(Option::is_some);
        classes(&format!("grid-cell editor {role}"), &[("invalid", invalid)])
    };
    // Near the lower edge the message fits only above.
    let up = move || {
        let below = grid.scroll.get() + grid.height.get() - (line() + 1.0) * line_height();
        line() > 1.0 && below < 1.6 * line_height()
    };
    // Near the right edge it fits only to the left.
    let back = move || {
        let boxes = || {
            let scroller = grid.scroller.get_untracked()?.get_bounding_client_rect();
            Some((
                scroller,
                grid.input.get_untracked()?.get_bounding_client_rect(),
            ))
        };
        grid.error.with(Option::is_some)
            && boxes().is_some_and(|(scroller, input)| {
                input.left() + MESSAGE > scroller.right()
                    && input.right() - MESSAGE > scroller.left()
            })
    };
    let label = editing.spot.column.clone().unwrap_or_default();
    let kind = editing.kind.label();
    view! {
        <div class="grid-row editor-row" role="row" style:transform=place>
            <div
                role="gridcell"
                class=class
                style:margin-left=left
                style:width=move || format!("var(--w{})", column())
            >
                <input
                    node_ref=grid.input
                    type="text"
                    data-draft=""
                    spellcheck="false"
                    autocomplete="off"
                    autocapitalize="off"
                    aria-label=format!("{label}, {kind}")
                    aria-invalid=move || grid.error.with(Option::is_some).to_string()
                    aria-describedby="cell-error"
                    on:input=move |_| grid.typing()
                />
                <div class="cell-error" class:up=up class:back=back id="cell-error" role="alert">
                    {move || grid.error.get()}
                </div>
            </div>
        </div>
    }
}
