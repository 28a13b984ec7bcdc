//! The logic of the live table: the lines it shows ([`Sheet`]), the lines to render ([`visible_lines`]), keyboard
//! moves ([`Sheet::move_cell`]), column widths. The submodules edit cells. Nothing is drawn here.

pub mod cells;
pub mod copy;
pub mod fill;
pub mod find;
pub mod layout;
pub mod nested;
pub mod only;
pub mod paste;
pub mod presence;
pub mod recycle;

use keyfold_core::engine::{Item, Row, ValueRef, View};
use keyfold_core::model::{EntityId, SampleId, SortedSet, Value, compare_keys};
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

/// Number of rows measured for the width of a column.
const MEASURED_ROWS: usize = 200;

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

/// Which items of a view to show, and in which order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SheetOptions {
    /// Shows only items with this text in a column of the view. Case is ignored.
    pub filter: String,
    /// Hides the items of these entities.
    pub hidden_entities: SortedSet<EntityId>,
    /// The order; `None` for DynamoDB's.
    pub sort: Option<SortBy>,
}

impl SheetOptions {
    /// Whether all items are shown, in DynamoDB's order.
    pub fn is_all(&self) -> bool {
        self.filter.trim().is_empty() && self.hidden_entities.is_empty() && self.sort.is_none()
    }
}

/// Sorts by the values of an attribute. Items without it come last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortBy {
    /// The attribute.
    pub column: String,
    /// Whether the greatest value comes first.
    pub descending: bool,
}

/// A view as lines: the rows that pass the filter; then, for the table, the items that DynamoDB would refuse, each
/// followed by the reason.
#[derive(Debug, Clone)]
pub struct Sheet {
    view: Arc<View>,
    rows: Chosen,
    refused: Chosen,
    /// Whether the rows are in DynamoDB's order.
    natural: bool,
}

/// A selection of the numbers below `n`. Selecting all of them costs nothing.
#[derive(Debug, Clone)]
enum Chosen {
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

/// Makes a [`Sheet`] in steps, for views with many rows.
#[derive(Debug, Clone)]
pub struct SheetBuilder {
    view: Arc<View>,
    shown: SheetOptions,
    filter: String,
    /// Number of rows checked, and the rows that passed.
    at: usize,
    rows: Vec<u32>,
}

impl SheetBuilder {
    /// Starts at the first row.
    pub fn new(view: Arc<View>, shown: SheetOptions) -> SheetBuilder {
        SheetBuilder {
            filter: shown.filter.trim().to_lowercase(),
            view,
            shown,
            at: 0,
            rows: Vec::new(),
        }
    }

    /// Checks `rows` more rows. Returns the sheet once all rows are checked. Sorting happens in the last step.
    pub fn step(&mut self, rows: usize) -> Option<Sheet> {
        let view = &self.view;
        let refused = match view.index.is_primary() {
            true => view.failed.len(),
            false => 0,
        };
        let (rows, refused) = if self.shown.is_all() {
            (Chosen::All(view.rows.len()), Chosen::All(refused))
        } else {
            let end = self.at.saturating_add(rows).min(view.rows.len());
            for at in self.at..end {
                if view.rows.get(at).is_some_and(|row| self.passes(&row.item)) {
                    self.rows.push(at as u32);
                }
            }
            self.at = end;
            if end < self.view.rows.len() {
                return None;
            }
            if let Some(sort) = &self.shown.sort {
                put_in_order(&mut self.rows, &self.view, sort);
            }
            let failed = (self.view.failed.iter().take(refused).enumerate())
                .filter(|(_, item)| self.passes(item))
                .map(|(at, _)| at as u32);
            let failed = Chosen::Some(failed.collect());
            (Chosen::Some(std::mem::take(&mut self.rows)), failed)
        };
        Some(Sheet {
            view: self.view.clone(),
            rows,
            refused,
            natural: self.shown.sort.is_none(),
        })
    }

    fn passes(&self, item: &Item) -> bool {
        let content = self.view.content.as_ref();
        let shows = |name: &str| content.is_some_and(|content| content.shows(name));
        !self.shown.hidden_entities.contains(&item.entity)
            && (self.filter.is_empty()
                || item.any(&|name, value| contains(value, &self.filter) && shows(name)))
    }
}

/// Sorts rows of a view. Equal rows stay in DynamoDB's order.
fn put_in_order(rows: &mut Vec<u32>, view: &View, sort: &SortBy) {
    let items: Vec<Row> = (rows.iter())
        .filter_map(|row| view.rows.get(*row as usize))
        .collect();
    let values: Vec<_> = (items.iter())
        .map(|row| row.item.known(&sort.column).map(ValueRef::value))
        .collect();
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    order.sort_unstable_by(|left, right| {
        let order = match (&values[*left as usize], &values[*right as usize]) {
            (Some(left), Some(right)) if sort.descending => compare_keys(right, left),
            (Some(left), Some(right)) => compare_keys(left, right),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        };
        order.then(left.cmp(right))
    });
    *rows = order.iter().map(|at| rows[*at as usize]).collect();
}

/// Whether the text of a value contains `needle`, which must be lower case.
pub fn contains(value: ValueRef, needle: &str) -> bool {
    match (value.text(), value) {
        (Some(text), _) => text_contains(text, needle),
        // Most needles cannot occur in a number.
        (None, ValueRef::Value(Value::N(_)))
            if !needle
                .bytes()
                .all(|b| b.is_ascii_digit() || b"-.".contains(&b)) =>
        {
            false
        }
        (None, other) => text_contains(&other.to_text(), needle),
    }
}

fn text_contains(text: &str, needle: &str) -> bool {
    let Some((first, rest)) = needle.as_bytes().split_first() else {
        return true;
    };
    if !needle.is_ascii() {
        return text.to_lowercase().contains(needle);
    }
    let text = text.as_bytes();
    let Some(last) = text.len().checked_sub(needle.len()) else {
        return false;
    };
    // The same byte twice if it is not a letter.
    let upper = first.to_ascii_uppercase();
    (text[..=last].iter().enumerate()).any(|(at, byte)| {
        (byte == first || *byte == upper)
            && text[at + 1..at + needle.len()].eq_ignore_ascii_case(rest)
    })
}

/// Returns the range of lines to render: those visible in a region of this height scrolled by `top`, and at least
/// `overscan` more on each side. `top`, `height` and `row` (the height of a line) are in the same unit. The range is
/// aligned to multiples of half of `overscan`, so that scrolling by one line rarely changes it.
pub fn visible_lines(
    top: f64,
    height: f64,
    row: f64,
    count: usize,
    overscan: usize,
) -> Range<usize> {
    let step = (overscan / 2).max(1);
    let first = (top.max(0.0) / row).floor() as usize;
    let end = ((top.max(0.0) + height.max(0.0)) / row).ceil() as usize;
    let from = (first / step * step).saturating_sub(overscan);
    let to = end.div_ceil(step) * step + overscan;
    from.min(count)..to.min(count)
}

/// Returns the columns, counted from 0, that overlap the range `seen`. It is measured from the left edge of the
/// first column, in the unit of `widths`.
pub fn columns_between(widths: &[f64], seen: Range<f64>) -> Range<usize> {
    let mut left = 0.0;
    let (mut first, mut end) = (0, 0);
    for (at, width) in widths.iter().enumerate() {
        if left < seen.end {
            end = at + 1;
        }
        left += width;
        if left <= seen.start {
            first = at + 1;
        }
    }
    first..end.max(first)
}

/// Returns the length in characters of the longest text in the first rows of a column.
pub fn longest_text(view: &View, column: &str) -> usize {
    let rows = view.rows.iter().map(|row| row.item).take(MEASURED_ROWS);
    (rows.chain(view.failed.iter().take(MEASURED_ROWS).cloned()))
        .filter_map(|item| {
            let value = item.known(column)?;
            Some(match value.text() {
                Some(text) => text.chars().count(),
                None => value.to_text().chars().count(),
            })
        })
        .max()
        .unwrap_or(0)
}
