//! The commands of the table, as the rest of the page runs them.

use super::grid::Grid;
use super::handle::{ColumnCommand, TableCommand, TableHandle};
use super::selected_cells::{CellId, TableSelection};
use crate::ui::state::action_registry::Subject;
use keyfold_core::model::{EntityId, IndexId};
use leptos::prelude::*;
use web_sys::Element;

impl TableHandle for Grid {
    fn index(&self) -> IndexId {
        self.index
    }

    fn selection(&self) -> TableSelection {
        self.choice()
    }

    fn is_of(&self, selection: &TableSelection) -> bool {
        Grid::is_of(*self, selection)
    }

    fn choose(&self, selection: &TableSelection) {
        Grid::choose(*self, selection);
    }

    fn menu_is_done(&self) {
        if self.is_there() {
            self.head_has_focus();
        }
    }

    fn go_to(&self, cell: Option<CellId>) {
        Grid::go_to(*self, cell);
    }

    fn show_only(&self, entity: Option<EntityId>) {
        Grid::show_only(*self, entity);
    }

    fn focus(&self) {
        Grid::focus(*self);
    }

    fn take_focus_again(&self) -> bool {
        if !self.focused.get_value() {
            return false;
        }
        Grid::focus(*self);
        // If the active item is out of view, it cannot take the focus.
        self.has_focus()
    }

    fn menu_subject(
        &self,
        element: &Element,
        by_pointer: bool,
    ) -> Option<(Subject, TableSelection)> {
        self.subject_of(element, by_pointer)
    }

    fn is_enabled(&self, command: TableCommand) -> bool {
        match command {
            TableCommand::Paste | TableCommand::SelectAll | TableCommand::Find => true,
            TableCommand::Unsort => self.sort.with_untracked(Option::is_some),
            TableCommand::ShowAllColumns => self.is_rearranged(),
            TableCommand::Column(_) => self.column().is_some(),
            TableCommand::Edit
            | TableCommand::Cut
            | TableCommand::Copy(_)
            | TableCommand::Clear
            | TableCommand::FillDown { .. }
            | TableCommand::DuplicateRows
            | TableCommand::DeleteRows => {
                self.active_line.get_untracked().is_some() || self.is_selecting()
            }
        }
    }

    fn run(&self, command: TableCommand) {
        match command {
            TableCommand::Edit => self.edit(false),
            TableCommand::Cut => self.cut(),
            TableCommand::Copy(form) => self.copy(form),
            TableCommand::Paste => self.paste(),
            TableCommand::Clear => self.clear(),
            TableCommand::FillDown { series } => self.fill_down(series),
            TableCommand::DuplicateRows => self.duplicate_rows(),
            TableCommand::DeleteRows => self.delete_rows(),
            TableCommand::SelectAll => self.select_all(),
            TableCommand::Find => self.open_find(),
            TableCommand::Unsort => self.unsort(),
            TableCommand::ShowAllColumns => self.show_all_columns(),
            TableCommand::Column(command) => {
                if let Some(name) = self.column() {
                    run_on_column(*self, command, &name);
                }
            }
        }
    }
}

fn run_on_column(grid: Grid, command: ColumnCommand, name: &str) {
    match command {
        ColumnCommand::Select => grid.select_column(name),
        ColumnCommand::Sort { descending } => grid.sort_by(name, descending),
        ColumnCommand::Move(by) => grid.move_column(name, by),
        ColumnCommand::Fit => grid.fit_column(name),
        ColumnCommand::Hide => grid.hide_column(name),
    }
}
