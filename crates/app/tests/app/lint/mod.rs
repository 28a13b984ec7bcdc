//! Fixes, findings after edits, and the Problems list.

mod again;
mod edits;
mod fixes;
mod problems;
