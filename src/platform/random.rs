//! Random numbers.

/// A number from 1 to 9999, another one each time.
pub fn number() -> u64 {
    1 + (js_sys::Math::random() * 9999.0) as u64
}

/// A number from 2^32 to 2^53 that no other tab or visit gives out.
pub fn key() -> u64 {
    let (least, most) = ((1_u64 << 32) as f64, (1_u64 << 53) as f64);
    (least + js_sys::Math::random() * (most - least)) as u64
}
