//! Chance.

/// A number from 1 to 9999, another one each time.
pub fn number() -> u64 {
    1 + (js_sys::Math::random() * 9999.0) as u64
}
