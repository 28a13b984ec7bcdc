//! The code of the language, loaded on demand.

use crate::ui::reactive::on_demand::on_demand;
use keyfold_app::{DesignText, text};
use keyfold_core::model::Design;
use keyfold_core::persist;

/// Reading and writing the language.
#[derive(Clone, Copy)]
pub(crate) struct Language {
    /// Reads the text of a file.
    pub read: fn(&str) -> Result<DesignText, String>,
    /// The text that is stored with a design; without one, or if it cannot be read, the design printed.
    pub restored: fn(Option<String>, &Design) -> DesignText,
    /// The text brought up to date with its design; `None` if it is.
    pub follow: fn(&DesignText, &Design) -> Option<DesignText>,
    /// A text of a file with the ids of a design.
    pub aligned: fn(&DesignText, &Design) -> DesignText,
    /// The text of a design that was changed on two sides.
    pub merged: fn(&DesignText, &DesignText, &DesignText, &Design) -> DesignText,
    /// As `merged`; `None` if the lines of both give no text of the design.
    pub joined: fn(&DesignText, &DesignText, &DesignText, &Design) -> Option<DesignText>,
}

on_demand!(language, language: Language = Language {
    read: text::opened,
    restored: |stored, design| {
        let stored = stored.and_then(|text| text::restored(&text, design, &persist::to_json(design)));
        stored.unwrap_or_else(|| text::printed(design))
    },
    follow: text::follow,
    aligned: text::aligned,
    merged: text::merged,
    joined: text::joined,
});
