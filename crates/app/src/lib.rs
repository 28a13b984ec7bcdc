//! How a design changes: [`Command`] and [`apply`](command::apply), the [`diff`] between two designs, undo
//! ([`Document`]), what is selected and looked at ([`session`]), where designs are kept ([`workspace`]).
//! All of it pure: time comes in as an argument, what must happen outside goes out as data.

pub mod amounts;
pub mod arrange;
pub mod clipboard;
pub mod collections;
pub mod command;
pub mod completion;
pub mod condition;
pub mod diff;
pub mod document;
pub mod export;
pub mod fixes;
pub mod formats;
pub mod geometry;
pub mod grid;
pub mod guide;
pub mod history;
pub mod input;
pub mod navigate;
pub mod patterns;
pub mod picture;
pub mod placement;
pub mod problems;
pub mod retype;
pub mod route;
pub mod search;
pub mod session;
pub mod snap;
pub mod spoken;
pub mod stress;
pub mod suggest;
pub mod tints;
pub mod workspace;

pub use command::{Command, PatternEdit, Refused, SampleEdits, ValueEdit, apply};
pub use diff::{Diff, PartDiff, diff};
pub use document::Document;
