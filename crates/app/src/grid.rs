//! The live table's arithmetic: which line of the table shows what ([`Sheet`]), which lines are in sight
//! ([`window`]), where a key press goes ([`Sheet::go`]), how wide a column is. What is done with cells is in the
//! submodules. No drawing.

pub mod cells;
pub mod copy;
pub mod fill;
pub mod find;
pub mod layout;
pub mod nested;
pub mod paste;
pub mod presence;
pub mod recycle;

use keyfold_core::engine::{Item, Row, ValueRef, View};
use keyfold_core::model::{EntityId, SampleId, SortedSet, Value, compare_keys};
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

/// Rows that are looked at to find the width of a column.
const MEASURED: usize = 200;

/// One line of the table, from the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// A row of the view, by its number there.
    Row(usize),
    /// The heading of the items that DynamoDB would refuse.
    Heading,
    /// An item that DynamoDB would refuse, by its number in [`View::failed`].
    Refused(usize),
    /// Why that item would be refused; always the line below it.
    Reason(usize),
}

/// Where a row stands in its item collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Number of the item collection in the view.
    pub group: usize,
    /// Whether it is the first of those shown.
    pub first: bool,
    /// Whether it is the last of those shown.
    pub last: bool,
}

/// A step from cell to cell. Column 0 is the row's head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Go {
    /// One cell to the left.
    Left,
    /// One cell to the right.
    Right,
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// That many lines up.
    PageUp(usize),
    /// That many lines down.
    PageDown(usize),
    /// To the row's first cell after its head.
    RowStart,
    /// To the last cell of the row.
    RowEnd,
    /// To the first row.
    Top,
    /// To the last row.
    Bottom,
    /// To the next cell of a value, in the next row if need be.
    Next,
    /// To the cell of a value before, in the row above if need be.
    Previous,
}

/// Which items of a view are shown, and in which order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shown {
    /// Only items that have this text in one of the view's columns.
    pub filter: String,
    /// No items of these entities.
    pub without: SortedSet<EntityId>,
    /// Another order than DynamoDB's; `None`: DynamoDB's.
    pub sort: Option<Sort>,
}

impl Shown {
    /// Whether all items are shown in DynamoDB's order.
    pub fn is_all(&self) -> bool {
        self.filter.trim().is_empty() && self.without.is_empty() && self.sort.is_none()
    }
}

/// An order by the values of an attribute; items without it come last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    /// The attribute.
    pub column: String,
    /// Whether the greatest value comes first.
    pub descending: bool,
}

/// A view as lines: its rows that pass the filter, then, in the table's own view, the items that DynamoDB
/// would refuse, each with the reason on a line of its own.
#[derive(Debug, Clone)]
pub struct Sheet {
    view: Arc<View>,
    rows: Chosen,
    refused: Chosen,
    /// Whether the rows are in DynamoDB's order.
    natural: bool,
}

/// Some of the first `n` numbers. Without a filter it is all of them, and costs nothing.
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
    /// The lines of a view.
    pub fn new(view: Arc<View>, shown: &Shown) -> Sheet {
        let mut sifting = Sifting::new(view, shown.clone());
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

    /// The value of an item that is seen here: none where the item lacks it, or the index does not project it.
    pub fn value<'a>(&self, item: &'a Item, name: &str) -> Option<ValueRef<'a>> {
        let content = self.view.content.as_ref();
        let value = item.get(name)?;
        content
            .is_none_or(|content| content.shows(name))
            .then_some(value)
    }

    /// The view behind it.
    pub fn view(&self) -> &Arc<View> {
        &self.view
    }

    /// Number of the view's rows that are shown.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Number of refused items that are shown.
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

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a line shows.
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

    /// The item that has its cells on this line.
    pub fn item(&self, at: usize) -> Option<Item> {
        match self.line(at)? {
            Line::Row(row) => self.view.rows.get(row).map(|row| row.item),
            Line::Refused(refused) => self.view.failed.get(refused).cloned(),
            Line::Heading | Line::Reason(_) => None,
        }
    }

    /// The line of a sample's item. `near` is where it stood before, and is looked at first.
    pub fn find(&self, sample: SampleId, near: usize) -> Option<usize> {
        let is_it = |at: &usize| self.item(*at).is_some_and(|item| item.id() == sample);
        Some(near)
            .filter(is_it)
            .or_else(|| (0..self.len()).find(is_it))
    }

    /// Where the row on this line stands in its item collection; `None` for other lines.
    pub fn place(&self, at: usize) -> Option<Place> {
        let Line::Row(row) = self.line(at)? else {
            return None;
        };
        let group = (self.view.groups).partition_point(|group| group.rows.end <= row);
        let rows = &self.view.groups.get(group)?.rows;
        if !self.natural {
            return Some(Place {
                group,
                first: true,
                last: true,
            });
        }
        Some(Place {
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

    /// This line, or the next one with cells.
    pub fn at_or_after(&self, at: usize) -> Option<usize> {
        (at..self.len()).find(|at| self.item(*at).is_some())
    }

    /// This line, or the last one before with cells.
    pub fn at_or_before(&self, at: usize) -> Option<usize> {
        (0..=at).rev().find(|at| self.item(*at).is_some())
    }

    /// The line and column that a step leads to. `columns` counts the head of the row too. A step beyond the
    /// edge stays.
    pub fn go(&self, (line, column): (usize, usize), go: Go, columns: usize) -> (usize, usize) {
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
            Go::Left => (line, column.saturating_sub(1)),
            Go::Right => (line, (column + 1).min(right_end)),
            Go::Up => (up(1), column),
            Go::Down => (down(1), column),
            Go::PageUp(by) => (up(by.max(1)), column),
            Go::PageDown(by) => (down(by.max(1)), column),
            Go::RowStart => (line, 1.min(right_end)),
            Go::RowEnd => (line, right_end),
            Go::Top => (self.first().unwrap_or(line), column),
            Go::Bottom => (self.last().unwrap_or(line), column),
            Go::Next if column < right_end => (line, column + 1),
            Go::Next if down(1) == line => (line, column),
            Go::Next => (down(1), 1.min(right_end)),
            Go::Previous if column > 1 => (line, column - 1),
            Go::Previous if up(1) == line => (line, column),
            Go::Previous => (up(1), right_end),
        }
    }
}

/// The making of a [`Sheet`] in steps, for a view of many rows.
#[derive(Debug, Clone)]
pub struct Sifting {
    view: Arc<View>,
    shown: Shown,
    filter: String,
    /// The rows that are looked at, and those of them that pass.
    at: usize,
    rows: Vec<u32>,
}

impl Sifting {
    /// Begins with the first row.
    pub fn new(view: Arc<View>, shown: Shown) -> Sifting {
        Sifting {
            filter: shown.filter.trim().to_lowercase(),
            view,
            shown,
            at: 0,
            rows: Vec::new(),
        }
    }

    /// Looks at so many more rows; the lines once all are looked at. Sorting otherwise than DynamoDB is one step.
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
        !self.shown.without.contains(&item.entity)
            && (self.filter.is_empty()
                || item.any(&|name, value| contains(value, &self.filter) && shows(name)))
    }
}

/// Sorts rows of a view. Equal ones stay in DynamoDB's order.
fn put_in_order(rows: &mut Vec<u32>, view: &View, sort: &Sort) {
    let items: Vec<Row> = (rows.iter())
        .filter_map(|row| view.rows.get(*row as usize))
        .collect();
    let values: Vec<_> = (items.iter())
        .map(|row| row.item.get(&sort.column).map(ValueRef::value))
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

/// Whether the value's text has `needle`, which is in lower case, in it.
pub fn contains(value: ValueRef, needle: &str) -> bool {
    match (value.text(), value) {
        (Some(text), _) => text_contains(text, needle),
        // Most needles are no part of any number.
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
    // Two letters, or the same character twice.
    let upper = first.to_ascii_uppercase();
    (text[..=last].iter().enumerate()).any(|(at, byte)| {
        (byte == first || *byte == upper)
            && text[at + 1..at + needle.len()].eq_ignore_ascii_case(rest)
    })
}

/// The lines in sight of a region of this height, scrolled by `top`, and at least `overscan` more on each side. It starts
/// and ends at multiples of half of `overscan`, so that scrolling by a line mostly leaves it as it is, and few lines
/// come at a time.
pub fn window(top: f64, height: f64, row: f64, count: usize, overscan: usize) -> Range<usize> {
    let step = (overscan / 2).max(1);
    let first = (top.max(0.0) / row).floor() as usize;
    let end = ((top.max(0.0) + height.max(0.0)) / row).ceil() as usize;
    let from = (first / step * step).saturating_sub(overscan);
    let to = end.div_ceil(step) * step + overscan;
    from.min(count)..to.min(count)
}

/// The columns, counted from 0, of which anything lies between `seen.start` and `seen.end`, both measured from the left
/// edge of the first one. The unit is that of the widths.
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

/// The number of characters of the longest text among the first rows of a column.
pub fn longest(view: &View, column: &str) -> usize {
    let rows = view.rows.iter().map(|row| row.item).take(MEASURED);
    (rows.chain(view.failed.iter().take(MEASURED).cloned()))
        .filter_map(|item| {
            let value = item.get(column)?;
            Some(match value.text() {
                Some(text) => text.chars().count(),
                None => value.to_text().chars().count(),
            })
        })
        .max()
        .unwrap_or(0)
}
