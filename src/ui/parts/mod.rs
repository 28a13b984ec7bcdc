//! Small pieces that every region uses.

pub mod erased;
pub mod field;
pub mod focus;
pub mod icon;
pub mod splitter;
pub mod template_field;
pub mod template_text;
