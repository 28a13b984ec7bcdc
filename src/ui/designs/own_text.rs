//! The text of the open design in the language: restored, printed, brought up to date.

use super::Designs;
use super::language::language;
use keyfold_app::DesignText;

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
        if let (Some(key), None) = (key, &text) {
            self.state(|state| state.slot(key).text.clone_from(&now));
        }
        Ok(now.or(text).expect("a text without a newer one"))
    }
}
