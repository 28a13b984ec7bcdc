//! Reads files of other programs into the terms of a design. An import changes nothing: it returns data for a command
//! and a report of what could not be used.
//!
//! [`items`] reads items, [`samples`] makes samples of them.

pub mod items;
mod note;
pub mod report;
pub mod samples;
pub mod shown;

pub use note::{Note, Notes};

/// The maximum size of a file in bytes, decompressed, and of several files together.
pub const MAX_BYTES: usize = 64 << 20;

/// Why a file of more than [`MAX_BYTES`] is not read.
pub fn too_large() -> String {
    format!(
        "the file has more than {} MB, the most that an import reads",
        MAX_BYTES >> 20
    )
}
