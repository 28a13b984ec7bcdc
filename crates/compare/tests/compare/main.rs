//! Tests of comparing and merging designs.

mod random;
