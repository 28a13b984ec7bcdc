//! Read and write units.
//! Source: "Read and write operations", Amazon DynamoDB Developer Guide.

use crate::model::limits::{READ_UNIT_BYTES, WRITE_UNIT_BYTES};

/// How many times as many units a read or write in a transaction takes: one to prepare, one to commit.
pub const TRANSACTION_FACTOR: f64 = 2.0;

/// Read units of `bytes`: one per started 4 KB, at least one; half as many for an eventually consistent read.
pub fn read_units(bytes: usize, consistent: bool) -> f64 {
    let units = bytes.div_ceil(READ_UNIT_BYTES).max(1) as f64;
    if consistent { units } else { units / 2.0 }
}

/// Write units of `bytes`: one per started KB, at least one.
pub fn write_units(bytes: usize) -> f64 {
    bytes.div_ceil(WRITE_UNIT_BYTES).max(1) as f64
}
