//! The journal: designs with unsaved changes that a closing or crashed page leaves in local storage. The database
//! answers asynchronously, too late for a closing page; local storage answers at once. The next visit, or another tab,
//! saves the designs and removes them from the journal.

use super::database::{Database, Storage};
use super::stored_designs::{DesignKey, Entry, Loaded, SaveError, SaveRequest, Workspace};
use crate::stored_history::{self, MAX_BYTES};
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
    /// The last change; `None` if an earlier version of Keyfold wrote the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
    /// The design in the language, as [`crate::text::stored`] writes it, if the design has such a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<String>,
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

impl Journal {
    /// Writes the journal to local storage; without room for all of it, without the history, then without the text in the
    /// language, then without the texts that a merge needs.
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

    /// Whether local storage has journals.
    pub fn is_any(storage: &impl Storage) -> bool {
        storage.keys().iter().any(|key| key.starts_with(JOURNAL))
    }

    /// Returns all journals in local storage, by design, and those that cannot be read.
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
        (journals, unreadable)
    }

    /// Key of the journal of a design in local storage.
    pub fn item(&self, key: DesignKey) -> String {
        item(key, self.change.map(|change| change.visit))
    }

    /// Saves the design, its undo history, and its text in the language, if the design can be read. `merge` merges what two tabs made of a base
    /// (base, this, other); it returns `None` if it is not available now.
    pub async fn recover<D: Database>(
        &self,
        workspace: &Workspace<D>,
        key: DesignKey,
        now: f64,
        merge: impl AsyncFn(&Design, &Design, &Design) -> Option<Design>,
    ) -> JournalOutcome {
        let ours = match persist::from_json(&self.text) {
            Ok(ours) => ours,
            Err(error) => return JournalOutcome::Unreadable(error.to_string()),
        };
        for _ in 0..TRIES {
            match self.attempt(workspace, key, &ours, now, &merge).await {
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
        ours: &Design,
        now: f64,
        merge: &impl AsyncFn(&Design, &Design, &Design) -> Option<Design>,
    ) -> Attempt {
        let Ok(entry) = workspace.entry(key).await else {
            return Attempt::Done(JournalOutcome::Kept);
        };
        let Some(entry) = entry else {
            return match self.base {
                0 => self.save(workspace, key, 0, now).await,
                _ => Attempt::Copy,
            };
        };
        if self.change.is_some_and(|change| entry.has(change)) {
            return Attempt::Done(JournalOutcome::Stored(entry.version));
        }
        let saved = self.saved(&entry);
        if entry.version == self.base && saved.is_none() {
            return self.save(workspace, key, self.base, now).await;
        }
        let loaded = match workspace.load(key).await {
            Ok(Loaded::Design(loaded)) => loaded,
            Ok(_) => return Attempt::Copy,
            Err(_) => return Attempt::Done(JournalOutcome::Kept),
        };
        if loaded.text == self.text {
            return Attempt::Done(JournalOutcome::Stored(loaded.version));
        }
        let Some(base_text) = saved.or(self.base_text.as_deref()) else {
            return Attempt::Copy;
        };
        if loaded.text == base_text {
            return self.save(workspace, key, loaded.version, now).await;
        }
        let Ok(base) = persist::from_json(base_text) else {
            return Attempt::Copy;
        };
        let Some(merged) = merge(&base, ours, &loaded.design).await else {
            return Attempt::Done(JournalOutcome::Kept);
        };
        let history = |history: &Option<String>| history.clone().unwrap_or_default();
        let label = stored_history::from_text(ours.clone(), &self.text, &history(&self.history));
        let label = label.undo_label().unwrap_or("edit").to_owned();
        let theirs = history(&loaded.history);
        let mut document = stored_history::from_text(loaded.design, &loaded.text, &theirs);
        document.step_to(merged, label);
        let text = persist::to_json(document.design());
        let history = stored_history::to_text(&document, &text, MAX_BYTES);
        let save = SaveRequest {
            key,
            base: loaded.version,
            name: &document.design().name,
            text: &text,
            own: None,
            history: Some(&history),
            change: self.change,
            now,
        };
        match workspace.save(save).await {
            Ok(version) => Attempt::Done(JournalOutcome::Merged(version)),
            Err(SaveError::Changed) => Attempt::Again,
            Err(SaveError::Deleted) => Attempt::Copy,
            Err(SaveError::Failed(_)) => Attempt::Done(JournalOutcome::Kept),
        }
    }

    /// The text that was being saved, if that save succeeded.
    fn saved(&self, entry: &Entry) -> Option<&str> {
        let (change, saving) = (self.change?, self.saving.as_ref()?);
        let number = saving.number;
        let is_stored = entry.has(Change { number, ..change });
        is_stored.then(|| saving.text.as_deref().unwrap_or(&self.text))
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
            now,
        };
        let outcome = match workspace.save(save).await {
            Ok(version) => JournalOutcome::Stored(version),
            Err(SaveError::Changed) => return Attempt::Again,
            Err(SaveError::Deleted) => return Attempt::Copy,
            Err(SaveError::Failed(_)) => JournalOutcome::Kept,
        };
        Attempt::Done(outcome)
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

/// Key of a journal in local storage.
fn item(key: DesignKey, visit: Option<u64>) -> String {
    match visit {
        Some(visit) => format!("{JOURNAL}{key}-{visit}"),
        None => format!("{JOURNAL}{key}"),
    }
}
