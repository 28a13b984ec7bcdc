//! The lines in sight, in the page. A row that goes out of sight is used again for a line that comes into sight, so
//! scrolling sets texts and little else. The row with the keyboard focus stays with its item and is never moved.

use super::cell::Column;
use super::line::{Context, Row, pattern};
use super::row::{Drawn, Picture, picture};
use super::state::Grid;
use crate::app::grid::recycle::{Use, recycle};
use crate::ui::parts::erased::effect;
use leptos::html::Div;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::sync::Arc;
use web_sys::{Element, Node};

/// Rows without a line that are kept for the next ones.
const SPARE: usize = 12;

/// Keeps the lines in sight in the page, until the reactive owner is gone. `body`: the element that they are put into,
/// before all else that is in it.
pub fn keep_drawn(grid: Grid, body: NodeRef<Div>) {
    let picture = picture(grid);
    let mut page: Option<Page> = None;
    effect(move || {
        let Some(body) = body.get() else { return };
        let page = page.get_or_insert_with(|| Page::new(body.unchecked_into()));
        picture.with(|picture| page.show(grid, picture));
    });
}

/// The rows that are in the page, from the top, and what was last shown in them.
struct Page {
    body: Node,
    /// The rows come before it.
    end: Node,
    rows: Vec<Row>,
    spare: Vec<Row>,
    columns: Vec<Column>,
    widths: Arc<Vec<f64>>,
    needle: String,
    /// A row of cells to make others of.
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
            spare: Vec::new(),
            columns: Vec::new(),
            widths: Arc::default(),
            needle: String::new(),
            pattern: pattern(&[]),
        }
    }

    fn show(&mut self, grid: Grid, picture: &Picture) {
        let Picture {
            lines,
            states,
            heads,
            widths,
            needle,
        } = picture;
        let columns = heads.iter().enumerate();
        let columns: Vec<Column> = columns.map(|(at, head)| Column::new(at, head)).collect();
        let other_columns = columns != self.columns;
        if other_columns {
            self.columns = columns;
            self.pattern = pattern(&self.columns);
            self.spare.clear();
        }
        let had_focus = self.arrange(grid, lines);
        let other_widths = !Arc::ptr_eq(widths, &self.widths);
        let other_needle = *needle != self.needle;
        self.widths = widths.clone();
        self.needle.clone_from(needle);
        for (row, (line, state)) in self.rows.iter_mut().zip(lines.iter().zip(states)) {
            if other_columns {
                row.dress(&self.columns, &self.pattern);
            }
            let context = Context {
                heads,
                columns: &self.columns,
                widths,
                needle,
                other_cells: other_columns || other_widths,
                other_needle,
            };
            row.show(line, state, &context);
        }
        // The cell with the focus may be another attribute's now, or gone.
        if had_focus && other_columns {
            grid.focus();
        }
    }

    /// Puts a row in the page for each line, in their order. Whether one of them has the focus.
    fn arrange(&mut self, grid: Grid, lines: &[Drawn]) -> bool {
        let focused = self.focused();
        let is_same = self.rows.len() == lines.len()
            && (self.rows.iter().zip(lines)).all(|(row, line)| row.key() == line.key);
        if is_same {
            return focused.is_some();
        }
        let of = |line: &Drawn| self.rows.iter().position(|row| row.key() == line.key);
        let now: Vec<Option<usize>> = lines.iter().map(of).collect();
        let fixed = focused.filter(|row| now.contains(&Some(*row)));
        if focused.is_some() && fixed.is_none() {
            // The item with the focus is gone: the focus must not stay with another that takes its row.
            grid.hold_focus();
            grid.focus();
        }
        let uses = recycle(&now, self.rows.len(), fixed);
        let mut before: Vec<Option<Row>> = self.rows.drain(..).map(Some).collect();
        let mut places: Vec<(Row, bool)> = Vec::with_capacity(lines.len());
        for (line, one) in lines.iter().zip(uses) {
            let (row, stays) = match one {
                Use::Stay(row) => (before[row].take(), true),
                Use::Move(row) => (before[row].take(), false),
                Use::New => (self.spare.pop(), false),
            };
            // Only rows of cells are used for another line.
            let is_fit =
                |row: &Row| row.key() == line.key || row.has_cells() && line.item.is_some();
            let place = match row {
                Some(row) if is_fit(&row) => (row, stays),
                other => {
                    if let Some(row) = other {
                        row.element.remove();
                    }
                    (Row::new(line, &self.pattern), false)
                }
            };
            places.push(place);
        }
        for row in before.into_iter().flatten() {
            row.element.remove();
            if self.spare.len() < SPARE && row.has_cells() {
                self.spare.push(row);
            }
        }
        let mut next = self.end.clone();
        for (row, stays) in places.iter().rev() {
            if !stays {
                let _ = self.body.insert_before(&row.element, Some(&next));
            }
            next = row.element.clone().unchecked_into();
        }
        self.rows.extend(places.into_iter().map(|(row, _)| row));
        fixed.is_some()
    }

    /// The row with the keyboard focus.
    fn focused(&self) -> Option<usize> {
        let focus = document().active_element()?;
        let row = focus.closest("[data-sample]").ok()??;
        self.rows
            .iter()
            .position(|one| one.element.is_same_node(Some(&row)))
    }
}
