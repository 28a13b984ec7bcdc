//! The exports. Every change to the design updates the shown text or picture. Beside the text are the options of the
//! format and the changes since the last export.

mod change_plan;
mod changes_since_export;
pub mod code_preview;
mod copy_and_download;
mod options;
mod panel;
pub mod panel_state;
mod picture;

pub use panel::CodePanel;
