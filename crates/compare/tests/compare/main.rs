//! Tests of comparing and merging designs.

mod edits;
mod merge;
mod random;
mod reports;
