//! Keyfold's file: a design as JSON that reads and diffs well. Reading reports every error with its place.
//!
//! This module holds the envelope with the format version and the migrations. Where a file is stored is up to the app;
//! files of other tools are in `import`.

mod error;
mod migrate;
mod objects;
mod path;
mod read;
mod write;

pub use error::{FileError, FilePosition};
pub use migrate::FORMAT;
pub use read::{HEAD, from_json, is_design_file};
pub use write::{to_compact_json, to_json};
