//! Shared by the tests of several Keyfold crates: example designs, random designs, number of cases.

pub mod any_design;
mod cases;
pub mod designs;
pub mod github;
pub mod key_designs;
pub mod lint_cases;
pub mod proofs;
mod samples;
pub mod tables;
pub mod template_designs;
pub mod texts;
pub mod yaml_reader;

pub use cases::cases;
pub use samples::{sample_rows, with_samples};
