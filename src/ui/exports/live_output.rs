//! What the panel shows takes time to make: it is made in slices, once nothing was edited for a moment. Until it is
//! there the panel goes on with what it has.

use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{RwSignal, effect};
use crate::ui::reactive::later::View;
use crate::ui::reactive::set_if_other;
use keyfold_core::slices::Slices;
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// How long nothing has been edited before something is made anew, in milliseconds.
const PAUSE: u64 = 150;

/// What waits for the result.
type Waiting<T> = Vec<Box<dyn FnOnce(&T)>>;

/// Something that follows from the design and is made in slices. A handle: copying it costs nothing.
pub struct LiveOutput<T: Send + Sync + 'static> {
    /// What was made last; `None`: nothing yet, or there is nothing to make.
    pub made: RwSignal<Option<ByPtr<T>>>,
    /// Whether another one is being made.
    pub busy: RwSignal<bool>,
    /// Counts what was asked for: what is not the last any more is dropped.
    number: StoredValue<u64>,
    waiting: StoredValue<Waiting<T>, LocalStorage>,
    view: View,
}

impl<T: Send + Sync + 'static> Clone for LiveOutput<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for LiveOutput<T> {}

impl<T: Send + Sync + 'static> LiveOutput<T> {
    /// Makes what `work` says, and again whenever a signal changes that `work` reads; `None`: nothing.
    pub fn new(work: impl Fn() -> Option<Slices<T>> + 'static) -> Self {
        let view = View::new();
        let making = LiveOutput {
            made: RwSignal::new(None),
            busy: RwSignal::new(false),
            number: StoredValue::new(0),
            waiting: StoredValue::new_local(Vec::new()),
            view,
        };
        effect(move || {
            making.number.update_value(|number| *number += 1);
            let Some(work) = work() else {
                set_if_other(making.busy, false);
                making.waiting.set_value(Vec::new());
                if making.made.with_untracked(Option::is_some) {
                    making.made.set(None);
                }
                return;
            };
            set_if_other(making.busy, true);
            let number = making.number.get_value();
            // Where there is nothing to look at yet, nobody wants to wait.
            match making.made.with_untracked(Option::is_none) {
                true => making.make(number, work),
                false => {
                    let pause = Duration::from_millis(PAUSE);
                    view.after(pause, move || making.make(number, work));
                }
            }
        });
        making
    }

    fn make(self, number: u64, work: Slices<T>) {
        let is_wanted = move || self.number.try_get_value() == Some(number);
        if !is_wanted() {
            return;
        }
        self.view.in_slices(work, is_wanted, move |made| {
            let made = Arc::new(made);
            self.made.set(Some(ByPtr(made.clone())));
            self.busy.set(false);
            let waiting = self.waiting.try_update_value(std::mem::take);
            for then in waiting.unwrap_or_default() {
                then(&made);
            }
        });
    }

    /// Does something with the result: now, or once it is of the design as it is now.
    pub fn when_made(self, then: impl FnOnce(&T) + 'static) {
        match self.made.get_untracked() {
            Some(made) if !self.busy.get_untracked() => then(&made),
            _ => (self.waiting).update_value(|waiting| waiting.push(Box::new(then))),
        }
    }
}
