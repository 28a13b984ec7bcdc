//! The colors of a text.

use super::reading::Reading;
use keyfold_core::text::{Highlight, highlights};
use rustc_hash::FxHashSet;

/// Colored ranges of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spans {
    /// Start, end and number of a class, for each range, in the order of the text.
    pub numbers: Vec<u32>,
    /// The classes.
    pub classes: Vec<String>,
}

impl Reading {
    /// The colors. `tint` is the class of an attribute's tint.
    pub fn spans(&self, tint: impl Fn(&str) -> String) -> Spans {
        // Once: a text names attributes often.
        let entities = self.design().entities.values();
        let attributes: FxHashSet<&str> = (entities.flat_map(|entity| &entity.attributes))
            .map(|attribute| attribute.name.as_str())
            .collect();
        let mut spans = Spans::default();
        for (range, what) in highlights(&self.parse) {
            let name = &self.text[range.clone()];
            // Key attributes have no tint.
            let tinted = |kind: &str| match attributes.contains(name) {
                true => format!("tint {kind} {}", tint(name)),
                false => "t-key".to_owned(),
            };
            let class = match what {
                Highlight::Comment => "t-comment".to_owned(),
                Highlight::Description => "t-description".to_owned(),
                Highlight::Keyword => "t-keyword".to_owned(),
                Highlight::Type => "t-type".to_owned(),
                Highlight::Name => "t-name".to_owned(),
                Highlight::Attribute => tinted("t-attribute"),
                Highlight::Placeholder => tinted("t-placeholder"),
                Highlight::Text => "t-text".to_owned(),
                Highlight::Number => "t-number".to_owned(),
                Highlight::Punctuation => "t-mark".to_owned(),
            };
            let number = match spans.classes.iter().position(|known| *known == class) {
                Some(number) => number,
                None => {
                    spans.classes.push(class);
                    spans.classes.len() - 1
                }
            };
            let range = self.units.range(&self.text, range);
            spans
                .numbers
                .extend([range.start, range.end, number as u32]);
        }
        spans
    }
}
