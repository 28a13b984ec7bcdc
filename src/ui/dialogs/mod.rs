//! The dialogs.

pub mod compare;
pub mod designs;
pub mod generate;
pub mod import_design;
mod import_review;
pub mod import_samples;
pub mod library;
pub mod modal;
pub mod share;
pub mod versions;
