//! Two designs compared, and the edits of two sides merged. Both dialogs are loaded on demand, with the linter and the
//! proofs, which they need.

mod dialog;
pub mod merge;
mod report;
mod result;
mod side;

pub use dialog::{CompareDialog, CompareForm, use_comparing};
pub use merge::{MergeDialog, MergeForm, MergeRequest};
pub(super) use report::line;
pub use side::Source;
