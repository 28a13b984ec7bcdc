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
