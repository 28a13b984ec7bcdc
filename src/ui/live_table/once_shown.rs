//! What is done once the table shows the design as it is now. The view of a large table is computed in slices: until
//! they are done, a row that was just added is in none of the lines.

use super::grid::{CellId, Grid};
use crate::ui::reactive::erased::effect;
use leptos::prelude::*;
use std::sync::Arc;
use web_sys::Element;

/// Something to do later, and where the person was who asked for it.
pub struct Pending {
    active: Option<CellId>,
    focus: Option<Element>,
    run: Box<dyn FnOnce()>,
}

impl Grid {
    /// Runs this once the lines are those of the design as it is now: at once, or when they are computed. It is dropped
    /// if by then another cell is active, the keyboard focus is in another part of the page, or more was asked for.
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

    /// Runs what is pending when the lines are there.
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

    /// Whether the lines are those of the design as it is now.
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
