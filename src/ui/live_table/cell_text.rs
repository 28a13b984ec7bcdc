//! The text of a cell, truncated to its width: a CSS clip for each cell would cost every frame of the canvas.

use crate::ui::dom::text_scale::text_scale;
use keyfold_app::fit_text::truncate;

/// Width of a cell besides its text, in CSS pixels.
const PADDING: f64 = 21.0;
/// Font size of a cell, in CSS pixels.
const FONT: f64 = 12.0;

/// Returns the text for a cell of this width in CSS pixels, with an ellipsis if it does not fit.
pub fn cut_to_cell(text: &str, width: f64) -> String {
    truncate(text, width - PADDING, FONT * text_scale()).into_owned()
}
