//! What the live table remembers from tab to tab while a design is open: how the columns of each table or index are
//! arranged, and the item one is looking at. It is not part of the design.

use super::state::{Grid, Spot};
use crate::app::grid::layout::Layout;
use crate::domain::model::{EntityId, IndexId, SampleId};
use leptos::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// How the table or an index is shown.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    /// Order of the columns, and which are shown.
    pub layout: Layout,
    /// Widths that were set by hand, by attribute, in CSS pixels.
    pub resized: BTreeMap<String, f64>,
    /// Entities whose items are not shown.
    pub without: BTreeSet<EntityId>,
    /// Whether the attributes that an index does not project are left out.
    pub projected_only: bool,
}

/// The memory. A handle: copying it costs nothing.
#[derive(Clone, Copy, Default)]
pub struct Tables {
    /// The table that is in the page.
    pub shown: StoredValue<Option<Grid>>,
    /// The cell that was active last.
    pub active: StoredValue<Option<Spot>>,
    /// Whether the next table takes the keyboard focus when it comes into the page.
    pub takes_focus: StoredValue<bool>,
    kept: StoredValue<(u64, BTreeMap<IndexId, Kept>)>,
    /// How far each was scrolled when it was left, in CSS pixels, and its active cell then.
    places: StoredValue<Vec<(IndexId, f64, Option<Spot>)>>,
}

impl Tables {
    /// How an index is shown in the design that was opened as this one.
    pub fn get(self, opened: u64, index: IndexId) -> Kept {
        self.forget_other(opened);
        self.kept
            .with_value(|(_, all)| all.get(&index).cloned())
            .unwrap_or_default()
    }

    /// Keeps how an index is shown.
    pub fn set(self, opened: u64, index: IndexId, kept: Kept) {
        self.forget_other(opened);
        self.kept.update_value(|(_, all)| {
            all.insert(index, kept);
        });
    }

    /// How far an index was scrolled down when it was left, and its active cell then.
    pub fn place(self, index: IndexId) -> Option<(f64, Option<Spot>)> {
        let place = |all: &Vec<(IndexId, f64, Option<Spot>)>| {
            let (_, top, active) = all.iter().find(|(of, ..)| *of == index)?;
            Some((*top, active.clone()))
        };
        self.places.with_value(place)
    }

    /// Keeps how far an index that is left is scrolled, in the design that was opened as this one.
    pub fn leave(self, opened: u64, index: IndexId, top: f64) {
        self.forget_other(opened);
        let active = self.active.get_value();
        self.places.update_value(|all| {
            all.retain(|(of, ..)| *of != index);
            all.push((index, top, active));
        });
    }

    /// Makes the item of a sample the active one in the tab that is shown next, or its cell of an attribute.
    pub fn point_at(self, sample: Option<SampleId>, column: Option<String>) {
        let spot = sample.map(|sample| Spot { sample, column });
        self.active.set_value(spot);
        self.takes_focus.set_value(true);
    }

    fn forget_other(self, opened: u64) {
        if self.kept.with_value(|(other, _)| *other != opened) {
            self.kept.set_value((opened, BTreeMap::new()));
            self.places.set_value(Vec::new());
            self.active.set_value(None);
        }
    }
}
