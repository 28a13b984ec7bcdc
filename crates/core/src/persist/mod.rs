//! Keyfold's file: a design as JSON, written so that it reads and diffs well, read so that every fault of a file
//! is named with its place.
//!
//! In here: the envelope with its format version, migrations from older versions. Not in here: where a file is
//! kept (`crate::platform`), files of other tools.

mod error;
mod migrate;
mod path;
mod read;
mod write;

pub use error::{FileError, Place};
pub use migrate::FORMAT;
pub use read::from_json;
pub use write::to_json;
