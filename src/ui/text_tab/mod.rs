//! The design as text, in an editor beside the canvas. Typing changes the design with each key, and what changes the
//! design elsewhere changes the lines that say something else. `app::text` reads the text and writes it; this folder
//! connects that with the editor.

mod bar;
mod syntax;
mod text_editor;

pub use text_editor::TextTab;
