//! What runs later than it was asked for: in the next frame, after a time, in a task of its own, when the browser has
//! answered. The view that asked may be gone by then, and with it every signal that it made: reading one of them would
//! end the page. So nothing in `ui` asks the browser for a callback by itself; it asks a [`View`], which calls back only
//! while it is there. `crates/test-support/tests/architecture.rs` holds the sources to that.

use crate::platform::tasks;
use keyfold_core::slices::Slices;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::future::Future;
use std::time::Duration;

/// A view, to those who only want to know whether it is still in the page. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct View(StoredValue<()>);

impl Default for View {
    fn default() -> Self {
        View::new()
    }
}

impl View {
    /// The view that is being made: the reactive owner that is current. Make it where the signals are made that the
    /// callbacks read, never in a callback or in an event's handler.
    pub fn new() -> View {
        View(StoredValue::new(()))
    }

    /// Whether it is still there, and with it the signals that were made with it.
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

    /// Calls back in the next frame, if the view is still there.
    pub fn next_frame(self, run: impl FnOnce() + 'static) {
        request_animation_frame(self.guarded(Box::new(run)));
    }

    /// Calls back after this time, if the view is still there. The timer can be taken back with what is returned.
    pub fn after(self, time: Duration, run: impl FnOnce() + 'static) -> Option<TimeoutHandle> {
        set_timeout_with_handle(self.guarded(Box::new(run)), time).ok()
    }

    /// Calls back in a task of its own, as soon as the browser has seen to input and frames, if the view is still there.
    pub fn soon(self, run: impl FnOnce() + 'static) {
        tasks::soon(self.guarded(Box::new(run)));
    }

    /// Does work in slices, as [`tasks::in_slices`], as long as the view is there and `is_wanted` says so.
    pub fn in_slices<T: 'static>(
        self,
        work: Slices<T>,
        is_wanted: impl Fn() -> bool + 'static,
        done: impl FnOnce(T) + 'static,
    ) {
        tasks::in_slices(work, move || self.is_there() && is_wanted(), done);
    }

    /// Hands over what the browser answers, if the view is still there.
    pub fn answer<T: 'static>(
        self,
        asked: impl Future<Output = T> + 'static,
        then: impl FnOnce(T) + 'static,
    ) {
        spawn_local(async move {
            let answer = asked.await;
            if self.is_there() {
                then(answer);
            }
        });
    }
}

/// Calls back in the next frame with this, whatever is in the page then: for what reads no signal, such as giving the
/// keyboard focus to what a selector finds.
pub fn next_frame_with<T: 'static>(with: T, run: fn(T)) {
    request_animation_frame(move || run(with));
}
