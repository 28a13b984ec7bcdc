//! Fixes, findings after edits, and the Problems list.

mod again;
mod as_text;
mod edits;
mod fixes;
mod problems;
