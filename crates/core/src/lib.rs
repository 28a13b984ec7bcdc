//! The pure core of Keyfold: no clock, no randomness without a seed, no input or output, no browser.
//!
//! What may import what: `model <- template <- engine <- {proof, lint} <- export`, `engine <- import`; `persist` and
//! `library` import those; `bytes` is for `template` and `engine`, `delimited` for `export` and `import`, `slices` for
//! `export` and the app.

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
