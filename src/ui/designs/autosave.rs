//! Autosave: every change is stored after a short pause, and at least once per second while the user types. The
//! database is asynchronous, so the page shows "Saved" only after the commit. Changes that the database does not have
//! when the page closes go to the journal in local storage, which is synchronous.
//!
//! All requests to the database run in one queue, one after the other.

use super::crash::LastGood;
use super::stored_texts::{Basis, Texts, journal};

use super::{Designs, Listed, crash, opening_guard, start};
use crate::platform::database::IndexedDb;
use crate::platform::storage::Local;
use crate::platform::{clock, random};
use keyfold_app::workspace::{
    Change, DesignKey, Entry, Journal, LoadedDesign, SaveError, SaveRequest, StorageError,
    Workspace,
};
use keyfold_app::{Command, DesignText, Document, diff};
use keyfold_core::model::{Design, SortedMap, SortedSet, file_stem};
use keyfold_core::persist;
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

/// Pause after the last change before it is stored, in milliseconds.
const PAUSE: f64 = 250.0;
/// The same while another tab shows the design, in milliseconds.
const PAUSE_IN_COMPANY: f64 = 20.0;
/// Maximum wait before a change is stored, in milliseconds. It leaves the rest of a second to the database.
const MAX_WAIT: f64 = 500.0;

/// The save state of the open design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saved {
    /// The design is stored.
    Yes,
    /// A change waits to be stored.
    Pending,
    /// The last save failed; the previous version is stored.
    Failed,
    /// No version is stored: the last save failed, or the design was not edited yet.
    Nowhere,
    /// This design is never stored.
    Never,
    /// This design is that of a link, and cannot be changed.
    Shared,
    /// This is an earlier version of a design, and cannot be changed.
    Version,
}

/// A request in the queue.
type Job = Pin<Box<dyn Future<Output = ()>>>;

/// The changes to a design that are not stored.
pub(super) struct Unsaved {
    /// The design with its history and, if that was shown, its text in the language.
    document: Document,
    /// The number of the last change.
    number: u64,
    /// Time of the first change, in the milliseconds of [`clock::now`].
    since: f64,
}

/// What this tab knows of a design that it opened.
#[derive(Default)]
pub(super) struct Slot {
    /// The stored version that this tab shows or has changed; 0 if it was never stored.
    pub base: u32,
    pub unsaved: Option<Unsaved>,
    /// Whether the last save failed.
    failed: bool,
    /// Whether a save is in the queue.
    queued: bool,
    /// The design that is being stored, and the number of its last change.
    saving: Option<(u64, Design)>,
    /// The number of the last change of this visit; 0 if there was none.
    number: u64,
    /// When that was made, in milliseconds since 1970.
    pub changed_at: f64,
    /// Whether a change was stored since this tab opened the design.
    is_changed: bool,
    /// The design as it is in the version `base`; `None` if this tab does not know it.
    pub stored: Option<Design>,
    /// The text that is stored with that version, as far as this tab knows.
    pub text: Option<DesignText>,
    /// The stored version that this tab could not read, once it said so.
    pub unreadable: Option<u32>,
    /// The number of the change in the journal.
    journal: Option<u64>,
    /// The visit that left the unsaved changes in the journal, if they are from there.
    pub left_by: Option<Option<u64>>,
}

impl Slot {
    /// The stored version was opened.
    pub fn opened(&mut self, loaded: &LoadedDesign) {
        self.is_at(loaded);
        self.is_changed = false;
    }

    /// The stored version is that which this tab shows or changes.
    pub fn is_at(&mut self, loaded: &LoadedDesign) {
        self.base = loaded.version;
        self.stored = Some(loaded.design.clone());
    }

    /// Where the unsaved changes begin.
    fn basis(&self, visit: u64) -> Basis {
        let number = self.number;
        Basis {
            base: self.base,
            stored: self.stored.clone(),
            text: self.text.clone(),
            at: self.changed_at,
            change: Change { visit, number },
            saving: self.saving.clone(),
        }
    }

    /// The unsaved changes are stored: removes them from the journal.
    fn clear_journal(&mut self, key: DesignKey, visit: u64) {
        if self.journal.take().is_some() {
            Journal::remove(&Local, key, Some(visit));
        }
        if let Some(visit) = self.left_by.take() {
            Journal::remove(&Local, key, visit);
        }
    }

    /// The design with its unsaved changes.
    pub fn unsaved_document(&self) -> Option<&Document> {
        self.unsaved.as_ref().map(|unsaved| &unsaved.document)
    }
}

/// What this tab knows of the designs.
pub(super) struct State {
    pub workspace: Rc<Workspace<IndexedDb>>,
    /// The stored designs, as last listed.
    pub entries: Vec<Entry>,
    slots: SortedMap<DesignKey, Slot>,
    queue: VecDeque<Job>,
    is_working: bool,
    /// This visit, for the journal: a random number.
    pub visit: u64,
    /// Counts the changes.
    number: u64,
    /// Designs that could not be opened since the last one that could.
    pub tried: SortedSet<DesignKey>,
    /// Whether the next design opens instead of one that could not be read.
    pub is_substitute: bool,
    /// Whether the stored version of the open design will be checked soon.
    pub is_checking: bool,
    /// Whether another tab has the open design too.
    pub has_company: bool,
    /// The open design as another tab stored it, and the draft at that time, until it is known that this is no change.
    pub followed: Option<(Design, Option<Command>)>,
}

impl State {
    pub(super) fn new(workspace: Rc<Workspace<IndexedDb>>, entries: Vec<Entry>) -> State {
        State {
            workspace,
            entries,
            slots: SortedMap::new(),
            queue: VecDeque::new(),
            is_working: false,
            visit: random::design_key(),
            number: 0,
            tried: SortedSet::new(),
            is_substitute: false,
            is_checking: false,
            has_company: false,
            followed: None,
        }
    }

    pub(super) fn slot(&mut self, key: DesignKey) -> &mut Slot {
        self.slots.entry(key).or_default()
    }

    /// The design with its unsaved changes; `None` if it has none.
    pub(super) fn unsaved(&self, key: DesignKey) -> Option<&Document> {
        self.slots.get(&key)?.unsaved_document()
    }

    /// Records a change.
    pub(super) fn change(&mut self, key: DesignKey, document: Document, now: f64) {
        self.number += 1;
        let number = self.number;
        let slot = self.slot(key);
        slot.number = number;
        slot.changed_at = clock::unix_millis();
        let since = slot.unsaved.as_ref().map_or(now, |unsaved| unsaved.since);
        slot.unsaved = Some(Unsaved {
            document,
            number,
            since,
        });
    }

    fn saved(&self, key: DesignKey) -> Saved {
        match self.slots.get(&key) {
            Some(slot) if slot.base == 0 && (slot.failed || slot.unsaved.is_none()) => {
                Saved::Nowhere
            }
            Some(slot) if slot.failed => Saved::Failed,
            Some(slot) if slot.unsaved.is_some() => Saved::Pending,
            _ => Saved::Yes,
        }
    }

    /// The stored designs, and those of this visit that are not stored yet.
    pub(super) fn all_entries(&self) -> Vec<Entry> {
        let mut entries = self.entries.clone();
        for (key, slot) in &self.slots {
            let Some(unsaved) = &slot.unsaved else {
                continue;
            };
            let name = unsaved.document.design().name.clone();
            match entries.iter_mut().find(|entry| entry.key == *key) {
                Some(entry) => entry.name = name,
                None if slot.base == 0 => {
                    entries.push(Entry::new(*key, name, clock::unix_millis()));
                }
                None => {}
            }
        }
        entries
    }

    fn listed(&self) -> Vec<Listed> {
        let listed = |entry: Entry| Listed {
            key: entry.key,
            name: entry.name,
        };
        self.all_entries().into_iter().map(listed).collect()
    }
}

impl Designs {
    /// Reads or changes the state of this tab; `None` if the page is gone.
    pub(super) fn state<T>(self, use_: impl FnOnce(&mut State) -> T) -> Option<T> {
        let state = self.state.try_get_value()?;
        let mut state = state.borrow_mut();
        Some(use_(&mut state))
    }

    /// The stored designs; `None` if the page is gone.
    pub(super) fn workspace(self) -> Option<Rc<Workspace<IndexedDb>>> {
        self.state(|state| state.workspace.clone())
    }

    /// Adds a request at the end of the queue.
    pub(super) fn enqueue(self, job: impl Future<Output = ()> + 'static) {
        let begins = self.state(|state| {
            state.queue.push_back(Box::pin(job));
            !std::mem::replace(&mut state.is_working, true)
        });
        if begins != Some(true) {
            return;
        }
        let Some(state) = self.state.try_get_value() else {
            return;
        };
        spawn_local(async move {
            loop {
                let job = state.borrow_mut().queue.pop_front();
                match job {
                    Some(job) => job.await,
                    None => break,
                }
            }
            state.borrow_mut().is_working = false;
        });
    }

    /// Stores every change to the open design after a short pause.
    pub(super) fn save_changes(self) {
        Effect::new(move |last: Option<u64>| {
            self.store.revision.track();
            let draft = self.store.draft.get();
            let opened = self.store.opened.get();
            // Opening a design is not a change.
            if last == Some(opened)
                && let Some(key) = self.open.get_untracked()
            {
                let followed = self.state(|state| state.followed.take()).flatten();
                // What another tab stored is no change, also below a draft of this one.
                let is_followed = |(followed, at): (Design, _)| {
                    at == draft && self.store.with(|design| diff(&followed, design).is_empty())
                };
                if followed.is_some_and(is_followed) {
                    return opened;
                }
                let document = self.store.document();
                self.is_wanted(key);
                self.state(|state| state.change(key, document.clone(), clock::now()));
                self.remember_document(key, document);
                self.show_saved();
                self.save_soon(key);
            }
            opened
        });
        let leave = window_event_listener(ev::pagehide, move |_| {
            self.write_journals();
            self.flush();
            self.tell_tabs_leaving();
        });
        let hide = window_event_listener(ev::visibilitychange, move |_| {
            // The browser may discard a hidden tab without a word.
            if document().hidden() {
                self.write_journals();
            }
            self.flush();
            // Messages may have been lost with a tab that was closed.
            if let (false, Some(Some(key))) = (document().hidden(), self.open.try_get_untracked()) {
                self.changed_elsewhere(key);
            }
        });
        let ask = window_event_listener(ev::beforeunload, move |event| {
            if !self.write_journals() {
                event.prevent_default();
                event.set_return_value("Changes are not saved.");
            }
        });
        // A page restored from the back/forward cache received no messages meanwhile.
        let back = window_event_listener(ev::pageshow, move |event| {
            if let (true, Some(Some(key))) = (event.persisted(), self.open.try_get_untracked()) {
                self.changed_elsewhere(key);
            }
        });
        on_cleanup(move || {
            if let Some(Some(key)) = self.open.try_get_untracked() {
                opening_guard::end(key);
            }
            for listener in [leave, hide, back] {
                listener.remove();
            }
            ask.remove();
        });
    }

    fn save_soon(self, key: DesignKey) {
        self.forget_timer();
        let wait = self.state(|state| {
            let since = state
                .slot(key)
                .unsaved
                .as_ref()
                .map(|unsaved| unsaved.since);
            let left = since.unwrap_or_default() + MAX_WAIT - clock::now();
            let pause = match state.has_company {
                true => PAUSE_IN_COMPANY,
                false => PAUSE,
            };
            left.clamp(0.0, pause)
        });
        let wait = Duration::from_millis(wait.unwrap_or_default() as u64);
        let timer = self.store.view.after(wait, move || self.flush());
        self.timer.set_value(timer);
    }

    pub(super) fn forget_timer(self) {
        if let Some(Some(timer)) = self.timer.try_update_value(Option::take) {
            timer.clear();
        }
    }

    /// Stores all waiting changes now, except those whose last save failed.
    pub fn flush(self) {
        self.save_all(false);
    }

    /// Stores all waiting changes now, including those whose last save failed.
    pub(super) fn retry_failed(self) {
        self.save_all(true);
    }

    fn save_all(self, failed_too: bool) {
        if crash::has_crashed() {
            return;
        }
        self.forget_timer();
        let open = self.open.try_get_untracked().flatten();
        let due = self.state(|state| {
            let mut due = Vec::new();
            for (key, slot) in state.slots.iter_mut() {
                let again = failed_too || !slot.failed || open == Some(*key);
                if slot.unsaved.is_some() && !slot.queued && again {
                    slot.queued = true;
                    due.push(*key);
                }
            }
            due
        });
        for key in due.unwrap_or_default() {
            self.enqueue(self.save(key));
        }
    }

    /// Returns the stored text of a design in the language, or that which is about to be stored.
    pub(super) async fn stored_text_of(self, key: DesignKey) -> Option<String> {
        let unsaved = self.state(|state| state.unsaved(key).and_then(|own| Texts::of(own).own));
        match unsaved.flatten() {
            Some(text) => Some(text),
            None => self.workspace()?.design_text(key).await,
        }
    }

    /// Stores all waiting changes now, then calls `then`, even if some could not be stored.
    pub fn when_stored(self, then: impl FnOnce() + 'static) {
        self.retry_failed();
        self.enqueue(async move { then() });
    }

    /// Stores all waiting changes now, and shows a message once everything is stored.
    pub fn store_now(self) {
        if let Some(key) = self.open.get_untracked() {
            self.is_wanted(key);
            self.state(|state| {
                // One that opened instead of another design is stored once it is edited or saved. One that is being deleted
                // has no slot.
                let slot = state.slots.get(&key);
                if slot.is_some_and(|slot| slot.base == 0 && slot.unsaved.is_none()) {
                    state.change(key, self.store.document(), clock::now());
                }
            });
        }
        self.retry_failed();
        self.enqueue(async move {
            let all = self.state(|state| state.slots.values().all(|slot| slot.unsaved.is_none()));
            let is_stored = !matches!(
                self.saved.try_get_untracked(),
                Some(Saved::Never | Saved::Shared | Saved::Version)
            );
            if all == Some(true) && is_stored {
                self.store.notices.say("Saved in this browser.");
            }
        });
    }

    async fn save(self, key: DesignKey) {
        let taken = self.state(|state| {
            let visit = state.visit;
            let slot = state.slot(key);
            slot.queued = false;
            let unsaved = slot.unsaved.as_ref()?;
            let name = unsaved.document.design().name.clone();
            let (number, base) = (unsaved.number, slot.base);
            let texts = Texts::of(&unsaved.document);
            let design = unsaved.document.design().clone();
            let text = unsaved.document.text().cloned();
            slot.saving = Some((number, design.clone()));
            let change = (Change { visit, number }, slot.changed_at);
            Some((
                state.workspace.clone(),
                (name, design, text),
                change,
                base,
                texts,
            ))
        });
        let Some(Some((workspace, (name, design, text), (change, at), base, texts))) = taken else {
            return;
        };
        self.tell_tabs("saves", key);
        let save = SaveRequest {
            key,
            base,
            name: &name,
            text: &texts.file,
            own: texts.own.as_deref(),
            history: Some(&texts.history),
            change: Some(change),
            now: at,
        };
        let (saved, cut) = workspace.save_with_room(save).await;
        if cut.is_without_text {
            self.store.notices.error(format!(
                "The browser's storage is full: “{name}” is saved without the comments and the order of its text. Delete \
                 designs that you no longer need.",
            ));
        }
        if cut.versions > 0 {
            self.store.notices.error(
                "The browser's storage is full: the oldest automatic versions were deleted to make room for the design. \
                 Delete designs that you no longer need.",
            );
        }
        self.state(|state| state.slot(key).saving = None);
        match saved {
            Ok(version) => {
                self.state(|state| {
                    let slot = state.slot(key);
                    slot.stored = Some(design);
                    // Without room for the text, the earlier one is stored.
                    if !cut.is_without_text {
                        slot.text = text.or(slot.text.take());
                    }
                });
                self.stored(key, version, (change.number, at), &name);
            }
            Err(SaveError::Changed) => {
                if !self.merge_stored(key).await {
                    self.fork(
                        key,
                        "was changed in another tab at the same time. Your version is now a separate design; the other \
                         version is in the list of designs.",
                    );
                }
            }
            Err(SaveError::Deleted) => self.fork(
                key,
                "was deleted in another tab while you changed it here. Your version is now a separate design.",
            ),
            Err(SaveError::Failed(failure)) => self.failed(key, &failure),
        }
    }

    /// Records that a change is stored and committed: its number, and when it was made.
    fn stored(self, key: DesignKey, version: u32, (number, at): (u64, f64), name: &str) {
        let opened = self.state(|state| {
            let saved = state.entries.iter().find(|entry| entry.key == key);
            let saved = saved.map(Entry::changed);
            let visit = state.visit;
            let slot = state.slot(key);
            let is_first = !std::mem::replace(&mut slot.is_changed, true);
            slot.base = version;
            slot.failed = false;
            // The page may close before later changes are stored, too.
            if slot.journal.is_none_or(|journal| journal <= number) {
                slot.clear_journal(key, visit);
            }
            match &mut slot.unsaved {
                Some(unsaved) if unsaved.number != number => unsaved.since = clock::now(),
                unsaved => *unsaved = None,
            }
            match state.entries.iter_mut().find(|entry| entry.key == key) {
                Some(entry) => {
                    name.clone_into(&mut entry.name);
                    entry.saved = at;
                }
                None => state.entries.push(Entry {
                    saved: at,
                    version,
                    ..Entry::new(key, name.to_owned(), at)
                }),
            }
            saved.filter(|_| is_first)
        });
        if let Some(Some(at)) = opened {
            self.keep_opened_version(key, at);
        }
        self.keep_version_later(key);
        self.tell_tabs("saved", key);
        self.ask_to_keep();
        self.remember_for_crash();
        self.show_saved();
        self.list_now();
    }

    fn failed(self, key: DesignKey, failure: &StorageError) {
        let failed = self.state(|state| {
            let slot = state.slot(key);
            slot.failed = true;
            let design = slot.unsaved.as_ref()?.document.design().clone();
            Some((design, slot.base))
        });
        let Some(Some((design, base))) = failed else {
            return;
        };
        self.write_journals();
        self.show_saved();
        let name = &design.name;
        let what = match base {
            0 => format!(
                "“{name}” exists only in this tab, because it could not be saved: {failure}."
            ),
            _ => format!("The last changes to “{name}” are not saved: {failure}."),
        };
        let what_to_do = match failure {
            StorageError::Denied(_) => "Download the design before you close this tab.",
            _ => "Download the design, or delete designs that you no longer need.",
        };
        self.store.notices.error_with_file(
            format!("{what} {what_to_do}"),
            format!("{}.keyfold.json", file_stem(name)),
            persist::to_json(&design),
        );
    }

    /// Another tab stored or deleted the design that was changed here. The version of this tab becomes a separate
    /// design, so that neither is lost. It keeps its undo history.
    fn fork(self, key: DesignKey, what_happened: &str) {
        let old_name = self.name_of(key);
        let new = random::design_key();
        let is_open = self.open.try_get_untracked().flatten() == Some(key);
        let name = self.free_name(&old_name);
        self.state(|state| {
            let visit = state.visit;
            let slot = state.slot(key);
            slot.clear_journal(key, visit);
            if let Some(unsaved) = slot.unsaved.take() {
                let mut document = unsaved.document;
                // The name is free, so this is not refused.
                let _ = document.run(Command::RenameDesign(name.clone()), clock::now());
                state.change(new, document, clock::now());
            }
            state.slots.remove(&key);
        });
        if is_open {
            self.open.set(Some(new));
            start::remember_open(new);
            self.store.perform(Command::RenameDesign(name));
            self.show_saved();
        }
        self.store
            .notices
            .error(format!("“{old_name}” {what_happened}"));
        self.refresh_list();
        self.flush();
    }

    /// Discards the state of a design in this tab.
    pub(super) fn forget(self, key: DesignKey) {
        self.state(|state| {
            let visit = state.visit;
            state.slot(key).clear_journal(key, visit);
            state.slots.remove(&key);
            state.entries.retain(|entry| entry.key != key);
        });
        opening_guard::end(key);
    }

    /// Writes unsaved changes to the journal. Returns whether all of them were written.
    fn write_journals(self) -> bool {
        if crash::has_crashed() {
            return true;
        }
        let written = self.state(|state| {
            let mut all = true;
            let visit = state.visit;
            for (key, slot) in state.slots.iter_mut() {
                let Some(unsaved) = &slot.unsaved else {
                    continue;
                };
                if slot.journal == Some(unsaved.number) {
                    continue;
                }
                match journal(&unsaved.document, &slot.basis(visit)).write(&Local, *key) {
                    Ok(()) => {
                        slot.journal = Some(unsaved.number);
                        // It is in that of this visit.
                        if let Some(visit) = slot.left_by.take() {
                            Journal::remove(&Local, *key, visit);
                        }
                    }
                    Err(_) => all = false,
                }
            }
            all
        });
        written.unwrap_or(true)
    }

    pub(super) fn remember_for_crash(self) {
        if let Some(Some(key)) = self.open.try_get_untracked() {
            self.remember_document(key, self.store.document());
        }
    }

    fn remember_document(self, key: DesignKey, document: Document) {
        let last = self.state(|state| {
            let visit = state.visit;
            let slot = state.slot(key);
            LastGood {
                key,
                is_changed: slot.unsaved.is_some(),
                basis: slot.basis(visit),
                document,
            }
        });
        crash::remember(last);
    }

    pub(super) fn show_saved(self) {
        let Some(Some(key)) = self.open.try_get_untracked() else {
            return;
        };
        let saved = self.state(|state| state.saved(key));
        if let Some(saved) = saved.filter(|saved| self.saved.get_untracked() != *saved) {
            self.saved.set(saved);
        }
    }

    /// Updates the list of designs from the state of this tab.
    pub(super) fn list_now(self) {
        if let Some(list) = self.state(|state| state.listed())
            && self
                .list
                .try_get_untracked()
                .is_some_and(|shown| shown != list)
        {
            self.list.set(list);
        }
    }

    /// Updates the list of designs from storage.
    pub(super) fn refresh_list(self) {
        self.enqueue(self.reload_list());
    }

    /// As [`Designs::refresh_list`], for requests in the queue.
    pub(super) async fn reload_list(self) {
        let Some(workspace) = self.workspace() else {
            return;
        };
        if let Ok(entries) = workspace.entries().await {
            self.state(|state| state.entries = entries);
            self.list_now();
        }
    }
}
