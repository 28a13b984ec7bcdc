//! Sorting the rows by a column, and back to DynamoDB's order.

use super::grid::Grid;
use keyfold_app::grid::SortBy;

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

    /// Restores DynamoDB's order.
    pub fn unsort(self) {
        self.sort.set(None);
        self.store.spoken.set("DynamoDB order restored".to_owned());
    }
}
