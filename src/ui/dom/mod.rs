//! Access to the page without Leptos: focus, elements, keys, tints.

pub mod element;
pub mod focus;
pub mod key_chords;
pub mod left_field;
pub mod text_scale;
pub mod tints;
