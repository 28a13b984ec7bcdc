//! Which items of a view are shown, and in which order. Filters in slices.

use super::lines::{Chosen, Sheet};
use keyfold_core::engine::{Item, Row, ValueRef, View};
use keyfold_core::model::{EntityId, SortedSet, Value, compare_keys};
use std::cmp::Ordering;
use std::sync::Arc;

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
