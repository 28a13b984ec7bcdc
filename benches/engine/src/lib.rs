//! Measures the engine with many items.

mod engine;
mod keys;

pub use engine::engine;
pub use keys::Keys;

#[cfg(target_arch = "wasm32")]
mod browser {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = performance)]
        pub fn now() -> f64;
    }

    /// See [`super::Keys::text`].
    #[wasm_bindgen]
    pub fn keys_text(orders: u32) -> String {
        super::Keys::new(orders).text()
    }

    /// See [`super::Keys::rate`].
    #[wasm_bindgen]
    pub fn keys_rate(orders: u32, milliseconds: f64) -> f64 {
        super::Keys::new(orders).rate(milliseconds)
    }

    /// See [`super::engine`].
    #[wasm_bindgen]
    pub fn engine(items: u32) -> String {
        super::engine(items)
    }
}

/// Milliseconds since some moment.
fn now() -> f64 {
    #[cfg(target_arch = "wasm32")]
    return browser::now();
    #[cfg(not(target_arch = "wasm32"))]
    {
        use std::sync::OnceLock;
        use std::time::Instant;
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1000.0
    }
}

/// How long `run` takes in milliseconds: the shortest of `times`.
fn shortest<T>(times: usize, mut run: impl FnMut() -> T) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..times {
        let start = now();
        let kept = run();
        best = best.min(now() - start);
        drop(kept);
    }
    best
}
