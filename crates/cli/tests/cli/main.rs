//! Runs the command line as a process, and fuzzes what it does.

mod commands;
mod fuzz;
mod help;
mod lint;
