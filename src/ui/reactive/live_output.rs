//! Output that takes time to generate: it is generated in slices after a pause in editing. Until then the page shows
//! the previous output.

use super::by_ptr::ByPtr;
use super::erased::{RwSignal, effect};
use super::set_if_other;
use super::sliced_task::{Progress, SlicedTask, When};
use keyfold_core::slices::Slices;
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Pause after the last edit before the output is generated again, in milliseconds.
const PAUSE: u64 = 150;

/// Callbacks that wait for the result.
type Waiting<T> = Vec<Box<dyn FnOnce(&T)>>;

/// Output that depends on the design and is generated in slices. A handle: copying it costs nothing.
pub struct LiveOutput<T: Send + Sync + 'static> {
    /// The last output; `None` before the first, or if there is nothing to generate.
    pub made: RwSignal<Option<ByPtr<T>>>,
    /// Whether new output is being generated.
    pub busy: RwSignal<bool>,
    task: SlicedTask,
    waiting: StoredValue<Waiting<T>, LocalStorage>,
}

impl<T: Send + Sync + 'static> Clone for LiveOutput<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync + 'static> Copy for LiveOutput<T> {}

impl<T: Send + Sync + 'static> LiveOutput<T> {
    /// Runs `work` now and whenever a signal that it reads changes. `work` returns `None` if there is nothing to
    /// generate.
    pub fn new(work: impl Fn() -> Option<Slices<T>> + 'static) -> Self {
        let making = LiveOutput {
            made: RwSignal::new(None),
            busy: RwSignal::new(false),
            task: SlicedTask::new(),
            waiting: StoredValue::new_local(Vec::new()),
        };
        effect(move || {
            let Some(work) = work() else {
                making.task.cancel();
                set_if_other(making.busy, false);
                making.waiting.set_value(Vec::new());
                if making.made.with_untracked(Option::is_some) {
                    making.made.set(None);
                }
                return;
            };
            set_if_other(making.busy, true);
            // The first output is generated without the pause.
            making.make(
                match making.made.with_untracked(Option::is_none) {
                    true => When::Now,
                    false => When::After(Duration::from_millis(PAUSE)),
                },
                work,
            );
        });
        making
    }

    fn make(self, when: When, mut work: Slices<T>) {
        self.task.start(when, move |slice| {
            let Some(made) = slice.run(|| work.step()) else {
                return Progress::Unfinished;
            };
            let made = Arc::new(made);
            self.made.set(Some(ByPtr(made.clone())));
            self.busy.set(false);
            let waiting = self.waiting.try_update_value(std::mem::take);
            for then in waiting.unwrap_or_default() {
                then(&made);
            }
            Progress::Finished
        });
    }

    /// Calls `then` with the output of the current design: now, or once it is generated.
    pub fn when_made(self, then: impl FnOnce(&T) + 'static) {
        match self.made.get_untracked() {
            Some(made) if !self.busy.get_untracked() => then(&made),
            _ => (self.waiting).update_value(|waiting| waiting.push(Box::new(then))),
        }
    }
}
