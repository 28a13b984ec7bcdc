//! Thin wrappers around browser APIs. They have no logic: that is in `keyfold-app` and `keyfold-core`, where it is
//! tested natively.

pub mod address;
pub mod assets;
pub mod clipboard;
pub mod clock;
pub mod database;
pub mod download;
pub mod editor;
pub mod files;
pub mod importer;
pub mod locks;
pub mod offline;
pub mod random;
pub mod raster;
pub mod room;
mod script;
pub mod storage;
pub mod tabs;
pub mod tasks;
