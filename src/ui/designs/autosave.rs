//! Autosave: every change is stored soon after it was made, and at least every second while somebody types. The database
//! answers later, so a design says that it is stored only after the commit. What the database does not have yet when the
//! page closes goes to the journal in the local storage, which answers at once.
//!
//! All requests to the database stand in one queue: none begins before the one before it has come to an end.

use super::crash::LastGood;
use super::{Designs, Listed, crash, opening, start};
use crate::platform::database::IndexedDb;
use crate::platform::storage::Local;
use crate::platform::{clock, random};
use keyfold_app::workspace::{
    DesignKey, Entry, Journal, SaveError, SaveRequest, StorageError, Workspace, hash,
};
use keyfold_app::{Command, Document};
use keyfold_core::model::{Design, SortedMap, SortedSet, file_stem};
use keyfold_core::persist;
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

/// A change is stored when nothing has changed for this long, in milliseconds.
const PAUSE: f64 = 250.0;
/// A change is stored at latest after this long, in milliseconds: the rest of a second is for the database.
const MAX_WAIT: f64 = 500.0;

/// How the open design's storage is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saved {
    /// What is shown is stored.
    Yes,
    /// A change waits to be stored.
    Pending,
    /// The last save failed, and what is stored is the version before.
    Failed,
    /// The last save failed, and nothing is stored.
    Nowhere,
    /// This design is not stored at all.
    Never,
}

/// Work that waits for the database.
type Job = Pin<Box<dyn Future<Output = ()>>>;

/// Changes of a design that are not stored.
pub(super) struct Unsaved {
    design: Design,
    /// Tells one change from another.
    number: u64,
    /// When the first of them was made, as [`clock::now`] tells.
    since: f64,
}

/// What this tab knows of a design that it had open.
#[derive(Default)]
pub(super) struct Slot {
    /// The stored version that is shown or was changed; 0: it was never stored.
    pub base: u32,
    pub unsaved: Option<Unsaved>,
    /// Whether the last save failed.
    failed: bool,
    /// Whether a save stands in the queue.
    queued: bool,
    /// The hash of the text that is on its way to the database.
    sent: Option<u64>,
    /// The change that the journal has.
    journal: Option<u64>,
}

/// What this tab knows of the designs.
pub(super) struct State {
    pub workspace: Rc<Workspace<IndexedDb>>,
    /// What is stored, as it was listed last.
    pub entries: Vec<Entry>,
    slots: SortedMap<DesignKey, Slot>,
    queue: VecDeque<Job>,
    is_working: bool,
    /// Counts the changes.
    number: u64,
    /// Designs that were tried since one could be opened.
    pub tried: SortedSet<DesignKey>,
}

impl State {
    pub(super) fn new(workspace: Rc<Workspace<IndexedDb>>, entries: Vec<Entry>) -> State {
        State {
            workspace,
            entries,
            slots: SortedMap::new(),
            queue: VecDeque::new(),
            is_working: false,
            number: 0,
            tried: SortedSet::new(),
        }
    }

    pub(super) fn slot(&mut self, key: DesignKey) -> &mut Slot {
        self.slots.entry(key).or_default()
    }

    /// The design with its changes that are not stored.
    pub(super) fn unsaved(&self, key: DesignKey) -> Option<Design> {
        let unsaved = self.slots.get(&key)?.unsaved.as_ref()?;
        Some(unsaved.design.clone())
    }

    /// Takes note of a change.
    pub(super) fn change(&mut self, key: DesignKey, design: Design, now: f64) {
        self.number += 1;
        let number = self.number;
        let slot = self.slot(key);
        let since = slot.unsaved.as_ref().map_or(now, |unsaved| unsaved.since);
        slot.unsaved = Some(Unsaved {
            design,
            number,
            since,
        });
    }

    fn saved(&self, key: DesignKey) -> Saved {
        match self.slots.get(&key) {
            Some(slot) if slot.failed && slot.base == 0 => Saved::Nowhere,
            Some(slot) if slot.failed => Saved::Failed,
            Some(slot) if slot.unsaved.is_some() => Saved::Pending,
            _ => Saved::Yes,
        }
    }

    /// The designs, the stored ones and those of this visit that are not.
    fn listed(&self) -> Vec<Listed> {
        let mut listed: Vec<Listed> = (self.entries.iter())
            .map(|entry| Listed {
                key: entry.key,
                name: entry.name.clone(),
            })
            .collect();
        for (key, slot) in &self.slots {
            let Some(Unsaved { design, .. }) = &slot.unsaved else {
                continue;
            };
            let name = design.name.clone();
            match listed.iter_mut().find(|listed| listed.key == *key) {
                Some(listed) => listed.name = name,
                None if slot.base == 0 => listed.push(Listed { key: *key, name }),
                None => {}
            }
        }
        listed
    }
}

impl Designs {
    /// What the tab knows, read or changed; `None`: the page is gone.
    pub(super) fn state<T>(self, use_: impl FnOnce(&mut State) -> T) -> Option<T> {
        let state = self.state.try_get_value()?;
        let mut state = state.borrow_mut();
        Some(use_(&mut state))
    }

    /// The stored designs; `None`: the page is gone.
    pub(super) fn workspace(self) -> Option<Rc<Workspace<IndexedDb>>> {
        self.state(|state| state.workspace.clone())
    }

    /// Puts work at the end of the queue.
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

    /// Stores every change of the open design soon after it was made.
    pub(super) fn save_changes(self) {
        Effect::new(move |last: Option<u64>| {
            self.store.revision.track();
            self.store.draft.track();
            let opened = self.store.opened.get();
            // What was only opened is no change.
            if last == Some(opened)
                && let Some(key) = self.open.get_untracked()
            {
                let document = self.store.document();
                let design = document.design().clone();
                self.state(|state| state.change(key, design, clock::now()));
                self.remember_document(key, document);
                self.show_saved();
                self.save_soon(key);
            }
            opened
        });
        let leave = window_event_listener(ev::pagehide, move |_| {
            self.write_journals();
            self.flush();
            if let Some(Some(key)) = self.open.try_get_untracked() {
                opening::end(key);
            }
        });
        let hide = window_event_listener(ev::visibilitychange, move |_| self.flush());
        let ask = window_event_listener(ev::beforeunload, move |event| {
            if !self.write_journals() {
                event.prevent_default();
                event.set_return_value("Changes are not stored.");
            }
        });
        // A page that comes back from the browser's memory heard nothing meanwhile.
        let back = window_event_listener(ev::pageshow, move |event| {
            if let (true, Some(Some(key))) = (event.persisted(), self.open.try_get_untracked()) {
                self.changed_elsewhere(key);
            }
        });
        on_cleanup(move || {
            if let Some(Some(key)) = self.open.try_get_untracked() {
                opening::end(key);
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
            left.clamp(0.0, PAUSE)
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

    /// Stores now whatever waits to be stored, but what has just failed.
    pub fn flush(self) {
        self.save_all(false);
    }

    /// Tries again to store what could not be stored.
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

    /// Stores now, and says so once everything is stored.
    pub fn store_now(self) {
        self.retry_failed();
        self.enqueue(async move {
            let all = self.state(|state| state.slots.values().all(|slot| slot.unsaved.is_none()));
            if all == Some(true) && self.saved.try_get_untracked() != Some(Saved::Never) {
                self.store.notices.say("Stored in this browser.");
            }
        });
    }

    async fn save(self, key: DesignKey) {
        let taken = self.state(|state| {
            let slot = state.slot(key);
            slot.queued = false;
            let unsaved = slot.unsaved.as_ref()?;
            let (design, number, base) = (unsaved.design.clone(), unsaved.number, slot.base);
            let text = persist::to_json(&design);
            slot.sent = Some(hash(&text));
            Some((state.workspace.clone(), design, number, base, text))
        });
        let Some(Some((workspace, design, number, base, text))) = taken else {
            return;
        };
        let save = SaveRequest {
            key,
            base,
            name: &design.name,
            text: &text,
            now: clock::unix_millis(),
        };
        let saved = workspace.save(save).await;
        self.state(|state| state.slot(key).sent = None);
        match saved {
            Ok(version) => self.stored(key, version, number, &design.name),
            Err(SaveError::Changed) => self.fork(
                key,
                "was changed in another tab at the same time. What you see here is now a design of its own; the other \
                 one is in the list of designs.",
            ),
            Err(SaveError::Deleted) => self.fork(
                key,
                "was deleted in another tab while you changed it here. What you see here is now a design of its own.",
            ),
            Err(SaveError::Failed(failure)) => self.failed(key, &failure),
        }
    }

    /// A change is stored, and committed.
    fn stored(self, key: DesignKey, version: u32, number: u64, name: &str) {
        self.state(|state| {
            let slot = state.slot(key);
            slot.base = version;
            slot.failed = false;
            if slot.journal.take().is_some() {
                Journal::remove(&Local, key);
            }
            match &mut slot.unsaved {
                Some(unsaved) if unsaved.number != number => unsaved.since = clock::now(),
                unsaved => *unsaved = None,
            }
            match state.entries.iter_mut().find(|entry| entry.key == key) {
                Some(entry) => name.clone_into(&mut entry.name),
                None => state.entries.push(Entry {
                    key,
                    name: name.to_owned(),
                    created: clock::unix_millis(),
                    version,
                    recovered_as: None,
                }),
            }
        });
        self.tell_tabs("saved", key);
        self.remember_for_crash();
        self.show_saved();
        self.list_now();
    }

    fn failed(self, key: DesignKey, failure: &StorageError) {
        let failed = self.state(|state| {
            let slot = state.slot(key);
            slot.failed = true;
            let design = slot.unsaved.as_ref()?.design.clone();
            Some((design, slot.base))
        });
        let Some(Some((design, base))) = failed else {
            return;
        };
        self.show_saved();
        let name = &design.name;
        let what = match base {
            0 => format!(
                "“{name}” is not stored: {failure}. It is only in this page, and gone when you close it."
            ),
            _ => format!(
                "The last changes of “{name}” are not stored: {failure}. What is stored is the version before them."
            ),
        };
        let what_to_do = match failure {
            StorageError::Denied(_) => "Download the design before you close this page.",
            _ => "Download the design, or delete designs that you no longer need.",
        };
        self.store.notices.error_with_file(
            format!("{what} {what_to_do}"),
            format!("{}.keyfold.json", file_stem(name)),
            persist::to_json(&design),
        );
    }

    /// Another tab stored or deleted the design that was changed here: the changed one becomes a design of its own, so that
    /// neither is lost. It keeps its undo history.
    fn fork(self, key: DesignKey, what_happened: &str) {
        let old_name = self.name_of(key);
        let new = random::design_key();
        let is_open = self.open.try_get_untracked().flatten() == Some(key);
        let name = self.free_name(&old_name);
        self.state(|state| {
            let slot = state.slot(key);
            if slot.journal.take().is_some() {
                Journal::remove(&Local, key);
            }
            if let Some(unsaved) = slot.unsaved.take() {
                let mut design = unsaved.design;
                design.name.clone_from(&name);
                state.change(new, design, clock::now());
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

    /// Forgets all that this tab knows of a design.
    pub(super) fn forget(self, key: DesignKey) {
        self.state(|state| {
            state.slots.remove(&key);
            state.entries.retain(|entry| entry.key != key);
        });
        Journal::remove(&Local, key);
        opening::end(key);
    }

    /// Puts what is not stored into the journal; answers whether all of it is there.
    fn write_journals(self) -> bool {
        if crash::has_crashed() {
            return true;
        }
        let written = self.state(|state| {
            let mut all = true;
            for (key, slot) in state.slots.iter_mut() {
                let Some(unsaved) = &slot.unsaved else {
                    continue;
                };
                if slot.journal == Some(unsaved.number) {
                    continue;
                }
                let journal = Journal {
                    base: slot.base,
                    name: unsaved.design.name.clone(),
                    text: persist::to_json(&unsaved.design),
                    sent: slot.sent,
                    history: None,
                };
                match journal.write(&Local, *key) {
                    Ok(()) => slot.journal = Some(unsaved.number),
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
            let slot = state.slot(key);
            LastGood {
                key,
                base: slot.base,
                is_changed: slot.unsaved.is_some(),
                sent: slot.sent,
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

    /// Shows the list of designs as this tab knows it.
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

    /// Shows the list of designs as it is stored.
    pub(super) fn refresh_list(self) {
        self.enqueue(self.reload_list());
    }

    /// As [`Designs::refresh_list`], for work that is in the queue itself.
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
