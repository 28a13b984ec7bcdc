//! The texts that are stored of the open design, in the database and in the journal.

use keyfold_app::text::stored;
use keyfold_app::workspace::Journal;
use keyfold_app::{Document, stored_history};
use keyfold_core::persist;

/// A document as it is stored.
pub(super) struct Texts {
    /// The design file.
    pub file: String,
    /// The text in the language, if that was shown.
    pub own: Option<String>,
    pub history: String,
}

impl Texts {
    pub fn of(document: &Document) -> Texts {
        let file = persist::to_json(document.design());
        let own = (document.text()).map(|own| stored(own, document.design(), &file));
        let history = stored_history::to_text(document, &file, stored_history::MAX_BYTES);
        Texts { file, own, history }
    }
}

/// The journal of a document that changed this stored version.
pub(super) fn journal(document: &Document, base: u32, sent: Option<u64>) -> Journal {
    let Texts { file, own, history } = Texts::of(document);
    Journal {
        base,
        name: document.design().name.clone(),
        text: file,
        own,
        sent,
        history: Some(history),
    }
}
