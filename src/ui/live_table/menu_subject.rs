//! The subject of a cell's or a column's menu.

use super::grid::Grid;
use super::keys_and_pointer::spot_at;
use super::selected_cells::{CellId, TableSelection};
use crate::ui::state::action_registry::Subject;
use leptos::prelude::*;
use web_sys::Element;

impl Grid {
    /// Returns the column of a command: that of the focused head or of the menu, else that of the active cell.
    pub fn column(self) -> Option<String> {
        (self.head.get_value()).or_else(|| {
            (self.active).with_untracked(|spot| spot.as_ref().and_then(|spot| spot.column.clone()))
        })
    }

    /// Returns whether a cell is selected.
    pub fn is_selected(self, spot: &CellId) -> bool {
        let in_range = self.range.with_untracked(|range| {
            range.as_ref().is_some_and(|range| {
                let column = spot.column.as_ref();
                range.rows.contains(&spot.sample)
                    && column.is_some_and(|column| range.columns.contains(column))
            })
        });
        in_range
            || self
                .selected
                .with_untracked(|rows| rows.contains(&spot.sample))
    }

    /// Returns the subject of the menu of an element of the table, if it has a menu. By pointer, a cell outside the
    /// selection becomes active. There is no menu while another cell holds text that is not a value.
    pub fn subject_of(
        self,
        element: &Element,
        by_pointer: bool,
    ) -> Option<(Subject, TableSelection)> {
        let scroller = self.scroller.get_untracked()?;
        if !scroller.contains(Some(element)) || element.tag_name() == "INPUT" {
            return None;
        }
        if let Ok(Some(head)) = element.closest("[data-name]") {
            let mut choice = self.choice();
            choice.column = head.get_attribute("data-name");
            return self.commit(None).then_some((Subject::Column, choice));
        }
        let spot = spot_at(element)?;
        if !self.commit(None) {
            return None;
        }
        if by_pointer && !self.is_selected(&spot) {
            self.select_nothing();
            self.active.set(Some(spot));
        }
        Some((Subject::Cells, self.choice()))
    }
}
