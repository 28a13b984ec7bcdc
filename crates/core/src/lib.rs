//! The pure core of Keyfold: no clock, no unseeded randomness, no I/O, no browser.
//!
//! Modules import in one direction: `model <- template <- engine <- {proof, lint} <- export <- import`.
//! `persist` and `library` may import all of these. `bytes` serves `template` and `engine`, `delimited` serves `export`
//! and `import`, `slices` serves `export` and the app.

#![warn(missing_docs)]

pub mod bytes;
pub mod counted;
pub mod delimited;
pub mod engine;
pub mod export;
pub mod import;
pub mod library;
pub mod lint;
pub mod model;
pub mod persist;
pub mod proof;
pub mod slices;
pub mod template;
pub mod text;
