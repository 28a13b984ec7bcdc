//! Delayed callbacks: in the next frame, after a time, in a separate task, or when the browser answers. By then the
//! view may be gone together with its signals, and reading one of them would panic. So `ui` never requests a callback
//! from the browser directly, but from a [`View`], which calls back only while it exists.
//! `crates/test-support/tests/architecture.rs` enforces this.

use super::erased::{RwSignal, effect};
use crate::platform::tasks::{self, Progress};
use keyfold_core::slices::Slices;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::future::Future;
use std::time::Duration;

/// A handle that tells whether a view still exists. Copying it costs nothing.
#[derive(Clone, Copy)]
pub struct View(StoredValue<()>);

impl Default for View {
    fn default() -> Self {
        View::new()
    }
}

impl View {
    /// The view being created: the current reactive owner. Call this where the signals that the callbacks read are
    /// created, never in a callback or an event handler.
    pub fn new() -> View {
        View(StoredValue::new(()))
    }

    /// Whether the view and its signals still exist.
    pub fn is_there(self) -> bool {
        self.0.try_get_value().is_some()
    }

    fn guarded(self, run: Box<dyn FnOnce()>) -> impl FnOnce() + 'static {
        move || {
            if self.is_there() {
                run();
            }
        }
    }

    /// Calls back in the next frame, if the view still exists.
    pub fn next_frame(self, run: impl FnOnce() + 'static) {
        request_animation_frame(self.guarded(Box::new(run)));
    }

    /// Calls back once the next frame is painted, if the view still exists: what a press marks is seen before its work begins.
    pub fn after_paint(self, run: impl FnOnce() + 'static) {
        self.next_frame(move || self.soon(run));
    }

    /// Calls back after this time, if the view still exists. The returned handle can cancel the timer.
    pub fn after(self, time: Duration, run: impl FnOnce() + 'static) -> Option<TimeoutHandle> {
        set_timeout_with_handle(self.guarded(Box::new(run)), time).ok()
    }

    /// Calls back in a separate task once the browser has handled input and frames, if the view still exists.
    pub fn soon(self, run: impl FnOnce() + 'static) {
        tasks::soon(self.guarded(Box::new(run)));
    }

    /// Does work that nothing cancels, in slices: the first one now. Calls `done` with the result, if the view still
    /// exists. [`SlicedTask`](super::sliced_task::SlicedTask) is for work that can be canceled.
    pub fn in_slices<T: 'static>(self, mut work: Slices<T>, done: impl FnOnce(T) + 'static) {
        let mut done = Some(done);
        let slice = move |slice: &tasks::Slice| match slice.run(|| work.step()) {
            Some(result) => {
                if let Some(done) = done.take() {
                    done(result);
                }
                Progress::Finished
            }
            None => Progress::Unfinished,
        };
        tasks::in_slices(Box::new(slice), Box::new(move || self.is_there()));
    }

    /// Calls `then` with the browser's answer, if the view still exists.
    pub fn answer<T: 'static>(
        self,
        request: impl Future<Output = T> + 'static,
        then: impl FnOnce(T) + 'static,
    ) {
        spawn_local(async move {
            let answer = request.await;
            if self.is_there() {
                then(answer);
            }
        });
    }
}

/// A value that follows another one once the next frame is painted, or at once if `is_urgent`: what a press marks is seen
/// before the work of showing its content begins.
pub fn painted<T: Copy + PartialEq + Send + Sync + 'static>(
    view: View,
    value: impl Fn() -> T + Copy + 'static,
    is_urgent: fn() -> bool,
) -> RwSignal<T> {
    let painted = RwSignal::new(untrack(value));
    effect(move || {
        let next = value();
        if next == painted.get_untracked() {
            return;
        }
        if is_urgent() {
            painted.set(next);
        } else {
            view.after_paint(move || painted.set(untrack(value)));
        }
    });
    painted
}

/// Calls back in the next frame with this value, whether or not a view still exists: for callbacks that read no signal,
/// such as moving the keyboard focus.
pub fn next_frame_with<T: 'static>(with: T, run: fn(T)) {
    request_animation_frame(move || run(with));
}
