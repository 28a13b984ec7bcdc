//! Thin wrappers of the browser. No logic of ours: that is in `app` and `domain`, where it can be tested
//! natively.

pub mod clipboard;
pub mod clock;
pub mod database;
pub mod download;
pub mod fetch;
pub mod random;
pub mod raster;
pub mod storage;
pub mod tabs;
pub mod tasks;
