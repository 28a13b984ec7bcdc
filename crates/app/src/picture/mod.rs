//! The canvas as a picture: SVG that any viewer renders like the app, without external fonts, style sheets or
//! scripts, in either theme. Sizes and curves come from [`geometry`](super::geometry); the look repeats
//! `style/canvas.css`.

mod cards;
pub mod colors;
mod drawing;
mod escape;
mod pen;

pub use cards::{condition_text, when_text};
pub use drawing::{
    PictureOptions, raster_scale, svg, svg_layers, svg_layers_of_differences, svg_of_differences,
};
