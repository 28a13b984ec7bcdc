//! Draws the visible lines. A row that scrolls out of view is reused for a line that scrolls into view, so scrolling
//! sets little more than texts. The row with the keyboard focus stays with its item and is never moved. The browser
//! lays out a moved element again, so during scrolling rows are only positioned in order; when scrolling rests, the
//! elements are sorted, for screen readers.

use super::cell::Column;
use super::grid::Grid;
use super::row_element::{Context, Row, pattern};
use super::view_model::{RowContent, VisibleRows, visible_rows};
use crate::ui::reactive::erased::{RwSignal, effect};
use keyfold_app::grid::recycle::{RowUse, in_place, recycle};
use leptos::html::Div;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::sync::Arc;
use std::time::Duration;
use web_sys::{Element, Node};

/// Maximum number of spare rows kept for reuse.
const SPARE: usize = 12;
/// Time without scrolling after which it rests.
const REST: Duration = Duration::from_millis(150);

/// Keeps the visible lines in the page until the reactive owner is disposed. Rows are inserted at the start of
/// `body`.
pub fn keep_drawn(grid: Grid, body: NodeRef<Div>) {
    let visible = visible_rows(grid);
    let mut page: Option<Page> = None;
    let rested = RwSignal::new(());
    let mut rest_soon = debounce(REST, move |()| {
        rested.set(());
    });
    effect(move || {
        let Some(body) = body.get() else { return };
        rested.track();
        let page = page.get_or_insert_with(|| Page::new(body.unchecked_into()));
        visible.with(|rows| page.show(grid, rows));
        if !page.is_in_order() {
            rest_soon(());
        }
    });
}

/// The rows in the page from the top, and what they showed last.
struct Page {
    body: Node,
    /// The rows are inserted before it.
    end: Node,
    rows: Vec<Row>,
    /// The numbers of the rows in the page's element order.
    order: Vec<usize>,
    /// Number of rows created.
    made: usize,
    /// The last vertical scroll offset, in CSS pixels.
    scroll: f64,
    spare: Vec<Row>,
    columns: Arc<Vec<Column>>,
    /// A row of cells to clone.
    pattern: Element,
}

impl Page {
    fn new(body: Node) -> Page {
        let end: Node = document().create_comment("").unchecked_into();
        let _ = body.insert_before(&end, body.first_child().as_ref());
        Page {
            body,
            end,
            rows: Vec::new(),
            order: Vec::new(),
            made: 0,
            scroll: 0.0,
            spare: Vec::new(),
            columns: Arc::default(),
            pattern: pattern(&[]),
        }
    }

    fn show(&mut self, grid: Grid, rows: &VisibleRows) {
        let VisibleRows {
            lines,
            states,
            heads,
            widths,
            shown,
            needle,
        } = rows;
        let columns = shown.iter().filter_map(|at| Some((*at, heads.get(*at)?)));
        let columns: Vec<Column> = columns.map(|(at, head)| Column::new(at, head)).collect();
        let other_columns = columns != *self.columns;
        if other_columns {
            self.columns = Arc::new(columns);
            self.pattern = pattern(&self.columns);
        }
        let had_focus = self.arrange(grid, lines);
        let scroll = grid.scroll.get_untracked();
        if std::mem::replace(&mut self.scroll, scroll) == scroll {
            self.put_in_order();
        }
        let context = Context {
            heads,
            columns: &self.columns,
            widths,
            needle,
        };
        for (row, (line, state)) in self.rows.iter_mut().zip(lines.iter().zip(states)) {
            row.show(line, state, &context);
        }
        // The focused cell may now belong to another attribute, or be gone.
        if had_focus && other_columns {
            grid.focus();
        }
    }

    /// Adds a row to the page for each line, in any element order. Returns whether one of them has the focus.
    fn arrange(&mut self, grid: Grid, lines: &[RowContent]) -> bool {
        let focused = self.focused();
        let is_same = self.rows.len() == lines.len()
            && (self.rows.iter().zip(lines)).all(|(row, line)| row.key() == line.key);
        if is_same {
            return focused.is_some();
        }
        let of = |line: &RowContent| self.rows.iter().position(|row| row.key() == line.key);
        let now: Vec<Option<usize>> = lines.iter().map(of).collect();
        let fixed = focused.filter(|row| now.contains(&Some(*row)));
        if focused.is_some() && fixed.is_none() {
            // The focused item is gone: the focus must not pass to another item that reuses its row.
            grid.hold_focus();
            grid.focus();
        }
        let uses = recycle(&now, self.rows.len(), fixed);
        let mut before: Vec<Option<Row>> = self.rows.drain(..).map(Some).collect();
        for (line, one) in lines.iter().zip(uses) {
            let row = match one {
                RowUse::Stay(row) | RowUse::Move(row) => before[row].take(),
                RowUse::New => self.spare.pop().inspect(|row| self.put_at_end(row)),
            };
            // Only rows of cells are reused.
            let is_fit =
                |row: &Row| row.key() == line.key || row.has_cells() && line.item.is_some();
            let row = match row {
                Some(row) if is_fit(&row) => row,
                other => {
                    if let Some(row) = other {
                        self.take_out(&row);
                    }
                    self.made += 1;
                    let row = Row::new(line, &self.columns, &self.pattern, self.made);
                    self.put_at_end(&row);
                    row
                }
            };
            self.rows.push(row);
        }
        for row in before.into_iter().flatten() {
            self.take_out(&row);
            if self.spare.len() < SPARE && row.has_cells() {
                self.spare.push(row);
            }
        }
        fixed.is_some()
    }

    fn put_at_end(&mut self, row: &Row) {
        let _ = self.body.insert_before(&row.element, Some(&self.end));
        self.order.push(row.number);
    }

    fn take_out(&mut self, row: &Row) {
        row.element.remove();
        self.order.retain(|number| *number != row.number);
    }

    /// Returns whether the element order matches the visible order.
    fn is_in_order(&self) -> bool {
        self.rows
            .iter()
            .map(|row| row.number)
            .eq(self.order.iter().copied())
    }

    /// Sorts the row elements by line, with as few moves as possible, and without moving the row with the focus.
    fn put_in_order(&mut self) {
        if self.is_in_order() {
            return;
        }
        let of = |row: &Row| self.order.iter().position(|number| *number == row.number);
        let now: Vec<Option<usize>> = self.rows.iter().map(of).collect();
        let fixed = self.focused().and_then(|row| now[row]);
        let stays = in_place(&now, fixed);
        let mut next = self.end.clone();
        for (row, place) in self.rows.iter().zip(stays).rev() {
            if place.is_none() {
                let _ = self.body.insert_before(&row.element, Some(&next));
            }
            next = row.element.clone().unchecked_into();
        }
        self.order = self.rows.iter().map(|row| row.number).collect();
    }

    /// Returns the row with the keyboard focus.
    fn focused(&self) -> Option<usize> {
        let focus = document().active_element()?;
        let row = focus.closest("[data-sample]").ok()??;
        self.rows
            .iter()
            .position(|one| one.element.is_same_node(Some(&row)))
    }
}
