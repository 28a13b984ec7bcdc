//! The meaning of a text: a design, where each of its parts is in the text, and what is wrong. A line with an error is
//! left out, and the rest counts: the design is valid whatever the text says.
//!
//! Ids are not in the text. Parts of the previous design keep theirs: by name, then by position and content
//! ([`identity`]).

mod attributes;
mod blocks;
mod canvas;
mod entity;
mod exports;
mod formats;
mod identity;
mod index;
mod likely_mistakes;
mod lowered;
mod pattern;
mod silence;
mod table;
mod throughput;
mod workload;

pub use blocks::lower;
pub(super) use entity::{cells, is_rule};
pub(super) use formats::{DATES, DAY, first_of_sequence, implied, is_day, is_weighted};
pub use lowered::{Lowered, Mark, Part};
pub(super) use pattern::RESERVED;
