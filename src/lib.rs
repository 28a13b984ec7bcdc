//! The page: what a person sees and does, on top of `keyfold-core` and `keyfold-app` (ARCHITECTURE.md is the map).
//!
//! - `platform`: thin wrappers of the browser: storage, clipboard, download.
//! - `ui`: Leptos. Reads the design through the store, changes it only through commands.

pub mod platform;
pub mod ui;
