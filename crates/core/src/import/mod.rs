//! What other programs wrote, read into a design's terms. An import changes nothing: it is data for a command, and a
//! report of what could not be used.

pub mod samples;
