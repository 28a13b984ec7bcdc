//! Exports: one folder or file per format, each from a plan to a [`writer::CodeWriter`].
//! Every export is a pure function of the design: the same design gives the same bytes.

pub mod cloudformation;
pub mod rust;
pub mod writer;
pub mod yaml;

pub use writer::{Code, Tag};
