//! What the live table remembers from tab to tab while a design is open: how the rows and columns of each table or
//! index are arranged, and the item one is looking at. It is not part of the design.

use super::grid::{CellId, Grid};
use keyfold_app::grid::SheetOptions;
use keyfold_app::grid::layout::ColumnLayout;
use keyfold_core::model::{IndexId, SampleId, SortedMap};
use leptos::prelude::*;

/// How the table or an index is shown.
#[derive(Debug, Clone, Default)]
pub struct TabState {
    /// Order of the columns, and which are shown.
    pub layout: ColumnLayout,
    /// Widths that were set by hand, by attribute, in CSS pixels.
    pub resized: SortedMap<String, f64>,
    /// Which items are shown, and in which order.
    pub shown: SheetOptions,
    /// Whether the attributes that an index does not project are left out.
    pub projected_only: bool,
}

/// Where one was when a table was left.
#[derive(Debug, Clone)]
pub struct ScrollPosition {
    /// How far it was scrolled down, in CSS pixels.
    pub top: f64,
    /// And to the right.
    pub left: f64,
    /// The active cell.
    pub active: Option<CellId>,
}

/// The memory. A handle: copying it costs nothing.
#[derive(Clone, Copy, Default)]
pub struct Tables {
    /// The table that is in the page.
    pub shown: StoredValue<Option<Grid>>,
    /// The cell that was active last.
    pub active: StoredValue<Option<CellId>>,
    /// Whether the next table takes the keyboard focus when it comes into the page.
    pub takes_focus: StoredValue<bool>,
    /// Opens the menu of the column head with the keyboard focus; the shell sets it.
    pub open_menu: StoredValue<Option<Callback<()>>>,
    tab_states: StoredValue<(u64, SortedMap<IndexId, TabState>)>,
    places: StoredValue<Vec<(IndexId, ScrollPosition)>>,
}

impl Tables {
    /// How an index is shown in the design that was opened as this one.
    pub fn get(self, opened: u64, index: IndexId) -> TabState {
        self.forget_other(opened);
        self.tab_states
            .with_value(|(_, all)| all.get(&index).cloned())
            .unwrap_or_default()
    }

    /// Keeps how an index is shown.
    pub fn set(self, opened: u64, index: IndexId, tab_state: TabState) {
        self.forget_other(opened);
        self.tab_states.update_value(|(_, all)| {
            all.insert(index, tab_state);
        });
    }

    /// Where one was when an index was left.
    pub fn place(self, index: IndexId) -> Option<ScrollPosition> {
        let place = |(of, place): &(IndexId, ScrollPosition)| (*of == index).then(|| place.clone());
        self.places.with_value(|all| all.iter().find_map(place))
    }

    /// Keeps how far an index that is left is scrolled down and to the right, in the design that was opened as this one.
    pub fn leave(self, opened: u64, index: IndexId, [top, left]: [f64; 2]) {
        self.forget_other(opened);
        let active = self.active.get_value();
        self.places.update_value(|all| {
            all.retain(|(of, _)| *of != index);
            all.push((index, ScrollPosition { top, left, active }));
        });
    }

    /// Makes the item of a sample the active one in the table of an index, or its cell of an attribute: in the table that is
    /// in the page if it is that one, else in the next one.
    pub fn point_at(self, index: IndexId, sample: Option<SampleId>, column: Option<String>) {
        let spot = sample.map(|sample| CellId { sample, column });
        let shown = (self.shown.get_value()).filter(|grid| grid.index == index);
        match shown {
            Some(grid) => grid.go_to(spot),
            None => {
                self.active.set_value(spot);
                self.takes_focus.set_value(true);
            }
        }
    }

    fn forget_other(self, opened: u64) {
        if self.tab_states.with_value(|(other, _)| *other != opened) {
            self.tab_states.set_value((opened, SortedMap::new()));
            self.places.set_value(Vec::new());
            self.active.set_value(None);
        }
    }
}

/// The memory of the live table, from the context.
pub fn use_tables() -> Tables {
    expect_context()
}
