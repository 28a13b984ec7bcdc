//! Random numbers.

/// Returns a random number from 1 to 9999, to seed the sample generator.
pub fn seed() -> u64 {
    1 + (js_sys::Math::random() * 9999.0) as u64
}

/// Returns a random key for a new design, from 2^32 to 2^53, so that no two tabs or visits use the same one.
pub fn design_key() -> u64 {
    let (least, most) = ((1_u64 << 32) as f64, (1_u64 << 53) as f64);
    (least + js_sys::Math::random() * (most - least)) as u64
}
