//! Computes the items and the visible view of the design. After an edit, work that fits one slice is done at once, so
//! that the same frame shows the result. Longer work runs in slices while the page shows the previous result; another
//! edit restarts it.

use super::Store;
use crate::platform::clock;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::RwSignal;
use crate::ui::reactive::set_if_other;
use keyfold_core::engine::{Computed, Items, View, Work, view};
use keyfold_core::model::{EntityId, IndexId};
use leptos::prelude::*;
use std::sync::Arc;

/// Duration of a slice of work, in milliseconds: the longest that input may wait.
const SLICE: f64 = 10.0;
/// Work shorter than this, in milliseconds, shows no progress: the page would have to be painted after each slice.
const PATIENCE: f64 = 250.0;

/// The last result, and the computation in progress. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub(super) struct Computing {
    last: StoredValue<Arc<Computed>>,
    work: StoredValue<Option<Work>>,
    /// Counts the computations: a slice of an earlier one does nothing.
    number: StoredValue<u64>,
    /// Start of the work, in milliseconds.
    begun: StoredValue<f64>,
    /// The table or index whose view is visible.
    index: StoredValue<Option<IndexId>>,
    view: RwSignal<ByPtr<View>>,
}

impl Computing {
    pub fn new() -> Computing {
        Computing {
            last: StoredValue::new(Arc::new(Computed::nothing())),
            work: StoredValue::new(None),
            number: StoredValue::new(0),
            begun: StoredValue::new(0.0),
            index: StoredValue::new(None),
            view: RwSignal::new(ByPtr(Arc::new(View::nothing(IndexId::PRIMARY)))),
        }
    }
}

impl Store {
    /// The view of the table or an index, kept up to date until the reactive owner is disposed. Only one is visible at
    /// a time.
    pub fn look_at(self, index: IndexId) -> RwSignal<ByPtr<View>> {
        let computing = self.computing;
        computing.index.set_value(Some(index));
        on_cleanup(move || {
            let _ = computing.index.try_update_value(|looked_at| {
                if *looked_at == Some(index) {
                    *looked_at = None;
                }
            });
        });
        if computing.view.with_untracked(|view| view.index != index) {
            self.show_no_view(index);
        }
        self.compute();
        computing.view
    }

    /// Discards all results, for another design.
    pub(super) fn forget_computed(self) {
        let Computing {
            last,
            work,
            number,
            index,
            ..
        } = self.computing;
        last.set_value(Arc::new(Computed::nothing()));
        // The computation in progress is of the previous design.
        work.set_value(None);
        number.update_value(|number| *number += 1);
        let index = index.get_value().unwrap_or(IndexId::PRIMARY);
        match self.unpainted.get_untracked() {
            // Its columns are computed after the first paint.
            true => self.show_view(View::nothing(index)),
            false => self.show_no_view(index),
        }
    }

    fn show_no_view(self, index: IndexId) {
        self.show_view(self.with(|design| view(design, index, &[])));
    }

    /// Shows this view until the view of the design is computed.
    fn show_view(self, empty: View) {
        self.opening.set(true);
        self.computing.view.set(ByPtr(Arc::new(empty)));
    }

    /// Computes the items and the view of the current design.
    pub(super) fn compute(self) {
        self.begin();
        if !self.work_on() {
            self.go_on();
        }
    }

    /// As [`Store::compute`], for a large design that was just opened: first paints its canvas, then the regions around
    /// it.
    pub(super) fn compute_later(self) {
        let opened = self.opened.get_untracked() + 1;
        self.view.next_frame(move || {
            self.view.next_frame(move || {
                if self.opened.try_get_untracked() == Some(opened) {
                    self.unpainted.set(false);
                    let index = self.computing.index.get_value();
                    self.show_no_view(index.unwrap_or(IndexId::PRIMARY));
                    self.begin();
                    self.go_on();
                }
            });
        });
    }

    /// Whether the results are of the current design.
    pub fn is_computed(self) -> bool {
        let is_idle = self.computing.work.with_value(Option::is_none);
        // The computation of a large design that was just opened starts later.
        is_idle && !self.unpainted.get_untracked()
    }

    /// The results for the current design; `None` while they are being computed.
    pub(super) fn computed(self) -> Option<Arc<Computed>> {
        self.is_computed().then(|| self.computing.last.get_value())
    }

    /// The last computed items of an entity; no items before the first computation.
    pub(super) fn items_of(self, id: EntityId) -> Arc<Items> {
        let items = (self.computing.last).with_value(|last| last.items().get(&id).cloned());
        items.unwrap_or_else(|| Arc::new(Items::none(id)))
    }

    fn begin(self) {
        let Computing {
            last,
            work,
            number,
            begun,
            index,
            ..
        } = self.computing;
        let new =
            self.with(|design| Work::new(last.get_value(), design.clone(), index.get_value()));
        work.set_value(Some(new));
        number.update_value(|number| *number += 1);
        begun.set_value(clock::now());
    }

    fn go_on(self) {
        let number = self.computing.number.get_value();
        set_if_other(self.working, true);
        // Progress that is shown stays shown; without a view there is nothing else to show.
        if self.progress.with_untracked(Option::is_some)
            || self.opening.get_untracked()
            || clock::now() - self.computing.begun.get_value() > PATIENCE
        {
            let work = self.computing.work;
            self.progress
                .set(work.with_value(|work| work.as_ref().map(Work::progress)));
        }
        self.view.soon(move || {
            let is_current = self.computing.number.try_get_value() == Some(number);
            if is_current && !self.work_on() {
                self.go_on();
            }
        });
    }

    /// Works for one slice. Returns whether all work is done; if so, shows the results.
    fn work_on(self) -> bool {
        let start = clock::now();
        let mut done = None;
        self.computing.work.update_value(|work| {
            while let Some(work) = work
                && done.is_none()
                && clock::now() - start < SLICE
            {
                done = work.step();
            }
        });
        let Some(done) = done else { return false };
        self.computing.work.set_value(None);
        self.show_computed(Arc::new(done));
        true
    }

    fn show_computed(self, computed: Arc<Computed>) {
        for (id, items) in computed.items() {
            let node = self.entities.with_value(|nodes| nodes.get(id).cloned());
            let changed = |node: &super::EntityNode| {
                node.items
                    .with_untracked(|shown| !Arc::ptr_eq(&shown.0, items))
            };
            if let Some(node) = node.filter(changed) {
                node.items.set(ByPtr(items.clone()));
            }
        }
        if let Some(view) = computed.view() {
            self.computing.view.set(ByPtr(view.clone()));
            self.opening.set(false);
        }
        set_if_other(self.working, false);
        if self.progress.with_untracked(Option::is_some) {
            self.progress.set(None);
        }
        self.computing.last.set_value(computed);
    }
}
