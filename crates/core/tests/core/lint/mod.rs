//! The linter: each rule on good and bad designs, the library's designs, the fixes, and the analyses against brute
//! force.

mod brute_force;
mod docs;
mod library;
mod long_templates;
mod rules;
