//! The page: the user interface on top of `keyfold-core` and `keyfold-app`. See ARCHITECTURE.md.
//!
//! - `platform`: thin wrappers around browser APIs: storage, clipboard, download.
//! - `ui`: the Leptos views. They read the design through the store and change it only through commands.

pub mod platform;
pub mod ui;
