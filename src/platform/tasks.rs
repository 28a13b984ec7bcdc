//! Work in slices.

use super::clock;
use keyfold_core::slices::Slices;
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use web_sys::MessageChannel;

/// Calls `run` in a task of its own, once the browser has seen to what it holds more urgent: input, a frame. Sooner than
/// a timeout, which browsers hold back when one sets the next, and without a frame of its own.
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

/// How long a slice of [`in_slices`] takes, in milliseconds: with what the browser does besides, less than a frame.
const SLICE: f64 = 8.0;

/// Does work in slices, the first one now and each other in a task of its own. `done` gets the result, unless
/// `is_wanted` said no between two slices: then the work is dropped.
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
