//! Tests of comparing and merging designs.

mod edits;
mod ids;
mod merge;
mod random;
mod reports;
mod uses;
