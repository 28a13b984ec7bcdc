//! The actions of the live table, for the table of actions.

use super::app_context::{Action, AppContext};
use crate::ui::live_table::handle::{ColumnCommand, CopyFormat, TableCommand};
use crate::ui::state::action_registry::{Subject, group};
use leptos::prelude::*;

/// The menu of cells and rows.
const CELLS: &[Subject] = &[Subject::Cells];
/// The menu of a column header.
const COLUMN: &[Subject] = &[Subject::Column];
/// No menu.
const NONE: &[Subject] = &[];

/// An action that runs a command of the table in the page. Its keys work while a cell has the keyboard focus.
macro_rules! table_action {
    ($menu:ident, $name:literal, $keys:literal, $command:expr) => {
        Action::new(group::TABLE, $name, $keys, |r| run(r, $command))
            .in_table()
            .context($menu)
            .when(|r| is_enabled(r, $command))
    };
}

/// The actions.
pub const TABLE_ACTIONS: &[Action] = &[
    table_action!(CELLS, "Edit cell", "", TableCommand::Edit),
    table_action!(CELLS, "Cut cells", "", TableCommand::Cut),
    table_action!(
        CELLS,
        "Copy cells",
        "",
        TableCommand::Copy(CopyFormat::Text)
    ),
    table_action!(
        CELLS,
        "Copy as CSV",
        "",
        TableCommand::Copy(CopyFormat::Csv)
    ),
    table_action!(
        CELLS,
        "Copy items as DynamoDB JSON",
        "",
        TableCommand::Copy(CopyFormat::Json)
    ),
    table_action!(CELLS, "Paste into table", "", TableCommand::Paste),
    table_action!(
        CELLS,
        "Clear cells",
        "Delete, Backspace",
        TableCommand::Clear
    ),
    table_action!(
        CELLS,
        "Fill down",
        "Ctrl+D",
        TableCommand::FillDown { series: false }
    ),
    table_action!(
        CELLS,
        "Fill down as series",
        "Ctrl+Shift+D",
        TableCommand::FillDown { series: true }
    ),
    table_action!(CELLS, "Duplicate rows", "", TableCommand::DuplicateRows),
    table_action!(
        CELLS,
        "Delete rows",
        "Ctrl+Backspace, Ctrl+Delete",
        TableCommand::DeleteRows
    ),
    table_action!(NONE, "Select all rows", "Ctrl+A", TableCommand::SelectAll),
    table_action!(CELLS, "Find in table", "Ctrl+F", TableCommand::Find),
    table_action!(
        COLUMN,
        "Select column",
        "",
        TableCommand::Column(ColumnCommand::Select)
    ),
    table_action!(
        COLUMN,
        "Sort column ascending",
        "",
        TableCommand::Column(ColumnCommand::Sort { descending: false })
    ),
    table_action!(
        COLUMN,
        "Sort column descending",
        "",
        TableCommand::Column(ColumnCommand::Sort { descending: true })
    ),
    table_action!(COLUMN, "Restore DynamoDB order", "", TableCommand::Unsort),
    table_action!(
        COLUMN,
        "Move column left",
        "",
        TableCommand::Column(ColumnCommand::Move(-1))
    ),
    table_action!(
        COLUMN,
        "Move column right",
        "",
        TableCommand::Column(ColumnCommand::Move(1))
    ),
    table_action!(
        COLUMN,
        "Fit column to content",
        "",
        TableCommand::Column(ColumnCommand::Fit)
    ),
    table_action!(
        COLUMN,
        "Hide column",
        "",
        TableCommand::Column(ColumnCommand::Hide)
    ),
    table_action!(COLUMN, "Show all columns", "", TableCommand::ShowAllColumns),
];

fn run(app: AppContext, command: TableCommand) {
    if let Some(table) = app.tables.shown.get_value() {
        table.run(command);
    }
}

fn is_enabled(app: AppContext, command: TableCommand) -> bool {
    (app.tables.shown.get_value()).is_some_and(|table| table.is_enabled(command))
}
