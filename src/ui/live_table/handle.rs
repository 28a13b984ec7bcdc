//! What the rest of the page asks of the table in the page. The table's code is loaded on demand: only this interface is
//! in the first file.

use super::selected_cells::{CellId, TableSelection};
use crate::ui::state::action_registry::Subject;
use keyfold_core::model::{EntityId, IndexId};
use std::sync::Arc;
use web_sys::Element;

/// A format for copied cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyFormat {
    /// Tab-separated, as spreadsheets copy.
    Text,
    /// CSV with column names.
    Csv,
    /// Whole items as DynamoDB JSON.
    Json,
}

/// A command of the table: an action of its menus or keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableCommand {
    /// Edits the active cell.
    Edit,
    /// Copies and clears the selected cells or rows.
    Cut,
    /// Copies the selected cells.
    Copy(CopyFormat),
    /// Pastes the clipboard's text.
    Paste,
    /// Clears the selected cells.
    Clear,
    /// Copies the first selected row into those below, or continues it as a series.
    FillDown {
        /// Whether numbers and dates count on.
        series: bool,
    },
    /// Duplicates the selected rows.
    DuplicateRows,
    /// Deletes the selected rows.
    DeleteRows,
    /// Selects all rows.
    SelectAll,
    /// Opens the field that finds text.
    Find,
    /// Restores DynamoDB's order.
    Unsort,
    /// Shows all columns in their default order.
    ShowAllColumns,
    /// A command of the column of the focused header, or else of the active cell.
    Column(ColumnCommand),
}

/// A command of one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnCommand {
    /// Selects its cells.
    Select,
    /// Sorts the rows by it.
    Sort {
        /// Whether the largest value comes first.
        descending: bool,
    },
    /// Moves it to the left or right by this number of columns.
    Move(isize),
    /// Makes it as wide as its content.
    Fit,
    /// Hides it.
    Hide,
}

/// The table in the page.
pub trait TableHandle: Send + Sync {
    /// Returns which table or index it shows.
    fn index(&self) -> IndexId;
    /// Returns the current selection.
    fn selection(&self) -> TableSelection;
    /// Returns whether this selection is from here: the table is still in the page, and the same design is open.
    fn is_of(&self, selection: &TableSelection) -> bool;
    /// Restores a selection, without what is no longer visible.
    fn choose(&self, selection: &TableSelection);
    /// After an action of a menu: the column of a command is again that of the focused header.
    fn menu_is_done(&self);
    /// Makes a cell active that the user wants to see, so it is not filtered out; without a cell, takes the focus.
    fn go_to(&self, cell: Option<CellId>);
    /// Shows the items of this entity alone, or of all.
    fn show_only(&self, entity: Option<EntityId>);
    /// Gives the active cell the keyboard focus.
    fn focus(&self);
    /// If the table had the keyboard focus before it got lost, takes it again. Returns whether it has it now.
    fn take_focus_again(&self) -> bool;
    /// Returns the subject of the menu of an element of the table, if it has a menu. By pointer, a cell outside the
    /// selection becomes active.
    fn menu_subject(
        &self,
        element: &Element,
        by_pointer: bool,
    ) -> Option<(Subject, TableSelection)>;
    /// Returns whether a command would have an effect now.
    fn is_enabled(&self, command: TableCommand) -> bool;
    /// Runs a command.
    fn run(&self, command: TableCommand);
}

/// A shared handle to the table in the page.
pub type SharedTable = Arc<dyn TableHandle>;
