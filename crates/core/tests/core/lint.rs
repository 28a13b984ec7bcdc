//! The linter: each rule on designs that break it and designs that do not, the library's designs, the fixes, and the
//! analyses against brute force.

mod brute_force;
mod docs;
mod library;
mod rules;
