//! The linter: each rule on designs that break it and designs that do not, the library's designs, the fixes, and the
//! analyses against brute force.

mod again;
mod brute_force;
mod build;
#[cfg(feature = "cli")]
mod cli;
mod docs;
mod edits;
mod fixes;
mod library;
mod problems;
mod rules;
