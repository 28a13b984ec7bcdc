//! Work in slices.

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
