//! The journal: designs with unsaved changes that a closing or crashed page leaves in local storage. The database
//! answers asynchronously, too late for a closing page; local storage answers at once. The next visit saves the
//! designs and removes them from the journal.

use super::database::{Database, ObjectStore, Storage};
use super::stored_designs::{DesignKey, SaveError, SaveRequest, Workspace};
use keyfold_core::template::fnv1a_64;
use serde::{Deserialize, Serialize};

const JOURNAL: &str = "keyfold:journal:";

/// A design with changes that may not be saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journal {
    /// The saved version that was changed; 0 if it was never saved.
    pub base: u32,
    /// Name of the design.
    pub name: String,
    /// File text of the design.
    pub text: String,
    /// The design in the language, as [`crate::text::stored`] writes it, if the design has such a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<String>,
    /// [`hash()`] of a text that was being saved. If that save succeeded, it is no conflict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent: Option<u64>,
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
    /// Saved as a new design, because another version was saved meanwhile, or the design was deleted.
    Copied(DesignKey),
    /// Not saved; it stays in the journal.
    Kept,
}

impl Journal {
    /// Writes the journal to local storage; without room for all of it, without the text in the language and the history.
    ///
    /// # Errors
    ///
    /// Returns why the storage refused it.
    pub fn write(&self, storage: &impl Storage, key: DesignKey) -> Result<(), String> {
        let set = |journal: &Journal| {
            let text = serde_json::to_string(journal).map_err(|error| error.to_string())?;
            storage.set(&format!("{JOURNAL}{key}"), &text)
        };
        set(self).or_else(|_| {
            set(&Journal {
                own: None,
                history: None,
                ..self.clone()
            })
        })
    }

    /// Removes a design from the journal.
    pub fn remove(storage: &impl Storage, key: DesignKey) {
        storage.remove(&format!("{JOURNAL}{key}"));
    }

    /// Whether local storage has journals.
    pub fn is_any(storage: &impl Storage) -> bool {
        storage.keys().iter().any(|key| key.starts_with(JOURNAL))
    }

    /// Returns all journals in local storage, by design. Unreadable ones are skipped and stay there.
    pub fn all(storage: &impl Storage) -> Vec<(DesignKey, Journal)> {
        let read = |key: &String| {
            let design = key.strip_prefix(JOURNAL)?.parse().ok()?;
            Some((design, serde_json::from_str(&storage.get(key)?).ok()?))
        };
        storage.keys().iter().filter_map(read).collect()
    }

    /// Saves the design, its undo history, and its text in the language. `new_key` is its key if it has to become a new design.
    pub async fn recover<D: Database>(
        &self,
        workspace: &Workspace<D>,
        key: DesignKey,
        new_key: DesignKey,
        now: f64,
    ) -> JournalOutcome {
        let save = SaveRequest {
            key,
            base: self.base,
            name: &self.name,
            text: &self.text,
            history: self.history.as_deref(),
            now,
        };
        let mut saved = workspace.save(save).await;
        if saved == Err(SaveError::Changed) && self.sent.is_some() {
            let stored = workspace
                .database
                .get(ObjectStore::Designs, &key.to_string())
                .await;
            let stored = stored.ok().flatten();
            if stored.is_some_and(|text| Some(hash(&text)) == self.sent) {
                let base = self.base + 1;
                saved = workspace.save(SaveRequest { base, ..save }).await;
            }
        }
        let outcome = match saved {
            Ok(version) => JournalOutcome::Stored(version),
            Err(SaveError::Failed(_)) => JournalOutcome::Kept,
            Err(SaveError::Changed | SaveError::Deleted) => {
                let copy = SaveRequest {
                    key: new_key,
                    base: 0,
                    ..save
                };
                match workspace.save(copy).await {
                    Ok(_) => JournalOutcome::Copied(new_key),
                    Err(_) => JournalOutcome::Kept,
                }
            }
        };
        let stored_as = match outcome {
            JournalOutcome::Stored(_) => Some(key),
            JournalOutcome::Copied(new_key) => Some(new_key),
            JournalOutcome::Kept => None,
        };
        if let (Some(key), Some(own)) = (stored_as, &self.own) {
            workspace.keep_design_text(key, own.clone()).await;
        }
        outcome
    }
}
