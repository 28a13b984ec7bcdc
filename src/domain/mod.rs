//! The pure core: no clock, no randomness without a seed, no input or output.
//! What may import what: `model <- template <- engine <- proof <- export`, `engine <- import`, and `persist`, `library` import those; `bytes` is for `template` and `engine`,
//! `slices` for `export` and the app.

pub mod bytes;
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
