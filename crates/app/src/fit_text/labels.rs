//! The column of labels before the key templates of a card.

use super::key::{KeyFont, KeyText};
use super::text_width;

/// The widest label and the widest key template of a card, in pixels.
#[derive(Debug, Clone, Copy, Default)]
pub struct WidestRow {
    label: f64,
    template: f64,
}

impl WidestRow {
    /// Measures the rows: labels, each with its template.
    pub fn of<'a>(
        rows: impl IntoIterator<Item = (&'a str, Option<&'a str>)>,
        font: KeyFont,
    ) -> WidestRow {
        let mut widest = WidestRow::default();
        for (label, text) in rows {
            let template = text.map_or(0.0, |text| KeyText::of(text).width(font));
            widest.label = widest.label.max(text_width(label, font.size));
            widest.template = widest.template.max(template);
        }
        widest
    }

    /// Returns the width of the labels: `column`, or that of the widest label if a template does not fit in `room` beside
    /// that column.
    pub fn label_width(self, column: f64, room: f64) -> f64 {
        match self.template <= room {
            true => column,
            false => self.label.min(column),
        }
    }
}
