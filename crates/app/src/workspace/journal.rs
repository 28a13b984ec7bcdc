//! The journal: designs with unsaved changes that a closing or crashed page leaves in local storage. The database
//! answers asynchronously, too late for a closing page; local storage answers at once. The next visit, or another tab,
//! saves the designs and removes them from the journal.

use super::database::{Database, Storage, StorageError};
use super::stored_designs::{
    DesignKey, Entry, Loaded, LoadedDesign, SaveError, SaveRequest, Workspace,
};
use super::versions::{Kept, NewVersion};
use crate::MergedTabs;
use crate::stored_history::{self, MAX_BYTES};
use keyfold_compare::Side;
use keyfold_core::model::Design;
use keyfold_core::persist;
use keyfold_core::template::fnv1a_64;
use serde::{Deserialize, Serialize};

const JOURNAL: &str = "keyfold:journal:";

/// How often a design is read again because another tab saved it meanwhile.
const TRIES: usize = 5;

/// A change that a tab made. Later changes of a visit have higher numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The visit of the tab: random, from when its page was loaded.
    pub visit: u64,
    /// The number of the change in the visit.
    pub number: u64,
}

/// A save that was under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saving {
    /// The number of the change that was being saved.
    pub number: u64,
    /// The file text; `None` if it is that of the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A design with changes that may not be saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journal {
    /// The saved version that was changed; 0 if it was never saved.
    pub base: u32,
    /// The file text of that version, to merge the changes with those of other tabs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_text: Option<String>,
    /// Name of the design.
    pub name: String,
    /// File text of the design.
    pub text: String,
    /// When the last change was made, in whole milliseconds since 1970; `None` if an earlier version of Keyfold wrote the
    /// journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// The last change; `None` if an earlier version of Keyfold wrote the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
    /// The design in the language, as [`crate::text::stored`] writes it, if the design has such a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<String>,
    /// The same of the saved version that was changed, as far as it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_own: Option<String>,
    /// The save that was under way. If it succeeded, it is no conflict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saving: Option<Saving>,
    /// The undo history as [`crate::stored_history`] writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<String>,
}

/// Hash of a text (FNV-1a, 64 bits).
pub fn hash(text: &str) -> u64 {
    fnv1a_64(text.as_bytes())
}

/// The result of recovering a design from the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalOutcome {
    /// Saved, as this version.
    Stored(u32),
    /// Merged with what another tab saved meanwhile, and saved as this version.
    Merged(u32),
    /// The same. Both changed the same parts: the later change is in it, the other design is a version.
    Chosen(u32),
    /// Saved as a new design, because the design was deleted, or another version was saved and the two cannot be
    /// merged.
    Copied(DesignKey),
    /// Not saved; it stays in the journal.
    Kept,
    /// The design cannot be read, for this reason. Nothing was changed; it stays in the journal.
    Unreadable(String),
}

/// A journal that cannot be read. It stays in local storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableJournal {
    /// Its key in local storage.
    pub item: String,
    /// Its text.
    pub text: String,
}

/// What became of one attempt to save a journal.
enum Attempt {
    Done(JournalOutcome),
    /// Another tab saved the design meanwhile.
    Again,
    /// The design can be saved as a new one only.
    Copy,
}

/// A design and its text in the language, as [`crate::text::stored`] writes it.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// The design.
    pub design: &'a Design,
    /// Its text, if it is known.
    pub own: Option<&'a str>,
}

/// Merges what two tabs made of a design.
#[expect(
    async_fn_in_trait,
    reason = "a page has one thread: no future has to be Send"
)]
pub trait Merge {
    /// Merges as [`merge_tabs`](crate::merge_tabs). `None` if that is not available now.
    async fn merge(
        &self,
        base: &Design,
        ours: &Design,
        theirs: &Design,
        later: Side,
    ) -> Option<MergedTabs>;

    /// Returns the text of the merged design with what both wrote; `None` if it is not available now. Where nobody knows the
    /// text of `base`, it is that design as it is printed.
    async fn join(
        &self,
        base: Written<'_>,
        ours: Written<'_>,
        theirs: Written<'_>,
        merged: &MergedTabs,
    ) -> Option<String>;
}

impl Journal {
    /// Writes the journal to local storage; without room for all of it, without the history, then without the text in the
    /// language of the saved version, then without that of the design, then without the other texts that a merge needs.
    ///
    /// # Errors
    ///
    /// Returns why the storage refused it.
    pub fn write(&self, storage: &impl Storage, key: DesignKey) -> Result<(), String> {
        let set = |journal: &Journal| {
            let text = serde_json::to_string(journal).map_err(|error| error.to_string())?;
            storage.set(&self.item(key), &text)
        };
        let mut journal = self.clone();
        set(&journal)
            .or_else(|_| {
                journal.history = None;
                set(&journal)
            })
            .or_else(|_| {
                journal.base_own = None;
                set(&journal)
            })
            .or_else(|_| {
                journal.own = None;
                set(&journal)
            })
            .or_else(|_| {
                (journal.base_text, journal.saving) = (None, None);
                set(&journal)
            })
    }

    /// Removes what a visit left of a design in the journal; `None`: what an earlier version of Keyfold left.
    pub fn remove(storage: &impl Storage, key: DesignKey, visit: Option<u64>) {
        storage.remove(&item(key, visit));
    }

    /// Removes this journal, unless the visit has written a later one since it was read.
    pub fn remove_read(&self, storage: &impl Storage, key: DesignKey) {
        let item = self.item(key);
        let now = storage.get(&item);
        let now = now.and_then(|text| serde_json::from_str(&text).ok());
        if now.as_ref() == Some(self) {
            storage.remove(&item);
        }
    }

    /// Whether local storage has journals.
    pub fn is_any(storage: &impl Storage) -> bool {
        storage.keys().iter().any(|key| key.starts_with(JOURNAL))
    }

    /// Returns all journals in local storage with their designs, in the order of their last changes, and those that cannot
    /// be read. Recovered in this order, the later change wins.
    pub fn all(storage: &impl Storage) -> (Vec<(DesignKey, Journal)>, Vec<UnreadableJournal>) {
        let (mut journals, mut unreadable) = (Vec::new(), Vec::new());
        for item in storage.keys() {
            let Some((name, text)) = item.strip_prefix(JOURNAL).zip(storage.get(&item)) else {
                continue;
            };
            let design = name.split('-').next().and_then(|key| key.parse().ok());
            match design.zip(serde_json::from_str(&text).ok()) {
                Some(journal) => journals.push(journal),
                None => unreadable.push(UnreadableJournal { item, text }),
            }
        }
        journals.sort_by_key(|(_, journal): &(DesignKey, Journal)| journal.at);
        (journals, unreadable)
    }

    /// Key of the journal of a design in local storage.
    pub fn item(&self, key: DesignKey) -> String {
        item(key, self.change.map(|change| change.visit))
    }

    /// When the last change was made, in milliseconds since 1970; `now` if that is not known, or if there was none.
    fn changed_at(&self, now: f64) -> f64 {
        let at = self.at.map(|at| at as f64);
        at.filter(|at| *at > 0.0).unwrap_or(now)
    }

    /// Saves the design, its undo history, and its text in the language, if the design can be read.
    pub async fn recover<D: Database>(
        &self,
        workspace: &Workspace<D>,
        key: DesignKey,
        now: f64,
        merge: &impl Merge,
    ) -> JournalOutcome {
        for _ in 0..TRIES {
            match self.attempt(workspace, key, now, merge).await {
                Attempt::Done(outcome) => return outcome,
                Attempt::Again => {}
                Attempt::Copy => return self.copy(workspace, key, now).await,
            }
        }
        JournalOutcome::Kept
    }

    async fn attempt<D: Database>(
        &self,
        workspace: &Workspace<D>,
        key: DesignKey,
        now: f64,
        merge: &impl Merge,
    ) -> Attempt {
        let Ok(entry) = workspace.entry(key).await else {
            return Attempt::Done(JournalOutcome::Kept);
        };
        if let (Some(entry), Some(change)) = (&entry, self.change)
            && entry.has(change)
        {
            return Attempt::Done(JournalOutcome::Stored(entry.version));
        }
        let ours = match persist::from_json(&self.text) {
            Ok(ours) => ours,
            Err(error) => {
                return Attempt::Done(JournalOutcome::Unreadable(error.to_string()));
            }
        };
        let Some(entry) = entry else {
            return match self.base {
                0 => self.save(workspace, key, 0, now).await,
                _ => Attempt::Copy,
            };
        };
        let saved = self.saved(&entry);
        if entry.version == self.base && saved.is_none() {
            return self.save(workspace, key, self.base, now).await;
        }
        let loaded = match workspace.load(key).await {
            Ok(Loaded::Design(loaded)) => loaded,
            Ok(_) => return Attempt::Copy,
            Err(_) => return Attempt::Done(JournalOutcome::Kept),
        };
        let base_text = saved.or(self.base_text.as_deref());
        if loaded.text != self.text && base_text.is_none() {
            return Attempt::Copy;
        }
        // Without the base, which is not needed for a merge of equal designs, it is that design.
        let base_text = base_text.unwrap_or(&self.text);
        let Ok(base) = persist::from_json(base_text) else {
            return Attempt::Copy;
        };
        // Whoever changed a part last has it as they left it.
        let later = match self.at.is_none_or(|at| loaded.saved <= at as f64) {
            true => Side::Ours,
            false => Side::Theirs,
        };
        let merged = if loaded.text == base_text || loaded.text == self.text {
            MergedTabs::of(ours.clone())
        } else {
            match merge.merge(&base, &ours, &loaded.design, later).await {
                Some(merged) => merged,
                None => return Attempt::Done(JournalOutcome::Kept),
            }
        };
        let is_chosen = merged.is_conflict;
        let stored_own = workspace.design_text(key).await;
        let own = match &self.own {
            Some(own) if saved.is_some() && self.is_last(&entry) => Some(own.clone()),
            Some(own) => {
                let written = |design, own| Written { design, own };
                let base = written(&base, self.base_own.as_deref());
                let theirs = written(&loaded.design, stored_own.as_deref());
                let ours = written(&ours, Some(own));
                match merge.join(base, ours, theirs, &merged).await {
                    Some(own) => Some(own),
                    None => return Attempt::Done(JournalOutcome::Kept),
                }
            }
            None => None,
        };
        let (version, saved_at) = (loaded.version, loaded.saved);
        if loaded.text == self.text && (own.is_none() || own == stored_own) {
            return Attempt::Done(JournalOutcome::Stored(version));
        }
        if is_chosen {
            match self.keep_other(workspace, key, later, now).await {
                Ok(kept) if kept.is_stored() => {}
                Ok(_) => return Attempt::Copy,
                Err(_) => return Attempt::Done(JournalOutcome::Kept),
            }
        }
        let is_merged = loaded.text != base_text && loaded.text != self.text;
        let name = merged.design.name.clone();
        let (text, history) = match is_merged {
            true => self.on_top(ours, *loaded, merged.design),
            false => (self.text.clone(), self.history.clone()),
        };
        let save = SaveRequest {
            key,
            base: version,
            name: &name,
            text: &text,
            own: own.as_deref(),
            history: history.as_deref(),
            change: self.change,
            now: self.changed_at(now).max(saved_at),
        };
        let saved = match is_chosen {
            // The other side is one of the versions.
            true => workspace.save_beside_versions(save).await,
            false => workspace.save(save).await,
        };
        done(
            saved,
            match (is_merged, is_chosen) {
                (false, _) => JournalOutcome::Stored,
                (true, false) => JournalOutcome::Merged,
                (true, true) => JournalOutcome::Chosen,
            },
        )
    }

    /// Keeps the side that is not chosen where both changed the same as a version.
    async fn keep_other<D: Database>(
        &self,
        workspace: &Workspace<D>,
        key: DesignKey,
        chosen: Side,
        now: f64,
    ) -> Result<Kept, StorageError> {
        let name = "";
        match chosen {
            Side::Ours => workspace.keep_stored_as_version(key, name).await,
            Side::Theirs => {
                let (text, at) = (&self.text, self.changed_at(now));
                workspace
                    .keep_version(key, NewVersion { text, at, name })
                    .await
            }
        }
    }

    /// The file text of a merged design and its history: that of the stored design, and the merge as one step.
    fn on_top(
        &self,
        ours: Design,
        stored: LoadedDesign,
        merged: Design,
    ) -> (String, Option<String>) {
        let history = |history: &Option<String>| history.clone().unwrap_or_default();
        let label = stored_history::from_text(ours, &self.text, &history(&self.history));
        let label = label.undo_label().unwrap_or("edit").to_owned();
        let theirs = history(&stored.history);
        let mut document = stored_history::from_text(stored.design, &stored.text, &theirs);
        document.step_to(merged, label);
        let text = persist::to_json(document.design());
        let history = stored_history::to_text(&document, &text, MAX_BYTES);
        (text, Some(history))
    }

    /// The text that was being saved, if that save succeeded.
    fn saved(&self, entry: &Entry) -> Option<&str> {
        let (change, saving) = (self.change?, self.saving.as_ref()?);
        let number = saving.number;
        let is_stored = entry.has(Change { number, ..change });
        is_stored.then(|| saving.text.as_deref().unwrap_or(&self.text))
    }

    /// Whether no other tab saved the design since this visit did.
    fn is_last(&self, entry: &Entry) -> bool {
        let visit = self.change.map(|change| change.visit);
        entry.version == self.base + 1 && entry.changes.last().map(|last| last.visit) == visit
    }

    async fn save<D: Database>(
        &self,
        workspace: &Workspace<D>,
        key: DesignKey,
        base: u32,
        now: f64,
    ) -> Attempt {
        let save = SaveRequest {
            key,
            base,
            name: &self.name,
            text: &self.text,
            own: self.own.as_deref(),
            history: self.history.as_deref(),
            change: self.change,
            now: self.changed_at(now),
        };
        done(workspace.save(save).await, JournalOutcome::Stored)
    }

    /// Saves the design as a new one. All tabs give it the same key, so that there is one copy.
    async fn copy<D: Database>(
        &self,
        workspace: &Workspace<D>,
        key: DesignKey,
        now: f64,
    ) -> JournalOutcome {
        let text = format!("{key} {}", self.text);
        // Below 2^53, as all keys.
        let copy = hash(&text) >> 11;
        match self.save(workspace, copy, 0, now).await {
            Attempt::Done(JournalOutcome::Kept) => JournalOutcome::Kept,
            _ => JournalOutcome::Copied(copy),
        }
    }
}

/// What became of a save; `saved` says how.
fn done(result: Result<u32, SaveError>, saved: fn(u32) -> JournalOutcome) -> Attempt {
    match result {
        Ok(version) => Attempt::Done(saved(version)),
        Err(SaveError::Changed) => Attempt::Again,
        Err(SaveError::Deleted) => Attempt::Copy,
        Err(SaveError::Failed(_)) => Attempt::Done(JournalOutcome::Kept),
    }
}

/// Key of a journal in local storage.
fn item(key: DesignKey, visit: Option<u64>) -> String {
    match visit {
        Some(visit) => format!("{JOURNAL}{key}-{visit}"),
        None => format!("{JOURNAL}{key}"),
    }
}
