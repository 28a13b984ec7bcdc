//! Reads files of other tools: bytes in, tables out. Knows no files and no browser.
//!
//! - [`read`] detects the format of a file and reads it into one form, [`Import`], with a list of what was not understood.
//! - [`combine`] joins the content of several files: a table's definition, and items that belong to it.
//! - [`design`] makes a design of a table. Entities that the file does not describe come from its items. [`found::designs`] makes
//!   those of all tables. In a [`review`] a person changes them first.
//!
//! Modules: `inference` (entities from items), `patterns` (access patterns of a design), `same_table` (a second definition of a table), [`source`] (bytes as text), [`mod@format`] (detection), [`form`] (what all readers return), `cursor` (reads a tree
//! member by member), `guess` (the key of a table without a definition), and a module per format. The reader of items is
//! in the core: [`keyfold_core::import::items`].

#![warn(missing_docs)]

mod aws_cli_call;
mod aws_mcp;
mod combine;
mod cursor;
mod design;
mod electrodb;
mod entity_keys;
pub mod form;
pub mod format;
mod format_list;
pub mod found;
mod guess;
mod inference;
mod onetable;
mod patterns;
mod requests;
pub mod review;
mod same_table;
mod script;
mod setting;
pub mod settings;
mod settings_requests;
pub mod source;
mod template;
mod terraform;
mod toolbox;
mod workbench;

pub use combine::combine;
pub use design::{Made, design};
pub use form::{
    Facet, FoundEntity, FoundItem, FoundOperation, FoundPattern, FoundTable, Import, ItemValues,
    LooseItems, Naming,
};
pub use format::{Format, read};
pub use keyfold_core::import::items::lines::{
    is_exported as is_exported_line, line as items_of_line,
};
pub use keyfold_infer::Inferred;
