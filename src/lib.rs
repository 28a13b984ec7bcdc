//! Keyfold: design a DynamoDB single table by sight.
//!
//! The map, from the inside out (ARCHITECTURE.md has the invariants):
//! - [`domain`]: pure. The document, key templates, the engine that turns samples into items and views, the exports, the file format, the pattern library.
//! - [`app`]: pure. Commands that change a design, the diff between two designs, undo.
//! - `platform`: thin wrappers of the browser: storage, clipboard, download.
//! - `ui`: Leptos. Reads the document through the store, changes it only through commands.
//!
//! The features `ui` (default) and `cli` add the outer layers; without them only the pure core is built.

pub mod app;
pub mod domain;
#[cfg(feature = "ui")]
pub mod platform;
#[cfg(feature = "ui")]
pub mod ui;
