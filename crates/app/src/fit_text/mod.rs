//! Texts that fit their place: on cards, in cells and in pictures.

pub mod key;
mod width;

pub use width::{text_width, truncate};
