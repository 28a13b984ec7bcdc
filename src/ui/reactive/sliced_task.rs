//! A task that works in slices, so that input and frames never wait for it. Starting it again cancels the run before.

use super::later::View;
use crate::platform::tasks;
pub use crate::platform::tasks::{Progress, Slice};
use leptos::prelude::*;
use std::time::Duration;

/// When a run starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// At once: what fits one slice is done when [`SlicedTask::start`] returns.
    Now,
    /// In a separate task, once the browser has handled input and frames.
    Soon,
    /// In the next frame.
    NextFrame,
    /// After this time.
    After(Duration),
}

/// A task with at most one run, which ends with its view. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct SlicedTask {
    view: View,
    /// Counts the runs: a slice of an earlier run does nothing.
    run: StoredValue<u64>,
}

impl SlicedTask {
    /// A task of the view being created. Call this where [`View::new`] may be called.
    pub fn new() -> SlicedTask {
        SlicedTask {
            view: View::new(),
            run: StoredValue::new(0),
        }
    }

    /// Cancels the run that is in progress or waits for its start.
    pub fn cancel(self) {
        self.run.update_value(|run| *run += 1);
    }

    /// Cancels the previous run and starts another: calls `work` once for each slice until it is finished.
    pub fn start(self, when: When, work: impl FnMut(&Slice) -> Progress + 'static) {
        self.cancel();
        let run = self.run.get_value();
        let is_current = move || self.run.try_get_value() == Some(run);
        let work: Box<dyn FnMut(&Slice) -> Progress> = Box::new(work);
        let begin = move || {
            if is_current() {
                tasks::in_slices(work, Box::new(is_current));
            }
        };
        match when {
            When::Now => begin(),
            When::Soon => self.view.soon(begin),
            When::NextFrame => self.view.next_frame(begin),
            When::After(time) => {
                self.view.after(time, begin);
            }
        }
    }
}
