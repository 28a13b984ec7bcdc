//! Sorting the rows by a column, and back to DynamoDB's order.

use super::grid::Grid;
use crate::ui::reactive::erased::effect;
use keyfold_app::grid::SortBy;
use leptos::prelude::*;

impl Grid {
    /// Sorts the rows by a column.
    pub fn sort_by(self, name: &str, descending: bool) {
        self.sort.set(Some(SortBy {
            column: name.to_owned(),
            descending,
        }));
        let order = if descending {
            "descending"
        } else {
            "ascending"
        };
        (self.store.spoken).set(format!("Sorted by {name}, {order}"));
    }

    /// Returns what a press on a column's sort button does, and its title: first ascending, then descending (`Some(true)`),
    /// then DynamoDB's order again (`None`).
    pub fn next_order(self, name: &str) -> (Option<bool>, &'static str) {
        let now = self.sort.with(|sort| {
            let sort = sort.as_ref().filter(|sort| sort.column == name)?;
            Some(sort.descending)
        });
        match now {
            None => (Some(false), "Sort ascending"),
            Some(false) => (Some(true), "Sort descending"),
            Some(true) => (None, "Restore DynamoDB's order"),
        }
    }

    /// Keeps the sort on a renamed column, and ends that of a column that is gone.
    pub(super) fn follow_sorted_column(self) {
        let before: StoredValue<Vec<String>> = StoredValue::default();
        effect(move || {
            let now: Vec<String> =
                (self.all_columns).with(|all| all.iter().map(|head| head.name.clone()).collect());
            let before = before.try_update_value(|names| std::mem::replace(names, now.clone()));
            let Some((before, sort)) = before.zip(self.sort.get_untracked()) else {
                return;
            };
            if now.contains(&sort.column) || before.is_empty() {
                return;
            }
            let place = before.iter().position(|name| *name == sort.column);
            let renamed = place.filter(|_| before.len() == now.len());
            let renamed = renamed.map(|at| now[at].clone());
            let renamed = renamed.filter(|name| !before.contains(name));
            self.sort
                .set(renamed.map(|column| SortBy { column, ..sort }));
        });
    }

    /// Restores DynamoDB's order.
    pub fn unsort(self) {
        self.sort.set(None);
        self.store.spoken.set("DynamoDB order restored".to_owned());
    }
}
