//! The text of the open design in the language: restored, printed, brought up to date.

use super::Designs;
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
});

impl Designs {
    /// The text of the open design, brought up to date. A design that has none since it was opened gets the text that is
    /// stored with it, or is printed.
    ///
    /// # Errors
    ///
    /// The language did not load, or another design was opened meanwhile.
    pub async fn own_text(self) -> Result<DesignText, String> {
        let store = self.store;
        let opened = store.opened.try_get_untracked();
        let language = language().await.map_err(|error| error.to_string())?;
        let key = self.open.try_get_untracked().flatten();
        let stored = match key.filter(|_| store.text().is_none()) {
            Some(key) => self.stored_text_of(key).await,
            None => None,
        };
        if opened.is_none() || store.opened.try_get_untracked() != opened {
            return Err("another design was opened".into());
        }
        let text = store.text();
        let now = store.with(|design| match &text {
            Some(text) => (language.follow)(text, design),
            None => {
                let text = (language.restored)(stored, design);
                Some((language.follow)(&text, design).unwrap_or(text))
            }
        });
        if let Some(now) = &now {
            store.set_text(now.clone());
        }
        Ok(now.or(text).expect("a text without a newer one"))
    }
}
