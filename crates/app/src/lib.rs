//! How a Keyfold design is edited: commands ([`Command`], [`apply`]), the difference between two designs
//! ([`diff()`]), undo ([`Document`]), the canvas ([`arrange`], [`geometry`], [`route`], [`snap`]), the live table
//! ([`grid`]), access patterns as forms ([`patterns`]), exports as files ([`export`]), and storage ([`workspace`]).
//!
//! The crate is pure. It has no browser, no clock, no randomness and no IO: time is an argument, storage is a trait,
//! and everything else is returned as data.
//!
//! # Example
//!
//! ```
//! use keyfold_app::{Command, Document, apply};
//! use keyfold_core::model::Design;
//!
//! let rename = |name: &str| Command::RenameDesign(name.to_owned());
//!
//! // A pure function: the old design stays as it is.
//! let before = Design::new("Orders");
//! let after = apply(&before, rename("Shop"))?;
//! assert_eq!((before.name.as_str(), after.name.as_str()), ("Orders", "Shop"));
//!
//! // The same with an undo history. The time is in milliseconds.
//! let mut document = Document::new(before);
//! document.run(rename("Shop"), 0.0)?;
//! document.undo();
//! assert_eq!(document.design().name, "Orders");
//! # Ok::<(), keyfold_app::Refused>(())
//! ```

#![warn(missing_docs)]

pub mod announcement;
mod apply;
pub mod arrange;
pub mod attribute_list;
pub mod badge;
pub mod card_clipboard;
pub mod card_navigation;
pub mod collections;
pub mod command;
pub mod comparison;
mod design_text;
pub mod diff;
pub mod document;
pub mod export;
pub mod field_input;
pub mod fit_text;
pub mod fixes;
pub mod fuzzy_search;
pub mod generate_form;
pub mod geometry;
pub mod grid;
pub mod guide;
mod merge;
pub mod moved_ids;
pub mod note;
mod parameter_owner;
pub mod patterns;
pub mod picture;
pub mod placement;
pub mod print;
pub mod problems;
pub mod references;
pub mod retype;
pub mod route;
pub mod sample_format;
pub mod several_entities;
pub mod share_link;
pub mod snap;
pub mod sparse_condition;
pub mod stored_history;
pub mod stress;
pub mod suggest;
pub mod template_completion;
pub mod text;
pub mod tints;
pub mod viewport;
pub mod wire_label;
pub mod workload;
pub mod workspace;

pub use apply::apply;
pub use command::{Command, PatternEdit, Refused, SampleEdits, ValueEdit, WorkloadEdit};
pub use design_text::DesignText;
pub use diff::{Diff, PartDiff, diff};
pub use document::Document;
pub use merge::{MergedTabs, merge, merge_tabs};
