//! The command line, as a process, and a fuzz of what it does.

mod commands;
mod fuzz;
mod lint;
