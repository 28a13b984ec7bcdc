//! Work in slices on the main thread.

use super::clock;
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use web_sys::MessageChannel;

/// Runs `run` in a task of its own, after pending input and frames. It starts sooner than a timeout, which browsers
/// delay when timeouts are nested, and does not wait for a frame.
pub fn soon(run: impl FnOnce() + 'static) {
    let run: Box<dyn FnOnce()> = Box::new(run);
    match MessageChannel::new() {
        Ok(channel) => {
            let (to, from) = (channel.port1(), channel.port2());
            let close = to.clone();
            let run = Closure::once_into_js(move || {
                close.close();
                run();
            });
            to.set_onmessage(Some(run.unchecked_ref()));
            let _ = from.post_message(&JsValue::NULL);
        }
        Err(_) => run(),
    }
}

/// A slice of work: the time until the browser must get its turn.
pub struct Slice {
    start: f64,
}

impl Slice {
    /// Maximum duration in milliseconds: leaves time for the browser within a frame.
    const DURATION: f64 = 8.0;

    /// Whether the work must pause.
    pub fn is_over(&self) -> bool {
        clock::now() - self.start >= Slice::DURATION
    }

    /// Calls `step` until it returns a result or the slice is over.
    pub fn run<T>(&self, mut step: impl FnMut() -> Option<T>) -> Option<T> {
        while !self.is_over() {
            let result = step();
            if result.is_some() {
                return result;
            }
        }
        None
    }
}

/// Whether sliced work needs another slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// It does.
    Unfinished,
    /// All is done.
    Finished,
}

/// Calls `work` once for each slice until it is finished: the first time now, then each time in its own task. Drops it
/// if `is_wanted` returns `false` between two slices.
pub fn in_slices(mut work: Box<dyn FnMut(&Slice) -> Progress>, is_wanted: Box<dyn Fn() -> bool>) {
    let slice = Slice {
        start: clock::now(),
    };
    if work(&slice) == Progress::Unfinished {
        soon(move || {
            if is_wanted() {
                in_slices(work, is_wanted);
            }
        });
    }
}
