//! The lines that the live table shows: items, collections, refused items; and keyboard moves between their cells.

use super::filter_and_sort::{SheetBuilder, SheetOptions};
use keyfold_core::engine::{Item, ValueRef, View};
use keyfold_core::model::SampleId;
use std::sync::Arc;

/// A line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// A row of the view, by its number there.
    Row(usize),
    /// The heading above refused items.
    Heading,
    /// An item that DynamoDB would refuse, by its number in [`View::failed`].
    Refused(usize),
    /// Why the item on the line above would be refused.
    Reason(usize),
}

/// The position of a row in its item collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CollectionPosition {
    /// Number of the item collection in the view.
    pub group: usize,
    /// Whether it is the first visible row of the collection.
    pub first: bool,
    /// Whether it is the last visible row of the collection.
    pub last: bool,
}

/// A keyboard move between cells. Column 0 is the row header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellMove {
    /// One cell to the left.
    Left,
    /// One cell to the right.
    Right,
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// This many lines up.
    PageUp(usize),
    /// This many lines down.
    PageDown(usize),
    /// To the first cell after the row header.
    RowStart,
    /// To the last cell of the row.
    RowEnd,
    /// To the first row.
    Top,
    /// To the last row.
    Bottom,
    /// To the next cell, or the first cell of the next row. Skips row headers.
    Next,
    /// To the previous cell, or the last cell of the row above. Skips row headers.
    Previous,
}

/// A view as lines: the rows that pass the filter; then, for the table, the items that DynamoDB would refuse, each
/// followed by the reason.
#[derive(Debug, Clone)]
pub struct Sheet {
    pub(super) view: Arc<View>,
    pub(super) rows: Chosen,
    pub(super) refused: Chosen,
    /// Whether the rows are in DynamoDB's order.
    pub(super) natural: bool,
}

/// A selection of the numbers below `n`. Selecting all of them costs nothing.
#[derive(Debug, Clone)]
pub(super) enum Chosen {
    All(usize),
    Some(Vec<u32>),
}

impl Chosen {
    fn len(&self) -> usize {
        match self {
            Chosen::All(count) => *count,
            Chosen::Some(numbers) => numbers.len(),
        }
    }

    fn get(&self, at: usize) -> usize {
        match self {
            Chosen::All(_) => at,
            Chosen::Some(numbers) => numbers[at] as usize,
        }
    }
}

impl Sheet {
    /// Returns the lines of a view.
    pub fn new(view: Arc<View>, shown: &SheetOptions) -> Sheet {
        let mut sifting = SheetBuilder::new(view, shown.clone());
        loop {
            if let Some(sheet) = sifting.step(usize::MAX) {
                return sheet;
            }
        }
    }

    /// Whether the rows are in DynamoDB's order.
    pub fn is_natural(&self) -> bool {
        self.natural
    }

    /// Returns a visible value of an item, also a key-only one; `None` if the item lacks it or the index does not project
    /// it.
    pub fn value<'a>(&self, item: &'a Item, name: &str) -> Option<ValueRef<'a>> {
        let content = self.view.content.as_ref();
        let value = item.known(name)?;
        content
            .is_none_or(|content| content.shows(name))
            .then_some(value)
    }

    /// The underlying view.
    pub fn view(&self) -> &Arc<View> {
        &self.view
    }

    /// Number of visible rows.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Number of visible refused items.
    pub fn refused(&self) -> usize {
        self.refused.len()
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        match self.refused.len() {
            0 => self.rows.len(),
            refused => self.rows.len() + 1 + 2 * refused,
        }
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns what is on a line; `None` beyond the last line.
    pub fn line(&self, at: usize) -> Option<Line> {
        let rows = self.rows.len();
        if at < rows {
            return Some(Line::Row(self.rows.get(at)));
        }
        if at >= self.len() {
            return None;
        }
        Some(match at - rows {
            0 => Line::Heading,
            below => {
                let refused = self.refused.get((below - 1) / 2);
                match below % 2 {
                    1 => Line::Refused(refused),
                    _ => Line::Reason(refused),
                }
            }
        })
    }

    /// Returns the item whose cells are on a line; `None` for headings and reasons.
    pub fn item(&self, at: usize) -> Option<Item> {
        match self.line(at)? {
            Line::Row(row) => self.view.rows.get(row).map(|row| row.item),
            Line::Refused(refused) => self.view.failed.get(refused).cloned(),
            Line::Heading | Line::Reason(_) => None,
        }
    }

    /// Returns the line of a sample's item. Checks line `near` first.
    pub fn find(&self, sample: SampleId, near: usize) -> Option<usize> {
        let is_it = |at: &usize| self.item(*at).is_some_and(|item| item.id() == sample);
        Some(near)
            .filter(is_it)
            .or_else(|| (0..self.len()).find(is_it))
    }

    /// Returns the position of a row in its item collection; `None` for other lines.
    pub fn place(&self, at: usize) -> Option<CollectionPosition> {
        let Line::Row(row) = self.line(at)? else {
            return None;
        };
        let group = (self.view.groups).partition_point(|group| group.rows.end <= row);
        let rows = &self.view.groups.get(group)?.rows;
        if !self.natural {
            return Some(CollectionPosition {
                group,
                first: true,
                last: true,
            });
        }
        Some(CollectionPosition {
            group,
            first: at == 0 || self.rows.get(at - 1) < rows.start,
            last: at + 1 == self.rows.len() || self.rows.get(at + 1) >= rows.end,
        })
    }

    /// The first line with cells.
    pub fn first(&self) -> Option<usize> {
        self.at_or_after(0)
    }

    /// The last line with cells.
    pub fn last(&self) -> Option<usize> {
        self.at_or_before(self.len().checked_sub(1)?)
    }

    /// Returns `at`, or the next line with cells.
    pub fn at_or_after(&self, at: usize) -> Option<usize> {
        (at..self.len()).find(|at| self.item(*at).is_some())
    }

    /// Returns `at`, or the previous line with cells.
    pub fn at_or_before(&self, at: usize) -> Option<usize> {
        (0..=at).rev().find(|at| self.item(*at).is_some())
    }

    /// Returns the line and column after a move. `columns` includes the row header. Moves stop at the edges.
    pub fn move_cell(
        &self,
        (line, column): (usize, usize),
        go: CellMove,
        columns: usize,
    ) -> (usize, usize) {
        let right_end = columns.saturating_sub(1);
        let last = self.len().saturating_sub(1);
        let up = |by: usize| {
            let above = line
                .checked_sub(by)
                .and_then(|above| self.at_or_before(above));
            above.or_else(|| self.first()).unwrap_or(line)
        };
        let down = |by: usize| {
            let below = self.at_or_after((line + by).min(last));
            below.or_else(|| self.last()).unwrap_or(line)
        };
        match go {
            CellMove::Left => (line, column.saturating_sub(1)),
            CellMove::Right => (line, (column + 1).min(right_end)),
            CellMove::Up => (up(1), column),
            CellMove::Down => (down(1), column),
            CellMove::PageUp(by) => (up(by.max(1)), column),
            CellMove::PageDown(by) => (down(by.max(1)), column),
            CellMove::RowStart => (line, 1.min(right_end)),
            CellMove::RowEnd => (line, right_end),
            CellMove::Top => (self.first().unwrap_or(line), column),
            CellMove::Bottom => (self.last().unwrap_or(line), column),
            CellMove::Next if column < right_end => (line, column + 1),
            CellMove::Next if down(1) == line => (line, column),
            CellMove::Next => (down(1), 1.min(right_end)),
            CellMove::Previous if column > 1 => (line, column - 1),
            CellMove::Previous if up(1) == line => (line, column),
            CellMove::Previous => (up(1), right_end),
        }
    }
}
