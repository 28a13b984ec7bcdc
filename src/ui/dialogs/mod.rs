//! The dialogs.

pub mod designs;
pub mod generate;
pub mod import_design;
pub mod import_samples;
pub mod library;
pub mod modal;
