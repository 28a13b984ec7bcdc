//! The actions of the live table, for the table of actions.

use super::app_context::{Action, AppContext};
use crate::ui::live_table::cell_commands::Form;
use crate::ui::live_table::grid::Grid;
use crate::ui::state::actions::{Subject, group};
use leptos::prelude::*;

/// The menu of cells and rows.
const CELLS: &[Subject] = &[Subject::Cells];
/// The menu of a column header.
const COLUMN: &[Subject] = &[Subject::Column];

/// The actions. Their keys work while a cell has the keyboard focus.
pub const TABLE_ACTIONS: &[Action] = &[
    cells("Edit cell", "", |r| on(r, |g| g.edit(false))),
    cells("Cut cells", "", |r| on(r, Grid::cut)),
    cells("Copy cells", "", |r| on(r, |g| g.copy(Form::Text))),
    cells("Copy as CSV", "", |r| on(r, |g| g.copy(Form::Csv))),
    cells("Copy items as DynamoDB JSON", "", |r| {
        on(r, |g| g.copy(Form::Json));
    }),
    table("Paste into table", "", |r| on(r, Grid::paste)).context(CELLS),
    cells("Clear cells", "Delete, Backspace", |r| on(r, Grid::clear)),
    cells("Fill down", "Ctrl+D", |r| on(r, |g| g.fill_down(false))),
    cells("Fill down as series", "Ctrl+Shift+D", |r| {
        on(r, |g| g.fill_down(true));
    }),
    cells("Duplicate rows", "", |r| on(r, Grid::duplicate_rows)),
    cells("Delete rows", "Ctrl+Backspace, Ctrl+Delete", |r| {
        on(r, Grid::delete_rows);
    }),
    table("Select all rows", "Ctrl+A", |r| on(r, Grid::select_all)),
    table("Find in the table", "Ctrl+F", |r| on(r, Grid::open_find)).context(CELLS),
    column("Select column", |r| {
        on_column(r, |g, name| g.select_column(name));
    }),
    column("Sort column ascending", |r| {
        on_column(r, |g, name| g.sort_by(name, false));
    }),
    column("Sort column descending", |r| {
        on_column(r, |g, name| g.sort_by(name, true));
    }),
    table("Restore DynamoDB order", "", |r| {
        on(r, Grid::unsort);
    })
    .context(COLUMN)
    .when(|r| grid(r).is_some_and(|g| g.sort.with_untracked(Option::is_some))),
    column("Move column left", |r| {
        on_column(r, |g, name| g.move_column(name, -1));
    }),
    column("Move column right", |r| {
        on_column(r, |g, name| g.move_column(name, 1));
    }),
    column("Fit column to content", |r| {
        on_column(r, |g, name| g.fit_column(name));
    }),
    column("Hide column", |r| {
        on_column(r, |g, name| g.hide_column(name));
    }),
    table("Show all columns", "", |r| on(r, Grid::show_all_columns))
        .context(COLUMN)
        .when(|r| grid(r).is_some_and(Grid::is_rearranged)),
];

/// The table in the page.
fn grid(app: AppContext) -> Option<Grid> {
    app.tables.shown.get_value()
}

fn on(app: AppContext, act: fn(Grid)) {
    if let Some(grid) = grid(app) {
        act(grid);
    }
}

fn on_column(app: AppContext, act: fn(Grid, &str)) {
    if let Some(grid) = grid(app)
        && let Some(name) = grid.column()
    {
        act(grid, &name);
    }
}

/// An action of the table that needs no selection.
const fn table(name: &'static str, keys: &'static str, run: fn(AppContext)) -> Action {
    Action::new(group::TABLE, name, keys, run)
        .in_table()
        .when(|r| grid(r).is_some())
}

/// An action on the selected cells or rows.
const fn cells(name: &'static str, keys: &'static str, run: fn(AppContext)) -> Action {
    table(name, keys, run).context(CELLS).when(|r| {
        grid(r).is_some_and(|g| g.active_line.get_untracked().is_some() || g.is_selecting())
    })
}

/// An action on the column of the active cell, or of the focused header.
const fn column(name: &'static str, run: fn(AppContext)) -> Action {
    table(name, "", run)
        .context(COLUMN)
        .when(|r| grid(r).is_some_and(|g| g.column().is_some()))
}
