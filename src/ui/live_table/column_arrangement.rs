//! Order and visibility of columns.

use super::columns;
use super::grid::Grid;

impl Grid {
    /// Moves a column past this many others; to the left if negative.
    pub fn move_column(self, name: &str, by: isize) {
        let names = self.names();
        let Some(at) = names.iter().position(|other| other == name) else {
            return;
        };
        let to = at.saturating_add_signed(by).min(names.len() - 1);
        self.put_column(name, &names[to]);
    }

    /// Moves a column to the place of another. Key columns stay first.
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
            None => self.hint.set(Some("Key columns stay first.".into())),
        }
    }

    /// Shows or hides a column.
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

    /// Returns whether columns are hidden or not in their default order.
    pub fn is_rearranged(self) -> bool {
        self.layout.with_untracked(|layout| layout.is_changed())
    }
}
