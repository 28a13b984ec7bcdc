//! Work in slices on the main thread.

use super::clock;
use keyfold_core::slices::Slices;
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

/// Maximum duration of a slice of [`in_slices`], in milliseconds: leaves time for the browser within a frame.
const SLICE: f64 = 8.0;

/// Does work in slices: the first one now, each further one in its own task. Calls `done` with the result. Drops the
/// work if `is_wanted` returns `false` between two slices.
pub fn in_slices<T: 'static>(
    mut work: Slices<T>,
    is_wanted: impl Fn() -> bool + 'static,
    done: impl FnOnce(T) + 'static,
) {
    let start = clock::now();
    while clock::now() - start < SLICE {
        if let Some(result) = work.step() {
            return done(result);
        }
    }
    soon(move || {
        if is_wanted() {
            in_slices(work, is_wanted, done);
        }
    });
}
