//! Adding a design: a new one, a pattern of the library, a copy.

use super::language::language;
use super::{Designs, Saved};
use crate::platform::{clock, random};
use keyfold_app::workspace::DesignKey;
use keyfold_app::{DesignText, Document, suggest};
use keyfold_core::library::Pattern;
use keyfold_core::model::Design;
use keyfold_core::persist;

/// An empty design.
pub(super) fn new_design() -> Design {
    Design::new(Design::UNTITLED)
}

impl Designs {
    /// Adds a design, opens it and returns its key.
    pub fn add(self, design: Design) -> DesignKey {
        self.add_with_text(design, None)
    }

    /// As [`Designs::add`], with its text, which is up to date with the design.
    pub(super) fn add_with_text(self, mut design: Design, text: Option<DesignText>) -> DesignKey {
        self.flush();
        self.next_request();
        design.name = self.free_name(&design.name);
        keyfold_app::placement::place_missing(&mut design);
        let key = random::design_key();
        let mut document = Document::new(design);
        if let Some(text) = text {
            // What the text leaves out, such as the places of cards, stays as the design has it.
            let design = Design {
                name: text.design.name.clone(),
                ..document.design().clone()
            };
            document.set_text(DesignText { design, ..text });
        }
        self.state(|state| state.change(key, document.clone(), clock::now()));
        self.show(key, document);
        self.flush();
        key
    }

    pub(super) fn free_name(self, stem: &str) -> String {
        // A pattern that is not kept frees its name.
        let leaving = self.untouched();
        self.list.with_untracked(|list| {
            let others = || list.iter().filter(|listed| Some(listed.key) != leaving);
            let taken = |name: &str| others().any(|listed| listed.name == name);
            suggest::free_name(stem, taken)
        })
    }

    /// Shows the design of a link, read-only, instead of the open one.
    pub fn show_shared(self, mut design: Design) {
        self.flush();
        self.next_request();
        self.close();
        keyfold_app::placement::place_missing(&mut design);
        self.store.open(Document::new(design));
        self.store.is_read_only.set(true);
        self.shown_version.set(None);
        self.saved.set(Saved::Shared);
    }

    /// Opens a copy of the design that the address contains. From then on the address is that of the page only.
    pub fn copy_shared(self) {
        self.add(self.store.with(Design::clone));
    }

    /// Opens a new, empty design.
    pub fn add_new(self) {
        self.add(new_design());
    }

    /// Opens a library pattern as a new design.
    pub fn add_pattern(self, pattern: &Pattern) {
        match pattern.design() {
            Ok(design) => {
                let key = self.add(design);
                self.is_untouched(key);
            }
            Err(error) => self.store.notices.error(error.to_string()),
        }
    }

    /// Opens a copy of a design, with the comments and the order of its text.
    pub fn duplicate(self, key: DesignKey) {
        self.flush();
        self.enqueue(async move {
            let design = self.text_of(key).await;
            let stored = self.stored_text_of(key).await;
            let language = match &stored {
                Some(_) => language().await.ok(),
                None => None,
            };
            match design.and_then(|text| persist::from_json(&text).ok()) {
                Some(design) => {
                    let text = language.map(|language| {
                        let text = (language.restored)(stored, &design);
                        (language.follow)(&text, &design).unwrap_or(text)
                    });
                    self.add_with_text(design, text);
                }
                None => {
                    let name = self.name_of(key);
                    let message = format!("“{name}” could not be read, so it was not duplicated.");
                    self.store.notices.error(message);
                }
            }
        });
    }
}
