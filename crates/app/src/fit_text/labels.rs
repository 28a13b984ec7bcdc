//! The column of labels before the key templates of a card.

use super::key::{KeyFont, KeyText};
use super::text_width;

/// Returns the width of the labels before the templates of a card, in the unit of `font`: `column`, or the width of the
/// widest label if a template does not fit in `room` beside that column. `rows` are the labels, each with its template.
pub fn label_width<'a>(
    rows: impl IntoIterator<Item = (&'a str, Option<&'a str>)>,
    column: f64,
    room: f64,
    font: KeyFont,
) -> f64 {
    let (mut label, mut template) = (0.0_f64, 0.0_f64);
    for (name, text) in rows {
        label = label.max(text_width(name, font.size));
        template = template.max(text.map_or(0.0, |text| KeyText::of(text).width(font)));
    }
    match template <= room {
        true => column,
        false => label.min(column),
    }
}
