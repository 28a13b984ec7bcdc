//! What a page that is closed or has crashed leaves in the local storage: designs with changes that the database may not
//! have yet. The database answers later, and a page on its way out has no later; the local storage answers at once. The
//! next visit stores what is there and removes it.

use super::{Database, DesignKey, Group, NotSaved, Save, Storage, Workspace};
use keyfold_core::template::fnv1a_64;
use serde::{Deserialize, Serialize};

const JOURNAL: &str = "keyfold:journal:";

/// A design with changes that may not be stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Journal {
    /// The stored version that was changed; 0: it was never stored.
    pub base: u32,
    /// Its name.
    pub name: String,
    /// Its file text.
    pub text: String,
    /// The [`hash`] of a text that was on its way to the database: it is no conflict if it arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent: Option<u64>,
    /// The undo history, as [`crate::history`] writes it, where the page crashed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<String>,
}

/// A number that another text hardly has (FNV-1a).
pub fn hash(text: &str) -> u64 {
    fnv1a_64(text.as_bytes())
}

/// What became of a design in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Adopted {
    /// It is stored as this version.
    Stored(u32),
    /// Another version was stored meanwhile, or the design was deleted: it is stored as a design of its own.
    Copied(DesignKey),
    /// It could not be stored, and stays in the journal.
    Kept,
}

impl Journal {
    /// Puts it into the local storage; an error says why not.
    pub fn write(&self, storage: &impl Storage, key: DesignKey) -> Result<(), String> {
        let text = serde_json::to_string(self).map_err(|error| error.to_string())?;
        storage.set(&format!("{JOURNAL}{key}"), &text)
    }

    /// Removes the journal of a design.
    pub fn remove(storage: &impl Storage, key: DesignKey) {
        storage.remove(&format!("{JOURNAL}{key}"));
    }

    /// The journals in the local storage, by design. One that cannot be read is left as it is.
    pub fn all(storage: &impl Storage) -> Vec<(DesignKey, Journal)> {
        let read = |key: &String| {
            let design = key.strip_prefix(JOURNAL)?.parse().ok()?;
            Some((design, serde_json::from_str(&storage.get(key)?).ok()?))
        };
        storage.keys().iter().filter_map(read).collect()
    }

    /// Stores the design. `new_key` is the number of the design that it becomes if its own number has moved on.
    pub async fn adopt<D: Database>(
        &self,
        workspace: &Workspace<D>,
        key: DesignKey,
        new_key: DesignKey,
        now: f64,
    ) -> Adopted {
        let save = Save {
            key,
            base: self.base,
            name: &self.name,
            text: &self.text,
            now,
        };
        let mut saved = workspace.save(save).await;
        if saved == Err(NotSaved::Changed) && self.sent.is_some() {
            let stored = workspace
                .database
                .get(Group::Designs, &key.to_string())
                .await;
            let stored = stored.ok().flatten();
            if stored.is_some_and(|text| Some(hash(&text)) == self.sent) {
                let base = self.base + 1;
                saved = workspace.save(Save { base, ..save }).await;
            }
        }
        match saved {
            Ok(version) => Adopted::Stored(version),
            Err(NotSaved::Failed(_)) => Adopted::Kept,
            Err(NotSaved::Changed | NotSaved::Deleted) => {
                let copy = Save {
                    key: new_key,
                    base: 0,
                    ..save
                };
                match workspace.save(copy).await {
                    Ok(_) => Adopted::Copied(new_key),
                    Err(_) => Adopted::Kept,
                }
            }
        }
    }
}
