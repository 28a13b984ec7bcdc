//! Computes the items and the visible view of the design. After an edit, work that fits one slice is done at once, so
//! that the same frame shows the result. Longer work runs in slices while the page shows the previous result; another
//! edit restarts it. The code is loaded on demand, with the panels that show the result.

use super::Store;
use crate::platform::clock;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::RwSignal;
use crate::ui::reactive::follow_ids::follow_value;
use crate::ui::reactive::on_demand::{on_demand, poll_once};
use crate::ui::reactive::set_if_other;
use crate::ui::reactive::sliced_task::{Progress, SlicedTask, When};
use keyfold_compare::NewIds;
use keyfold_core::engine::{Computed, Items, View, Work, view};
use keyfold_core::model::{Design, EntityId, IndexId};
use leptos::prelude::*;
use std::sync::Arc;

/// Work shorter than this, in milliseconds, shows no progress: the page would have to be painted after each slice.
const PATIENCE: f64 = 250.0;

/// The engine's functions.
#[derive(Clone, Copy)]
pub(super) struct EngineCode {
    step: fn(&mut Work) -> Option<Computed>,
    view: fn(&Design, IndexId, &[Arc<Items>]) -> View,
}

on_demand!(panels, engine_code: EngineCode = EngineCode { step: Work::step, view });

/// The last result, and the computation in progress. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub(super) struct Computing {
    last: StoredValue<Arc<Computed>>,
    task: SlicedTask,
    /// Whether the task has not finished.
    is_running: StoredValue<bool>,
    /// The table or index whose view is visible.
    index: StoredValue<Option<IndexId>>,
    view: RwSignal<ByPtr<View>>,
}

impl Computing {
    pub fn new() -> Computing {
        Computing {
            last: StoredValue::new(Arc::new(Computed::nothing())),
            task: SlicedTask::new(),
            is_running: StoredValue::new(false),
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

    /// The index whose view is visible has another id now.
    pub(super) fn follow_moved_view(self, moved: &NewIds) {
        follow_value(self.computing.index, moved);
    }

    /// Discards all results, for another design.
    pub(super) fn forget_computed(self) {
        let Computing {
            last,
            task,
            is_running,
            index,
            ..
        } = self.computing;
        last.set_value(Arc::new(Computed::nothing()));
        // The computation in progress is of the previous design.
        task.cancel();
        is_running.set_value(false);
        let index = index.get_value().unwrap_or(IndexId::PRIMARY);
        match self.unpainted.get_untracked() {
            // Its columns are computed after the first paint.
            true => self.show_view(View::nothing(index)),
            false => self.show_no_view(index),
        }
    }

    fn show_no_view(self, index: IndexId) {
        let empty = match poll_once(engine_code()) {
            Ok(Ok(code)) => self.with(|design| (code.view)(design, index, &[])),
            _ => View::nothing(index),
        };
        self.show_view(empty);
    }

    /// Shows this view until the view of the design is computed.
    fn show_view(self, empty: View) {
        self.opening.set(true);
        self.computing.view.set(ByPtr(Arc::new(empty)));
    }

    /// Computes the items and the view of the current design.
    pub(super) fn compute(self) {
        self.start(When::Now);
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
                    self.start(When::Soon);
                    self.show_working(0.0, false);
                }
            });
        });
    }

    /// Whether the results are of the current design.
    pub fn is_computed(self) -> bool {
        let is_idle = !self.computing.is_running.get_value();
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

    fn start(self, when: When) {
        let Computing {
            last,
            task,
            is_running,
            index,
            ..
        } = self.computing;
        let begun = clock::now();
        let mut begun_work: Option<(Work, EngineCode)> = None;
        is_running.set_value(true);
        task.start(when, move |slice| {
            if begun_work.is_none() {
                // After a load that failed, the next run begins later, and loads only then.
                if let Some(code) = self.loaded(engine_code, Store::start) {
                    let design = self.with(Clone::clone);
                    let work = Work::new(last.get_value(), design, index.get_value());
                    begun_work = Some((work, code));
                }
            }
            let Some((work, code)) = &mut begun_work else {
                self.show_working(0.0, false);
                return Progress::Finished;
            };
            match slice.run(|| (code.step)(work)) {
                Some(computed) => {
                    is_running.set_value(false);
                    self.show_computed(Arc::new(computed));
                    Progress::Finished
                }
                None => {
                    self.show_working(work.progress(), clock::now() - begun > PATIENCE);
                    Progress::Unfinished
                }
            }
        });
    }

    /// Shows that the page works. Shows the progress if the work is long; progress that is shown stays shown, and
    /// without a view there is nothing else to show.
    fn show_working(self, progress: f64, is_long: bool) {
        set_if_other(self.working, true);
        if is_long || self.progress.with_untracked(Option::is_some) || self.opening.get_untracked()
        {
            self.progress.set(Some(progress));
        }
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
