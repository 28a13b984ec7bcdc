//! Order and visibility of the table's columns. They belong to the user's view, not to the design.

use keyfold_core::model::SortedSet;

/// The column arrangement of the table or an index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ColumnOrder {
    /// Attributes in the order chosen by the user; empty if not chosen.
    order: Vec<String>,
    /// Hidden attributes.
    hidden: SortedSet<String>,
}

impl ColumnOrder {
    /// Whether a column is visible.
    pub fn shows(&self, name: &str) -> bool {
        !self.hidden.contains(name)
    }

    /// Hides a visible column, or shows a hidden one.
    pub fn toggle(&mut self, name: &str) {
        if !self.hidden.remove(name) {
            self.hidden.insert(name.to_owned());
        }
    }

    /// Shows all columns.
    pub fn show_all(&mut self) {
        self.hidden.clear();
    }

    /// Whether there is anything to reset: a chosen order, or hidden columns.
    pub fn is_changed(&self) -> bool {
        !self.order.is_empty() || !self.hidden.is_empty()
    }

    /// Returns the order of all columns, visible or not, as positions in `natural`. The first `keys` columns stay
    /// first. A column that is newer than the chosen order comes after its predecessor in `natural`.
    pub fn order(&self, natural: &[&str], keys: usize) -> Vec<usize> {
        let place = |name: &String| natural.iter().position(|other| other == name);
        let is_free = |place: &usize| *place >= keys;
        let mut order: Vec<usize> = (0..keys.min(natural.len())).collect();
        let by_hand = self.order.iter().filter_map(place).filter(is_free);
        order.extend(by_hand);
        for at in keys..natural.len() {
            if !order.contains(&at) {
                let before = order.iter().position(|other| other + 1 == at);
                order.insert(
                    before.map_or(order.len().min(keys), |before| before + 1),
                    at,
                );
            }
        }
        order
    }

    /// Moves a column to the position of another. Key columns do not move. Returns whether anything moved.
    pub fn move_column(&mut self, name: &str, to: &str, natural: &[&str], keys: usize) -> bool {
        let order = self.order(natural, keys);
        let at = |name: &str| order.iter().position(|place| natural[*place] == name);
        let (Some(from), Some(to)) = (at(name), at(to)) else {
            return false;
        };
        let to = to.max(keys);
        if from < keys || from == to {
            return false;
        }
        let mut names: Vec<String> = (order.iter()).map(|at| natural[*at].to_owned()).collect();
        let moved = names.remove(from);
        names.insert(to, moved);
        self.order = names;
        true
    }
}
