//! What the linter's fixes do: [`Command::Fix`](super::Command) carries one out as one step, [`preview`] shows before
//! what would change.

mod apply;
mod merge;
mod patterns;
mod preview;
mod rows;
mod templates;
mod ulid;

pub use apply::{command, repair_label, safety};
pub use preview::{AllFixes, Change, Preview, preview, preview_all, preview_all_in_slices};
pub use rows::{RowChange, RowChanges, row_changes};
