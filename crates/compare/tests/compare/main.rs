//! Tests of comparing and merging designs.

mod merge;
mod random;
mod reports;
