//! Arranging rows by a column, and columns: which are shown, in which order, how wide. And what the menu of a cell or a column is about.

use super::columns;
use super::keys::spot_at;
use super::range::Choice;
use super::state::{Grid, Spot};
use crate::ui::actions::Subject;
use keyfold_app::grid::SortBy;
use leptos::prelude::*;
use web_sys::Element;

/// Least and greatest width of a column, in CSS pixels.
const LEAST: f64 = 48.0;
const MOST: f64 = 900.0;

impl Grid {
    /// The column that is meant: that of the head with the focus or of the menu, else that of the active cell.
    pub fn column(self) -> Option<String> {
        (self.head.get_value()).or_else(|| {
            (self.active).with_untracked(|spot| spot.as_ref().and_then(|spot| spot.column.clone()))
        })
    }

    /// Sorts the rows by a column.
    pub fn sort_by(self, name: &str, descending: bool) {
        self.sort.set(Some(SortBy {
            column: name.to_owned(),
            descending,
        }));
        let first = if descending { "greatest" } else { "smallest" };
        (self.store.spoken).set(format!("Sorted by {name}, {first} first"));
    }

    /// Has the rows in DynamoDB's order again.
    pub fn unsort(self) {
        self.sort.set(None);
        self.store.spoken.set("In DynamoDB's order".to_owned());
    }

    /// Moves a column past as many others; to the left if it is negative.
    pub fn move_column(self, name: &str, by: isize) {
        let names = self.names();
        let Some(at) = names.iter().position(|other| other == name) else {
            return;
        };
        let to = at.saturating_add_signed(by).min(names.len() - 1);
        self.put_column(name, &names[to]);
    }

    /// Moves a column to the place of another. The keys of the index stay first.
    pub fn put_column(self, name: &str, to: &str) {
        let moved = self.all_columns.with_untracked(|all| {
            let natural: Vec<&str> = all.iter().map(|head| head.name.as_str()).collect();
            let mut layout = self.layout.get_untracked();
            let moved = layout.move_column(name, to, &natural, columns::keys(all));
            moved.then_some(layout)
        });
        match moved {
            Some(layout) => {
                self.range.set(None);
                self.layout.set(layout);
                let column = self.names().iter().position(|other| other == name);
                let place = column.unwrap_or(0) + 1;
                self.store.spoken.set(format!("{name}: column {place}"));
            }
            None => self.hint.set(Some(
                "The keys of the table or the index are the first columns.".into(),
            )),
        }
    }

    /// Shows a column, or hides it.
    pub fn hide_column(self, name: &str) {
        let is_shown = self.names().iter().any(|other| other == name);
        self.range.set(None);
        self.layout.update(|layout| layout.toggle(name));
        if is_shown {
            self.store.spoken.set(format!("{name} hidden"));
        }
    }

    /// Shows all columns.
    pub fn show_all_columns(self) {
        self.layout.update(|layout| layout.show_all());
    }

    /// Whether columns are hidden, or stand in another order than by nature.
    pub fn is_rearranged(self) -> bool {
        self.layout.with_untracked(|layout| layout.is_changed())
    }

    /// Sets the width of a column, in CSS pixels, as far as that is sensible.
    pub fn set_width(self, name: &str, width: f64) {
        self.resized.update(|all| {
            all.insert(name.to_owned(), width.clamp(LEAST, MOST));
        });
    }

    /// The width of a column, in CSS pixels.
    pub fn width_of(self, name: &str) -> f64 {
        let at = self.names().iter().position(|other| other == name);
        at.and_then(|at| self.widths.with_untracked(|widths| widths.get(at).copied()))
            .unwrap_or(LEAST)
    }

    /// Makes a column as wide as its content.
    pub fn fit_column(self, name: &str) {
        let width = self
            .sheet
            .with_untracked(|sheet| columns::fitting(sheet.view(), name));
        self.set_width(name, width);
    }

    /// Whether a cell is among those that are selected.
    pub fn is_selected(self, spot: &Spot) -> bool {
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

    /// What the menu of an element of the table is about, if it has one, and what is chosen for it. By pointer, a cell that
    /// is not among those that are selected becomes the active one. While another cell holds a text that is no value, there
    /// is no menu.
    pub fn subject_of(self, element: &Element, by_pointer: bool) -> Option<(Subject, Choice)> {
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
