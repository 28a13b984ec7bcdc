//! Work deferred until the table shows the current design. The view of a large table is computed in time slices:
//! until they are done, no line shows a row that was just added.

use super::grid::Grid;
use super::selected_cells::CellId;
use crate::ui::reactive::erased::effect;
use leptos::prelude::*;
use std::sync::Arc;
use web_sys::Element;

/// Deferred work, and the active cell and focus when it was requested.
pub struct Pending {
    active: Option<CellId>,
    focus: Option<Element>,
    run: Box<dyn FnOnce()>,
}

impl Grid {
    /// Runs this once the lines match the current design: now, or when they are computed. It is dropped if by then
    /// another cell is active, the keyboard focus is in another part of the page, or there is a newer request.
    pub fn once_shown(self, run: impl FnOnce() + 'static) {
        if self.is_current() {
            self.pending.set_value(None);
            return run();
        }
        self.pending.set_value(Some(Pending {
            active: self.active.get_untracked(),
            focus: document().active_element(),
            run: Box::new(run),
        }));
    }

    /// Runs pending work when the lines are ready.
    pub(super) fn follow_lines(self) {
        effect(move || {
            self.sheet.track();
            self.store.working.track();
            if !untrack(|| self.is_current()) {
                return;
            }
            let pending = self.pending.try_update_value(Option::take).flatten();
            if let Some(pending) = pending
                && untrack(|| self.is_still(&pending))
            {
                untrack(pending.run);
            }
        });
    }

    /// Returns whether the lines match the current design.
    fn is_current(self) -> bool {
        let view = self.shown_view.with_untracked(|view| view.0.clone());
        let is_filtered = (self.sheet).with_untracked(|sheet| Arc::ptr_eq(sheet.view(), &view));
        is_filtered && self.store.is_computed()
    }

    fn is_still(self, pending: &Pending) -> bool {
        let focus = document().active_element();
        let is_here = |focus: &Element| focus.tag_name() == "BODY" || self.contains(focus);
        let is_there = focus == pending.focus || focus.as_ref().is_none_or(is_here);
        is_there && (self.active).with_untracked(|active| *active == pending.active)
    }
}
