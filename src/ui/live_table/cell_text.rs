//! The text of a cell, cut to its cell: a clip for each would cost every frame of the canvas.

use keyfold_app::picture::truncate;

/// Space of a cell that is not its text's, in CSS pixels.
const PADDING: f64 = 21.0;
/// Size of a cell's font, in CSS pixels.
const FONT: f64 = 12.0;

/// The text as it fits into a cell of this width, in CSS pixels, with an ellipsis where it does not.
pub fn cut_to_cell(text: &str, width: f64) -> String {
    truncate(text, width - PADDING, FONT).into_owned()
}
