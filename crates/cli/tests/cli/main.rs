//! Runs the command line as a process, and fuzzes what it does.

mod commands;
mod compare;
mod editors;
mod export;
mod fuzz;
mod help;
mod import;
mod items;
mod language;
mod lint;
mod output_files;
mod plan;
mod process;
mod profile;
mod prove;
mod query;
mod samples;
