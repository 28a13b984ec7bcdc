//! Opening a design: a stored one, one of a file, an imported one; and what happens if it cannot be read.

use super::add::new_design;
use super::language::language;
use super::{Designs, crash, opening_guard, start};
use crate::platform::{address, clock, random};
use crate::ui::reactive::on_demand::when_loaded;
use crate::ui::state::arrangement::{Arrange, load_arrange};
use keyfold_app::arrange::USUAL_ROOM;
use keyfold_app::viewport::Detail;
use keyfold_app::workspace::{Broken, DesignKey, Loaded, LoadedDesign, StorageError};
use keyfold_app::{Command, DesignText, Document, Refused, stored_history};
use keyfold_core::model::{Design, Layout, SortedMap, file_stem};
use keyfold_core::persist;
use leptos::prelude::*;
use std::sync::Arc;

/// The places of the cards of a design that has none.
fn arranged(design: &Design, arrange: Arrange) -> Arc<Layout> {
    Arc::new(
        arrange(design, Detail::All, USUAL_ROOM)
            .into_iter()
            .collect(),
    )
}

/// A loaded design with its undo history.
pub(super) fn document_of(loaded: &LoadedDesign) -> Document {
    let history = loaded.history.as_deref().unwrap_or_default();
    stored_history::from_text(loaded.design.clone(), &loaded.text, history)
}

impl Designs {
    /// Opens a design. If it cannot be read, its stored text stays unchanged, and the copy of the last visit opens as a
    /// separate design.
    pub fn open(self, key: DesignKey) {
        self.flush();
        let request = self.next_request();
        let unsaved = self.state(|state| state.unsaved(key).cloned()).flatten();
        if let Some(unsaved) = unsaved {
            self.show(key, unsaved);
            self.retry_failed();
            return;
        }
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            let loaded = workspace.load(key).await;
            if self.request.try_get_value() == Some(request) {
                self.show_loaded(key, loaded);
            }
        });
    }

    /// Counts a request to open a design.
    pub(super) fn next_request(self) -> u64 {
        let next = |request: &mut u64| {
            *request += 1;
            *request
        };
        self.request.try_update_value(next).unwrap_or_default()
    }

    /// A design that was loaded to be shown, with the changes of this tab that are not stored.
    pub(super) fn taken(self, key: DesignKey, loaded: LoadedDesign) -> Document {
        let unsaved = self.state(|state| {
            let unsaved = state.unsaved(key).cloned();
            if unsaved.is_none() {
                state.slot(key).opened(&loaded);
            }
            unsaved
        });
        unsaved.flatten().unwrap_or_else(|| {
            let document = document_of(&loaded);
            self.keep_backup(key, loaded.text);
            document
        })
    }

    /// Shows a design that is not open with a change, and stores it.
    pub(super) fn show_changed(
        self,
        key: DesignKey,
        mut document: Document,
        change: Command,
    ) -> Result<(), Refused> {
        document.run(change, clock::now())?;
        self.state(|state| state.change(key, document.clone(), clock::now()));
        self.show(key, document);
        self.flush();
        Ok(())
    }

    pub(super) fn show_loaded(self, key: DesignKey, loaded: Result<Loaded, StorageError>) {
        if !matches!(loaded, Ok(Loaded::Design(_))) {
            opening_guard::end(key);
        }
        match loaded {
            Ok(Loaded::Design(loaded)) => self.show(key, self.taken(key, *loaded)),
            Ok(Loaded::Broken(broken)) => self.recover(key, broken),
            Ok(Loaded::Missing) => {
                (self.store.notices).error("This design was deleted in another tab.");
                self.refresh_list();
                self.open_something();
            }
            Err(failure) => {
                let name = self.name_of(key);
                let message =
                    format!("“{name}” could not be read: {failure}. Reload the page to try again.");
                self.store.notices.error(message);
                self.open_instead();
            }
        }
    }

    /// Stores the text of a design that was just opened as its backup.
    pub(super) fn keep_backup(self, key: DesignKey, text: String) {
        self.enqueue(async move {
            if let Some(workspace) = self.workspace() {
                workspace.keep_backup(key, text).await;
            }
        });
    }

    /// Opens a copy of a design that cannot be read: the copy recovered earlier, or otherwise a copy of its backup.
    fn recover(self, key: DesignKey, broken: Broken) {
        let Broken { name, reason, .. } = broken;
        let what_now = match (&broken.recovered_as, &broken.backup) {
            (Some(_), _) => "The copy recovered earlier is open instead.",
            (None, Some(_)) => "The copy from your last visit is open instead.",
            (None, None) => "There is no earlier copy: download the saved text to repair it.",
        };
        self.store.notices.error_with_file(
            format!("“{name}” cannot be read: {reason}. {what_now}"),
            format!("{}.keyfold.json", file_stem(&name)),
            broken.text,
        );
        match (broken.recovered_as, broken.backup) {
            (Some(copy), _) => self.open(copy),
            (None, Some(mut backup)) => {
                backup.name = format!("{} (recovered)", backup.name);
                let copy = self.add(*backup);
                self.enqueue(async move {
                    if let Some(workspace) = self.workspace() {
                        // If this fails, the next visit makes another copy.
                        let _ = workspace.note_recovered(key, copy).await;
                    }
                });
            }
            (None, None) => self.open_something(),
        }
    }

    /// Opens a design if none is open: the newest one that can be opened, or otherwise a new one.
    pub(super) fn open_something(self) {
        if self.open.get_untracked().is_some() {
            return;
        }
        let tried = self.state(|state| state.tried.clone()).unwrap_or_default();
        let next = self.list.with_untracked(|list| {
            let mut keys = list.iter().rev().map(|listed| listed.key);
            keys.find(|key| !tried.contains(key))
        });
        match next {
            Some(key) => {
                self.state(|state| state.tried.insert(key));
                self.open(key);
            }
            // It is stored once it is edited.
            None if self.state(|state| state.is_substitute) == Some(true) => {
                self.show(random::design_key(), Document::new(new_design()));
            }
            None => self.add_new(),
        }
    }

    /// As [`Designs::open_something`], because a design could not be read now: the next visit opens that one again.
    pub(super) fn open_instead(self) {
        if self.open.get_untracked().is_none() {
            self.state(|state| state.is_substitute = true);
            self.open_something();
        }
    }

    /// Opens a Keyfold file as a new design. `text` is why the file cannot be read otherwise. A refused file changes
    /// nothing; the message names the place of the error.
    pub fn open_file(self, name: &str, text: Result<String, String>) {
        self.open_file_then(name, text, |_| ());
    }

    /// As [`Designs::open_file`], then calls `then` with the key of the new design.
    pub fn open_file_then(
        self,
        name: &str,
        text: Result<String, String>,
        then: impl FnOnce(DesignKey) + 'static,
    ) {
        let then = move || {
            if let Some(key) = self.open.get_untracked() {
                then(key);
            }
        };
        let design = match text {
            Ok(text) if name.to_lowercase().ends_with(".keyfold") => {
                return self.open_text(name, text, then);
            }
            Ok(text) => persist::from_json(&text).map_err(|error| error.to_string()),
            Err(why) => Err(why),
        };
        self.open_read(name, design, None, then);
    }

    /// Adds designs that were made of imported files, and opens the first. Several are put into a folder. The message about
    /// them offers to take them back.
    pub fn open_imported(self, designs: Vec<Design>, folder: &str) {
        let folder = folder.to_owned();
        when_loaded(self.store.view, load_arrange(), move |arrange| {
            let mut keys = Vec::new();
            // The last one that is added is open, and first in the list.
            for mut design in designs.into_iter().rev() {
                if let (true, Ok(arrange)) = (design.layout.is_empty(), &arrange) {
                    design.layout = arranged(&design, *arrange);
                }
                keys.push(self.add(design));
            }
            let offer = {
                let keys = keys.clone();
                move |text| {
                    (self.store.notices).offer_undo(text, move || self.delete_all(keys.clone()));
                }
            };
            match keys.as_slice() {
                [] => {}
                [key] => offer(format!(
                    "Imported “{}” as a new design.",
                    self.name_of(*key)
                )),
                [others @ .., last] => {
                    for key in others {
                        self.set_folder(*key, folder.clone(), || ());
                    }
                    let count = keys.len();
                    let text =
                        format!("Imported {count} tables as new designs in the folder “{folder}”.");
                    self.set_folder(*last, folder, move || offer(text));
                }
            }
        });
    }

    /// Opens a text in the language as a new design, and keeps the text.
    pub fn open_text(self, name: &str, text: String, then: impl FnOnce() + 'static) {
        let name = name.to_owned();
        when_loaded(self.store.view, language(), move |language| {
            let language = language.map_err(|error| error.to_string());
            match language.and_then(|language| (language.read)(&text)) {
                Ok(text) => self.open_read(&name, Ok(text.design.clone()), Some(text), then),
                Err(reason) => self.open_read(&name, Err(reason), None, || ()),
            }
        });
    }

    /// Opens a design that was read as a new one, with its text if it was read from one, then calls `then`.
    fn open_read(
        self,
        name: &str,
        design: Result<Design, String>,
        text: Option<DesignText>,
        then: impl FnOnce() + 'static,
    ) {
        match design {
            Ok(design) if design.layout.is_empty() => self.add_arranged(design, text, then),
            Ok(design) => {
                self.add_with_text(design, text);
                then();
            }
            Err(reason) => {
                (self.store.notices).error(format!("“{name}” was not opened: {reason}."));
            }
        }
    }

    /// Opens a design whose cards have no positions as a new design, with its cards arranged. If the code for that does not
    /// load, they are in columns.
    fn add_arranged(
        self,
        mut design: Design,
        text: Option<DesignText>,
        then: impl FnOnce() + 'static,
    ) {
        when_loaded(self.store.view, load_arrange(), move |arrange| {
            if let Ok(arrange) = arrange {
                design.layout = arranged(&design, arrange);
            }
            self.add_with_text(design, text);
            then();
        });
    }

    /// Closes the open design; the page still shows it until another one opens.
    pub(super) fn close(self) {
        self.forget_timer();
        if let Some(key) = self.open.get_untracked() {
            opening_guard::end(key);
        }
        self.open.set(None);
        crash::remember(None);
    }

    pub(super) fn show(self, key: DesignKey, document: Document) {
        self.forget_timer();
        // A reload must not open the shared design again.
        if self.store.is_read_only.get_untracked() {
            address::keep_page_only();
            self.shown_version.set(None);
        }
        self.drop_untouched(key);
        opening_guard::begin(key);
        self.open.set(Some(key));
        self.store.open(document);
        self.shown(key);
    }

    /// Updates everything that depends on the open design.
    pub(super) fn shown(self, key: DesignKey) {
        let is_substitute = self.state(|state| {
            state.tried.clear();
            state.has_company = false;
            std::mem::take(&mut state.is_substitute)
        });
        self.tell_tabs("opened", key);
        if is_substitute == Some(false) {
            start::remember_open(key);
        }
        self.remember_for_crash();
        self.show_saved();
        self.list_now();
        self.exports.set(SortedMap::new());
        self.enqueue(self.read_exports(key));
    }
}
