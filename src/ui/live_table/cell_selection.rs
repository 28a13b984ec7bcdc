//! Selecting cells: a rectangle from the active cell to another, by keyboard or pointer. It is stored by items and
//! attributes, not by positions, so that it survives a change of order.

use super::grid::Grid;
use super::selected_cells::{CellId, Range, TableSelection};
use keyfold_app::grid::CellMove;
use keyfold_app::grid::cells::{Area, Cells};
use keyfold_core::model::{IndexId, SampleId};
use leptos::prelude::*;
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Grid {
    /// Selects from the active cell to this one. From or to a row head, selects rows.
    pub fn extend_to(self, to: CellId) {
        let Some(from) = self.active.get_untracked() else {
            self.activate(to);
            return;
        };
        if from.column.is_none() || to.column.is_none() {
            self.select_rows_to(to.sample);
            return;
        }
        let near = self.active_line.get_untracked().unwrap_or(0);
        let found = self.sheet.with_untracked(|sheet| {
            let start = sheet.find(from.sample, near)?;
            let end = sheet.find(to.sample, near)?;
            let items = (start.min(end)..=start.max(end)).filter_map(|line| sheet.item(line));
            Some((FxHashSet::from_iter(items.map(|item| item.id())), end))
        });
        let Some((rows, line)) = found else { return };
        let right = self.column_of(&to);
        self.select_items(to, rows);
        self.reveal_line(line);
        if let Some(right) = right {
            self.reveal_column(right);
        }
    }

    /// Selects cells of these items, from the active cell's column to the opposite corner's.
    pub fn select_items(self, extent: CellId, rows: FxHashSet<SampleId>) {
        let Some(from) = self.active.get_untracked() else {
            return;
        };
        let (Some(left), Some(right)) = (self.column_of(&from), self.column_of(&extent)) else {
            return;
        };
        let columns = self.columns.with_untracked(|heads| {
            let between = left.min(right).max(1) - 1..left.max(right).min(heads.len());
            let names = heads[between].iter().map(|head| head.name.clone());
            names.collect::<Vec<_>>()
        });
        self.select_cells(Range {
            extent,
            rows: Arc::new(rows),
            columns: Arc::new(columns),
        });
    }

    fn select_cells(self, range: Range) {
        let (rows, columns) = (range.rows.len(), range.columns.len());
        let several = rows * columns > 1;
        if self.selected.with_untracked(|rows| !rows.is_empty()) {
            self.selected.set(FxHashSet::default());
        }
        self.range.set(several.then_some(range));
        // Scrolling may redraw the row with the focus elsewhere.
        if self.has_focus() {
            self.focus();
        }
        self.store.spoken.set(match several {
            true => format!("{rows} by {columns} cells selected"),
            false => "1 cell selected".into(),
        });
    }

    /// Returns whether more than the active cell is selected.
    pub fn is_selecting(self) -> bool {
        self.range.with_untracked(Option::is_some)
            || self.selected.with_untracked(|rows| !rows.is_empty())
    }

    /// Moves the opposite corner of the selected cells by one step.
    pub fn extend(self, go: CellMove) {
        let far = (self.range)
            .with_untracked(|range| range.as_ref().map(|range| range.extent.clone()))
            .or_else(|| self.active.get_untracked());
        let Some(far) = far else { return };
        let near = self.active_line.get_untracked().unwrap_or(0);
        let line = (self.sheet).with_untracked(|sheet| sheet.find(far.sample, near));
        let Some(at) = line.zip(self.column_of(&far)) else {
            return;
        };
        let (line, column) = self.step(at, go);
        let column = if far.column.is_some() {
            column.max(1)
        } else {
            0
        };
        if let Some(to) = self.spot(line, column) {
            self.extend_to(to);
        }
    }

    /// Selects a whole column.
    pub fn select_column(self, name: &str) {
        if !self.commit(None) {
            return;
        }
        // Starts in the active row, so that nothing scrolls.
        let top = untrack(|| self.top_line());
        let ends = self.sheet.with_untracked(|sheet| {
            let id = |line: Option<usize>| sheet.item(line?).map(|item| item.id());
            let in_sight = (top..sheet.len()).find_map(|line| id(Some(line)));
            Some((in_sight.or_else(|| id(sheet.first()))?, id(sheet.last())?))
        });
        let Some((first, last)) = ends else { return };
        let spot = |sample| CellId {
            sample,
            column: Some(name.to_owned()),
        };
        self.active.set(Some(spot(first)));
        self.focus();
        let rows = self.sheet.with_untracked(|sheet| {
            let items = (0..sheet.len()).filter_map(|line| sheet.item(line));
            FxHashSet::from_iter(items.map(|item| item.id()))
        });
        self.select_cells(Range {
            extent: spot(last),
            rows: Arc::new(rows),
            columns: Arc::new(vec![name.to_owned()]),
        });
    }

    /// Returns the current choice.
    pub fn choice(self) -> TableSelection {
        TableSelection {
            of: self.of(),
            active: self.active.get_untracked(),
            range: self.range.get_untracked(),
            rows: self.selected.get_untracked(),
            column: self.column(),
        }
    }

    fn of(self) -> (u64, IndexId) {
        (self.store.opened.get_untracked(), self.index)
    }

    /// Returns whether this choice is from here: the table is still in the page, and the same design is open.
    pub fn is_of(self, choice: &TableSelection) -> bool {
        self.is_there() && self.of() == choice.of
    }

    /// Restores a choice, without what is no longer visible.
    pub fn choose(self, choice: &TableSelection) {
        let is_shown =
            |sample: SampleId| (self.sheet).with_untracked(|s| s.find(sample, 0).is_some());
        let active = choice.active.clone().filter(|spot| is_shown(spot.sample));
        if self.active.with_untracked(|now| *now != active) {
            self.active.set(active);
        }
        if self.range.with_untracked(|now| *now != choice.range) {
            self.range.set(choice.range.clone());
        }
        if self.selected.with_untracked(|now| *now != choice.rows) {
            self.selected.set(choice.rows.clone());
        }
        self.head.set_value(choice.column.clone());
    }

    /// Returns the selected cells or rows; without any, the active cell, or its row if the row head is active.
    pub fn area(self) -> Area {
        self.area_of(&self.choice())
    }

    /// Returns the visible cells of a choice.
    pub fn area_of(self, choice: &TableSelection) -> Area {
        let width = self.width() - 1;
        let lines = |rows: &FxHashSet<SampleId>| {
            self.sheet.with_untracked(|sheet| {
                let is_in = |line: &usize| {
                    (sheet.item(*line)).is_some_and(|item| rows.contains(&item.id()))
                };
                (0..sheet.len()).filter(is_in).collect()
            })
        };
        let whole = |lines| Area {
            lines,
            columns: 0..width,
            whole: true,
        };
        let among = |range: &Range| self.columns.with_untracked(|all| range.columns_among(all));
        if let Some(range) = &choice.range
            && let Some((from, to)) = among(range)
        {
            return Area {
                lines: lines(&range.rows),
                columns: from..to + 1,
                whole: false,
            };
        }
        if !choice.rows.is_empty() {
            return whole(lines(&choice.rows));
        }
        let at = choice.active.as_ref().and_then(|spot| {
            let near = self.active_line.get_untracked().unwrap_or(0);
            let line = (self.sheet).with_untracked(|sheet| sheet.find(spot.sample, near))?;
            Some((line, self.column_of(spot)?))
        });
        match at {
            None => Area::default(),
            Some((line, 0)) => whole(vec![line]),
            Some((line, column)) => Area {
                lines: vec![line],
                columns: column - 1..column,
                whole: false,
            },
        }
    }

    /// Calls `read` with the cells as shown.
    pub fn with_cells<T>(self, read: impl FnOnce(&Cells) -> T) -> T {
        let columns = self.names();
        self.sheet.with_untracked(|sheet| {
            self.store
                .with(|design| read(&Cells::new(design, sheet, &columns)))
        })
    }
}
