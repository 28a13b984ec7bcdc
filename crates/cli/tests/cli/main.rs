//! Runs the command line as a process.

mod commands;
mod compare;
mod cost;
mod editors;
mod export;
mod help;
mod import;
mod items;
mod language;
mod link;
mod lint;
mod output_files;
mod plan;
mod process;
mod profile;
mod prove;
mod query;
mod samples;
