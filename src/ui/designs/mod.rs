//! The designs of this browser: the open one, opening, adding and deleting. [`autosave`] stores them; [`other_tabs`]
//! follows what other tabs store; [`crash`] and [`keyfold_app::workspace`] recover what a closed or crashed page left
//! behind.

mod autosave;
mod crash;
mod opening_guard;
mod other_tabs;
mod start;
mod untouched;

pub use autosave::Saved;
pub use crash::install_panic_hook;
pub use start::Start;

use crate::platform::tabs::TabChannel;
use crate::platform::{clock, random};
use crate::ui::reactive::erased::RwSignal;
use crate::ui::reactive::on_demand::{on_demand, when_loaded};
use crate::ui::state::arrangement::load_arrange;
use crate::ui::state::notices::UNDO;
use crate::ui::state::store::Store;
use autosave::State;
use keyfold_app::arrange::USUAL_ROOM;
use keyfold_app::viewport::Detail;
use keyfold_app::workspace::{Broken, Deleted, DesignKey, Entry, Loaded, StorageError};
use keyfold_app::{DesignText, suggest, text};
use keyfold_core::library::Pattern;
use keyfold_core::model::{Design, SortedMap, file_stem};
use keyfold_core::persist;
use leptos::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A line of the list of designs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Listed {
    /// Its key.
    pub key: DesignKey,
    /// Its name.
    pub name: String,
}

/// The designs of this browser and the open one. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Designs {
    store: Store,
    state: StoredValue<Rc<RefCell<State>>, LocalStorage>,
    tabs: StoredValue<Option<TabChannel>, LocalStorage>,
    /// The open design; `None` if it is not a stored one.
    pub open: RwSignal<Option<DesignKey>>,
    /// All designs.
    pub list: RwSignal<Vec<Listed>>,
    /// The save state of the open design.
    pub saved: RwSignal<Saved>,
    /// The last exports of the open design, by name.
    exports: RwSignal<SortedMap<String, String>>,
    timer: StoredValue<Option<TimeoutHandle>>,
    /// Counts the requests to open a design: a design read for an earlier request is not shown.
    request: StoredValue<u64>,
}

on_demand!(language, text_reader: fn(&str) -> Result<DesignText, String> = text::opened);

impl Designs {
    /// Opens a design. If it cannot be read, its stored text stays unchanged, and the copy of the last visit opens as a
    /// separate design.
    pub fn open(self, key: DesignKey) {
        self.flush();
        let request = self.next_request();
        if let Some(unsaved) = self.state(|state| state.unsaved(key)).flatten() {
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
    fn next_request(self) -> u64 {
        let next = |request: &mut u64| {
            *request += 1;
            *request
        };
        self.request.try_update_value(next).unwrap_or_default()
    }

    fn show_loaded(self, key: DesignKey, loaded: Result<Loaded, StorageError>) {
        match loaded {
            Ok(Loaded::Design(design, version, text)) => {
                self.state(|state| state.slot(key).base = version);
                self.show(key, *design);
                self.keep_backup(key, text);
            }
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
                self.open_something();
            }
        }
    }

    /// Stores the text of a design that was just opened as its backup.
    fn keep_backup(self, key: DesignKey, text: String) {
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
    fn open_something(self) {
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
            None => self.add_new(),
        }
    }

    /// Adds a design, opens it and returns its key.
    pub fn add(self, mut design: Design) -> DesignKey {
        self.flush();
        self.next_request();
        design.name = self.free_name(&design.name);
        keyfold_app::placement::place_missing(&mut design);
        let key = random::design_key();
        self.state(|state| state.change(key, design.clone(), clock::now()));
        self.show(key, design);
        self.flush();
        key
    }

    fn free_name(self, stem: &str) -> String {
        // A pattern that is not kept frees its name.
        let leaving = self.untouched();
        self.list.with_untracked(|list| {
            let others = || list.iter().filter(|listed| Some(listed.key) != leaving);
            let taken = |name: &str| others().any(|listed| listed.name == name);
            suggest::free_name(stem, taken)
        })
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

    /// All designs with their dates and folders, also those that are not stored yet.
    pub fn entries(self) -> Vec<Entry> {
        self.state(|state| state.all_entries()).unwrap_or_default()
    }

    /// The file text of a design; `None` if it cannot be read.
    pub async fn text_of(self, key: DesignKey) -> Option<String> {
        if let Some(unsaved) = self.state(|state| state.unsaved(key))? {
            return Some(persist::to_json(&unsaved));
        }
        self.workspace()?.text(key).await.ok()?
    }

    /// Opens a copy of a design.
    pub fn duplicate(self, key: DesignKey) {
        self.flush();
        self.enqueue(async move {
            let design = self.text_of(key).await;
            match design.and_then(|text| persist::from_json(&text).ok()) {
                Some(design) => drop(self.add(design)),
                None => {
                    let name = self.name_of(key);
                    let message = format!("“{name}” could not be read, so it was not duplicated.");
                    self.store.notices.error(message);
                }
            }
        });
    }

    /// Puts a design into a folder, and calls `then` once the list of designs says so. An empty name takes it out.
    pub fn set_folder(self, key: DesignKey, folder: String, then: impl FnOnce() + 'static) {
        self.flush();
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            if let Err(failure) = workspace.set_folder(key, &folder).await {
                let name = self.name_of(key);
                let message = format!("“{name}” was not put into the folder: {failure}.");
                self.store.notices.error(message);
            }
            self.reload_list().await;
            then();
        });
    }

    /// Opens a Keyfold file as a new design. `text` is `None` if the browser cannot read the file. A refused file
    /// changes nothing; the message names the place of the error.
    pub fn open_file(self, name: &str, text: Option<String>) {
        let design = match text {
            Some(text) if name.to_lowercase().ends_with(".keyfold") => {
                return self.open_text(name.to_owned(), text);
            }
            Some(text) => persist::from_json(&text).map_err(|error| error.to_string()),
            None => Err("the browser could not read it".into()),
        };
        self.open_read(name, design, || ());
    }

    /// Opens a design that was made of imported files as a new design. The message about it offers to take it back.
    pub fn open_imported(self, text: &str) {
        let design = persist::from_json(text).map_err(|error| error.to_string());
        self.open_read("import", design, move || {
            let Some(key) = self.open.get_untracked() else {
                return;
            };
            let text = format!("Imported “{}” as a new design.", self.name_of(key));
            (self.store.notices).offer_undo(text, move || self.delete(key));
        });
    }

    /// Opens a file in the language as a new design, and keeps its text.
    fn open_text(self, name: String, text: String) {
        when_loaded(self.store.view, text_reader(), move |reader| {
            let read = reader.map_err(|error| error.to_string());
            match read.and_then(|read| read(&text)) {
                Ok(text) => self.open_read(&name, Ok(text.design.clone()), move || {
                    self.store.set_text(text);
                    self.store.revision.update(|count| *count += 1);
                }),
                Err(reason) => self.open_read(&name, Err(reason), || ()),
            }
        });
    }

    /// Opens a design that was read as a new one, then calls `then`.
    fn open_read(self, name: &str, design: Result<Design, String>, then: impl FnOnce() + 'static) {
        match design {
            Ok(design) if design.layout.is_empty() => self.add_arranged(design, then),
            Ok(design) => {
                self.add(design);
                then();
            }
            Err(reason) => {
                (self.store.notices).error(format!("“{name}” was not opened: {reason}."));
            }
        }
    }

    /// Opens a design whose cards have no positions as a new design, with its cards arranged. If the code for that does not
    /// load, they are in columns.
    fn add_arranged(self, mut design: Design, then: impl FnOnce() + 'static) {
        when_loaded(self.store.view, load_arrange(), move |arrange| {
            if let Ok(arrange) = arrange {
                let places = arrange(&design, Detail::All, USUAL_ROOM);
                design.layout = Arc::new(places.into_iter().collect());
            }
            self.add(design);
            then();
        });
    }

    /// Deletes a design and offers undo. If it was open, another design opens.
    pub fn delete(self, key: DesignKey) {
        let name = self.name_of(key);
        self.flush();
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            let unsaved = self.state(|state| state.unsaved(key)).flatten();
            let deleted = match (workspace.delete(key).await, unsaved) {
                (Ok(Some(deleted)), _) => Some(deleted),
                (_, Some(design)) => Some(Deleted::unstored(key, &design, clock::unix_millis())),
                (Ok(None), None) => None,
                (Err(failure), None) => {
                    let message = format!(
                        "“{name}” could not be deleted: {failure}. Reload the page and try again."
                    );
                    self.store.notices.error(message);
                    return;
                }
            };
            self.forget(key);
            self.tell_tabs("deleted", key);
            self.reload_list().await;
            if self.open.try_get_untracked().flatten() == Some(key) {
                self.close();
                self.open_something();
            }
            if let Some(deleted) = deleted {
                let undo = move || self.restore(deleted.clone());
                (self.store.notices).offer(format!("Deleted the design “{name}”."), UNDO, undo);
            }
            self.retry_failed();
        });
    }

    /// Restores a deleted design and opens it.
    fn restore(self, deleted: Deleted) {
        let key = deleted.entry.key;
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            match workspace.restore(&deleted).await {
                Ok(_) => {
                    self.tell_tabs("saved", key);
                    self.reload_list().await;
                    self.open(key);
                }
                Err(failure) => {
                    let name = &deleted.entry.name;
                    let message = format!("“{name}” could not be restored: {failure}.");
                    let undo = move || self.restore(deleted.clone());
                    self.store.notices.offer(message, "Try again", undo);
                }
            }
        });
    }

    /// Closes the open design; the page still shows it until another one opens.
    fn close(self) {
        self.forget_timer();
        self.open.set(None);
        crash::remember(None);
    }

    fn show(self, key: DesignKey, design: Design) {
        self.forget_timer();
        self.drop_untouched(key);
        opening_guard::begin(key);
        self.open.set(Some(key));
        self.store.open(design);
        self.shown(key);
    }

    /// Updates everything that depends on the open design.
    fn shown(self, key: DesignKey) {
        self.state(|state| state.tried.clear());
        start::remember_open(key);
        self.remember_for_crash();
        self.show_saved();
        self.list_now();
        self.exports.set(SortedMap::new());
        self.enqueue(self.read_exports(key));
    }

    async fn read_exports(self, key: DesignKey) {
        let Some(workspace) = self.workspace() else {
            return;
        };
        if let Ok(exports) = workspace.exports(key).await
            && self.open.try_get_untracked().flatten() == Some(key)
        {
            self.exports.set(exports);
        }
    }

    fn name_of(self, key: DesignKey) -> String {
        let name = self.list.with_untracked(|list| {
            (list.iter().find(|listed| listed.key == key)).map(|listed| listed.name.clone())
        });
        name.unwrap_or_else(|| format!("Design {key}"))
    }

    /// Remembers an exported file, with the time. Does nothing for a design that is not stored.
    pub fn remember_export(self, name: &str, text: &str) {
        let Some(key) = self.open.get_untracked() else {
            return;
        };
        let text = [&clock::date_time(), "\n", text].concat();
        self.exports.update(|exports| {
            exports.insert(name.to_owned(), text.clone());
        });
        let name = name.to_owned();
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            // Without room, the export is not remembered.
            let _ = workspace.remember(key, &name, &text).await;
            self.read_exports(key).await;
        });
    }

    /// Time and text of the last export of a file.
    pub fn last_export(self, name: &str) -> Option<(String, String)> {
        self.exports.with(|exports| {
            let (time, text) = exports.get(name)?.split_once('\n')?;
            Some((time.to_owned(), text.to_owned()))
        })
    }
}

/// An empty design.
fn new_design() -> Design {
    Design::new("Untitled")
}

/// The designs, from the context.
pub fn use_designs() -> Designs {
    expect_context()
}
