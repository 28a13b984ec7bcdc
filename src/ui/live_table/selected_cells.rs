//! Which cells are active or selected, by items and attributes, not by positions: it survives changes of focus and order.

use super::columns::Head;
use keyfold_app::moved_ids::HoldsIds;
use keyfold_compare::NewIds;
use keyfold_core::model::{IndexId, SampleId};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A cell, by item and attribute, not by position: it survives a change of order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellId {
    /// The item.
    pub sample: SampleId,
    /// The attribute; `None` for the row head.
    pub column: Option<String>,
}

impl HoldsIds for CellId {
    fn follow(&mut self, moved: &NewIds) {
        self.sample.follow(moved);
    }
}

/// Selected cells. The active cell is one corner.
#[derive(Debug, Clone, PartialEq)]
pub struct Range {
    /// The opposite corner.
    pub extent: CellId,
    /// The items.
    pub rows: Arc<FxHashSet<SampleId>>,
    /// The attributes.
    pub columns: Arc<Vec<String>>,
}

impl HoldsIds for Range {
    fn follow(&mut self, moved: &NewIds) {
        self.extent.follow(moved);
        Arc::make_mut(&mut self.rows).follow(moved);
    }
}

/// A choice in the table, by IDs and names: it survives changes of focus, order and selection.
#[derive(Debug, Clone, PartialEq)]
pub struct TableSelection {
    /// The open design, by [`crate::ui::state::store::Store::opened`], and the table or index.
    pub(super) of: (u64, IndexId),
    /// The active cell.
    pub active: Option<CellId>,
    /// The selected cells, if more than the active one.
    pub range: Option<Range>,
    /// The selected rows.
    pub rows: FxHashSet<SampleId>,
    /// The column for column commands.
    pub column: Option<String>,
}

impl HoldsIds for TableSelection {
    fn follow(&mut self, moved: &NewIds) {
        self.of.1.follow(moved);
        self.active.follow(moved);
        self.range.follow(moved);
        self.rows.follow(moved);
    }
}

impl Range {
    /// Returns the first and the last of these columns among the visible ones.
    pub fn columns_among(&self, heads: &[Head]) -> Option<(usize, usize)> {
        let is_in = |head: &Head| self.columns.contains(&head.name);
        let first = heads.iter().position(is_in)?;
        Some((first, heads.iter().rposition(is_in)?))
    }
}
