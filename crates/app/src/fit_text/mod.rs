//! Texts that fit their place: on cards, in cells and in pictures.

pub mod key;
mod labels;
mod width;

pub use labels::WidestRow;
pub use width::{text_width, truncate};
