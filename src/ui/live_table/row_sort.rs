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

    /// Restores DynamoDB's order.
    pub fn unsort(self) {
        self.sort.set(None);
        self.store.spoken.set("DynamoDB order restored".to_owned());
    }
}
