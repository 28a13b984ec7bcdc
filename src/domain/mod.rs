//! The pure core: no clock, no randomness without a seed, no input or output.
//! What may import what: `model <- template <- engine <- export`, and `persist`, `library` import those.

pub mod delimited;
pub mod engine;
pub mod export;
pub mod library;
pub mod model;
pub mod persist;
pub mod template;
