//! The text of the design, as the Text tab has it.

use super::Store;
use keyfold_app::{DesignText, Diff};
use leptos::prelude::*;

impl Store {
    /// The text of the design in the language; `None` if it was never shown. It may lag behind the design.
    pub fn text(self) -> Option<DesignText> {
        self.document
            .with_value(|document| document.text().cloned())
    }

    /// How many errors that text has.
    pub fn text_errors(self) -> usize {
        self.document
            .with_value(|document| document.text().map_or(0, |text| text.errors))
    }

    /// Sets that text. It is no step of the undo history.
    pub fn set_text(self, text: DesignText) {
        self.document
            .update_value(|document| document.set_text(text));
    }

    /// Sets that text, and shows and stores it.
    pub fn replace_text(self, text: DesignText) {
        self.set_text(text);
        self.revision.update(|count| *count += 1);
    }

    /// Counts a change to the text that changes nothing in the design, such as a comment.
    pub(super) fn show_text(self, changed: &Diff, before: Option<DesignText>) {
        let text = |text: Option<DesignText>| text.map(|text| text.text);
        if changed.is_empty() && text(self.text()) != text(before) {
            self.revision.update(|count| *count += 1);
        }
    }
}
