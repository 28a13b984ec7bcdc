//! Visible rows of the table, and the keyboard focus in it.

use super::columns;
use super::grid::Grid;
use super::line_height::line_height;
use keyfold_app::grid::Line;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, FocusOptions, HtmlElement, Node};

/// A line with at most this much hidden counts as visible, in CSS pixels.
const HIDDEN: f64 = 6.0;

impl Grid {
    /// Returns the first fully visible line.
    pub fn top_line(self) -> usize {
        ((self.scroll.get() - HIDDEN) / line_height())
            .ceil()
            .max(0.0) as usize
    }

    /// Scrolls the lines to this offset, in CSS pixels.
    pub fn scroll_to(self, top: f64) {
        if let Some(scroller) = self.scroller.get_untracked() {
            scroller.set_scroll_top(top.ceil() as i32);
            // There may be too few lines to scroll so far.
            self.scroll.set(top.min(f64::from(scroller.scroll_top())));
        }
    }

    /// Scrolls by the minimum that shows the active line.
    pub fn reveal(self) {
        if let Some(line) = self.active_line.get_untracked() {
            self.reveal_line(line);
        }
    }

    /// Scrolls by the minimum that shows a line.
    pub fn reveal_line(self, line: usize) {
        // A refused item includes the reason below it.
        let lines = match self.sheet.with_untracked(|sheet| sheet.line(line)) {
            Some(Line::Refused(_)) => 2.0,
            _ => 1.0,
        };
        let top = line as f64 * line_height();
        let bottom = top + lines * line_height();
        // The recorded offset: reading it from the page would force a layout.
        let seen = self.scroll.get_untracked();
        let height = self.height.get_untracked();
        let to = if top < seen {
            top
        } else if bottom > seen + height {
            bottom - height
        } else {
            return;
        };
        self.scroll_to(to);
    }

    /// Scrolls by the minimum that shows a column; 0 is the row head.
    pub fn reveal_column(self, column: usize) {
        let (Some(scroller), Some(column)) = (self.scroller.get_untracked(), column.checked_sub(1))
        else {
            return;
        };
        let frozen = (self.columns).with_untracked(|heads| columns::frozen(heads));
        if column < frozen {
            return;
        }
        let (left, width, kept) = self.widths.with_untracked(|widths| {
            let sum = |count: usize| widths.iter().take(count).sum::<f64>();
            (
                sum(column),
                widths.get(column).copied().unwrap_or(0.0),
                sum(frozen),
            )
        });
        let seen = f64::from(scroller.scroll_left());
        let room = f64::from(scroller.client_width()) - untrack(|| self.row_head());
        let to = if left < seen + kept {
            left - kept
        } else if left + width > seen + room {
            (left + width - room).min(left - kept)
        } else {
            return;
        };
        scroller.set_scroll_left(to.ceil() as i32);
    }

    /// Gives the active cell the keyboard focus. Until the cell is drawn, the table itself has the focus, so that no
    /// key press is lost.
    pub fn focus(self) {
        let Some(scroller) = self.scroller.get_untracked() else {
            return;
        };
        self.focused.set_value(true);
        if !self.has_focus() || self.head.with_value(Option::is_some) {
            self.hold_focus();
        }
        self.view.next_frame(move || {
            if self.editing.with_untracked(Option::is_some) {
                return;
            }
            let cell = scroller.query_selector(".grid-body [tabindex=\"0\"]");
            if let Ok(Some(cell)) = cell
                && let Ok(cell) = cell.dyn_into::<HtmlElement>()
            {
                // No scrolling: the visible part may be at the opposite corner of the selection.
                focus_still(&cell);
            }
        });
    }

    /// Gives the table itself the keyboard focus, if no cell can have it.
    pub fn hold_focus(self) {
        if let Some(scroller) = self.scroller.get_untracked() {
            focus_still(&scroller);
        }
    }

    /// Returns whether the keyboard focus is in the table.
    pub fn has_focus(self) -> bool {
        (document().active_element()).is_some_and(|focus| self.contains(&focus))
    }

    /// Returns whether an element is in the table, or in the field of one of its cells.
    pub fn contains(self, element: &Element) -> bool {
        let node: &Node = element.unchecked_ref();
        let in_field = || matches!(element.closest(".cell-dialog"), Ok(Some(_)));
        (self.scroller.get_untracked()).is_some_and(|scroller| scroller.contains(Some(node)))
            || in_field()
    }
}

/// Gives an element the keyboard focus without scrolling.
fn focus_still(element: &HtmlElement) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    let _ = element.focus_with_options(&options);
}
