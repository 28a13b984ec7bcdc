//! The texts that are stored of the open design, in the database and in the journal.

use super::language::language;
use crate::ui::reactive::on_demand::poll_once;
use keyfold_app::text::stored;
use keyfold_app::workspace::{Change, Journal, Saving};
use keyfold_app::{DesignText, Document, stored_history};
use keyfold_core::model::Design;
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
        let own = document.text();
        let own = own.map(|own| stored_own(own, document.design(), &file));
        let history = stored_history::to_text(document, &file, stored_history::MAX_BYTES);
        Texts { file, own, history }
    }
}

fn stored_own(own: &DesignText, design: &Design, file: &str) -> String {
    stored(&up_to_date(own, design), design, file)
}

/// A text with errors, brought up to date with the design: what it says besides the design is known only as long as it is
/// not behind it. Another text follows when it is shown.
fn up_to_date(own: &DesignText, design: &Design) -> DesignText {
    let next = match own.errors {
        0 => None,
        // Who has a text has loaded the language.
        _ => (poll_once(language()).ok())
            .and_then(Result::ok)
            .and_then(|language| (language.follow)(own, design)),
    };
    next.unwrap_or_else(|| own.clone())
}

/// Where the unsaved changes of a design begin.
#[derive(Clone)]
pub(super) struct Basis {
    /// The stored version that was changed; 0 if it was never stored.
    pub base: u32,
    /// The design in that version, if it is known.
    pub stored: Option<Design>,
    /// Its text in the language, if that is known.
    pub text: Option<DesignText>,
    /// When the last change was made, in milliseconds since 1970.
    pub at: f64,
    /// The last change.
    pub change: Change,
    /// The design that is being saved, and the number of its last change.
    pub saving: Option<(u64, Design)>,
}

/// The journal of a document with unsaved changes.
pub(super) fn journal(document: &Document, basis: &Basis) -> Journal {
    let Texts { file, own, history } = Texts::of(document);
    let saving = basis.saving.as_ref().map(|(number, design)| Saving {
        number: *number,
        text: (*number != basis.change.number).then(|| persist::to_json(design)),
    });
    let base_text = basis.stored.as_ref().map(persist::to_json);
    let base_own = (basis
        .text
        .as_ref()
        .zip(basis.stored.as_ref())
        .zip(base_text.as_ref()))
    .map(|((text, design), file)| stored_own(text, design, file));
    Journal {
        base: basis.base,
        base_text,
        base_own,
        // No time before 1970.
        at: Some(basis.at as u64),
        name: document.design().name.clone(),
        text: file,
        change: Some(basis.change),
        own,
        saving,
        history: Some(history),
    }
}
