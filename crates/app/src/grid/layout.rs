//! The order of the table's columns and which of them are shown: the person's affair, apart from the design.

use keyfold_core::model::SortedSet;

/// How the columns of the table or an index are arranged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    /// The attributes in the order that was made by hand; empty: none was.
    order: Vec<String>,
    /// The attributes that are not shown.
    hidden: SortedSet<String>,
}

impl Layout {
    /// Whether a column is shown.
    pub fn shows(&self, name: &str) -> bool {
        !self.hidden.contains(name)
    }

    /// Shows a column that is hidden, hides one that is shown.
    pub fn toggle(&mut self, name: &str) {
        if !self.hidden.remove(name) {
            self.hidden.insert(name.to_owned());
        }
    }

    /// Shows all columns.
    pub fn show_all(&mut self) {
        self.hidden.clear();
    }

    /// Whether there is anything to go back from: an order by hand, or hidden columns.
    pub fn is_changed(&self) -> bool {
        !self.order.is_empty() || !self.hidden.is_empty()
    }

    /// All columns, shown or not, in their order, each as its place in `natural`. The first `keys` of them stay
    /// first. A column that came after the order was made stands behind the one it naturally follows.
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

    /// Moves a column to the place of another, past it. Keys stay where they are. Whether anything moved.
    pub fn put(&mut self, name: &str, to: &str, natural: &[&str], keys: usize) -> bool {
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
