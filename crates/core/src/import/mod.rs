//! Reads files of other programs into the terms of a design. An import changes nothing: it returns data for a command
//! and a report of what could not be used.

pub mod report;
pub mod samples;
