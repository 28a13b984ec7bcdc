//! The linter in the app: fixes, findings after an edit, the list of problems.

mod again;
mod edits;
mod fixes;
mod problems;
