//! The stored designs: loading, saving, deleting and restoring them.

use super::database::{Database, ObjectStore, StorageError, Write};
use super::journal::Change;
use super::versions;
use keyfold_core::model::{Design, SortedMap};
use keyfold_core::persist::{self, FileError};
use serde::{Deserialize, Serialize};

/// Maximum size of an exported file to remember, in bytes.
const EXPORT_BYTES: usize = 150_000;

/// Maximum total size of the remembered exports, in bytes.
const EXPORTS_BYTES: usize = 1_000_000;

/// Key of a design in the workspace: random, below 2^53, so that no two tabs use the same one.
pub type DesignKey = u64;

/// A design in the list of designs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its key.
    pub key: DesignKey,
    /// Its name when it was last saved.
    pub name: String,
    /// When it was created, in milliseconds since 1970.
    pub created: f64,
    /// When the last change in it was made, in milliseconds since 1970. Earlier versions of Keyfold wrote when they saved it,
    /// or 0.
    #[serde(default)]
    pub saved: f64,
    /// The folder that the user put it into; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub folder: String,
    /// Number of saves, starting at 1.
    pub version: u32,
    /// The design that its backup was opened as, if the design itself is unreadable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovered_as: Option<DesignKey>,
    /// The last saved change of each of the last visits, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// Number of visits whose last saved change is known.
const VISITS: usize = 16;

impl Entry {
    /// The entry of a new design that was not saved yet.
    pub fn new(key: DesignKey, name: String, created: f64) -> Entry {
        Entry {
            key,
            name,
            created,
            saved: 0.0,
            folder: String::new(),
            version: 0,
            recovered_as: None,
            changes: Vec::new(),
        }
    }

    /// Whether a change is saved: in the stored version, or in one before it.
    pub fn has(&self, change: Change) -> bool {
        (self.changes.iter())
            .any(|saved| saved.visit == change.visit && saved.number >= change.number)
    }

    fn note(&mut self, change: Change) {
        self.changes.retain(|saved| saved.visit != change.visit);
        self.changes.push(change);
        let older = self.changes.len().saturating_sub(VISITS);
        self.changes.drain(..older);
    }

    /// Parses a stored entry. A missing or invalid one is replaced by an entry with the key only.
    pub(super) fn read(key: DesignKey, text: Option<&str>) -> Entry {
        (text.and_then(|text| serde_json::from_str(text).ok())).unwrap_or_else(|| Entry {
            version: 1,
            ..Entry::new(key, format!("Design {key}"), 0.0)
        })
    }

    pub(super) fn put(&self) -> Write {
        let text = serde_json::to_string(self).unwrap_or_default();
        Write::Put(ObjectStore::Entries, self.key.to_string(), text)
    }
}

/// A design to save.
#[derive(Debug, Clone, Copy)]
pub struct SaveRequest<'a> {
    /// Its key.
    pub key: DesignKey,
    /// The saved version that was changed; 0 if it was never saved.
    pub base: u32,
    /// Its name.
    pub name: &'a str,
    /// Its file text.
    pub text: &'a str,
    /// Its text in the language, as [`text::stored`](super::super::text::stored) writes it; `None` leaves the stored one.
    pub own: Option<&'a str>,
    /// Its undo history, as [`stored_history`](crate::stored_history) writes it. It is stored if there is room.
    pub history: Option<&'a str>,
    /// The last change in it.
    pub change: Option<Change>,
    /// When the last change in it was made, in milliseconds since 1970.
    pub now: f64,
}

/// What was given up so that a design could be saved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cut {
    /// How many automatic versions were deleted.
    pub versions: usize,
    /// Whether its text in the language was left out: an earlier one is stored, or none.
    pub is_without_text: bool,
}

/// Why a design was not saved. The stored version is unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaveError {
    /// The stored version is not the one that was changed.
    Changed,
    /// The design was deleted.
    Deleted,
    /// The database request failed.
    Failed(StorageError),
}

/// The result of loading a design.
#[derive(Debug, Clone, PartialEq)]
pub enum Loaded {
    /// The design.
    Design(Box<LoadedDesign>),
    /// The stored text is invalid. It is unchanged.
    Broken(Broken),
    /// There is no such design.
    Missing,
}

/// A design as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedDesign {
    /// The design.
    pub design: Design,
    /// Its stored version.
    pub version: u32,
    /// When the last change in it was made; see [`Entry::saved`].
    pub saved: f64,
    /// The stored text.
    pub text: String,
    /// The stored undo history; it may belong to another text.
    pub history: Option<String>,
}

/// A stored design that cannot be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Broken {
    /// Its name.
    pub name: String,
    /// Its stored version.
    pub version: u32,
    /// Whether a newer version of Keyfold wrote it.
    pub is_newer: bool,
    /// What is wrong, and where.
    pub reason: String,
    /// The stored text.
    pub text: String,
    /// The design as of the last time it was opened, if that copy is valid.
    pub backup: Option<Box<Design>>,
    /// The design that the backup was opened as earlier, if it still exists.
    pub recovered_as: Option<DesignKey>,
}

/// Everything stored for a deleted design, to undo the deletion.
#[derive(Debug, Clone, PartialEq)]
pub struct Deleted {
    /// Its entry in the list.
    pub entry: Entry,
    texts: Vec<(ObjectStore, String, String)>,
}

impl Deleted {
    /// Wraps a design that was never saved.
    pub fn unstored(key: DesignKey, design: &Design, now: f64) -> Deleted {
        let entry = Entry {
            saved: now,
            ..Entry::new(key, design.name.clone(), now)
        };
        let text = persist::to_json(design);
        Deleted {
            entry,
            texts: vec![(ObjectStore::Designs, key.to_string(), text)],
        }
    }
}

/// The designs in a database.
pub struct Workspace<D> {
    pub(super) database: D,
}

impl<D: Database> Workspace<D> {
    /// Opens the workspace in a database.
    pub fn new(database: D) -> Self {
        Workspace { database }
    }

    /// Returns the designs, oldest first. A design with a missing or invalid entry is listed under its key.
    pub async fn entries(&self) -> Result<Vec<Entry>, StorageError> {
        let mut texts: SortedMap<String, String> = self
            .database
            .all(ObjectStore::Entries)
            .await?
            .into_iter()
            .collect();
        let mut entries = Vec::new();
        for key in self.database.keys(ObjectStore::Designs).await? {
            if let Ok(number) = key.parse() {
                entries.push(Entry::read(number, texts.remove(&key).as_deref()));
            }
        }
        entries.sort_by(|a, b| (a.created.total_cmp(&b.created)).then(a.key.cmp(&b.key)));
        Ok(entries)
    }

    /// Returns the stored text of a design; `None` if it is not stored.
    pub async fn text(&self, key: DesignKey) -> Result<Option<String>, StorageError> {
        (self.database)
            .get(ObjectStore::Designs, &key.to_string())
            .await
    }

    /// Puts a design into a folder; an empty name takes it out. Its stored version stays the same.
    pub async fn set_folder(&self, key: DesignKey, folder: &str) -> Result<(), StorageError> {
        let id = key.to_string();
        (self.database)
            .change((ObjectStore::Entries, &id), &mut |text| {
                let Some(text) = text else {
                    return Vec::new();
                };
                let mut entry = Entry::read(key, Some(&text));
                folder.trim().clone_into(&mut entry.folder);
                vec![entry.put()]
            })
            .await
    }

    /// Loads a design. If another tab saves it meanwhile, the text may be that of a later version than the number says:
    /// then saving it is refused. The other way around, saving it would overwrite that version.
    pub async fn load(&self, key: DesignKey) -> Result<Loaded, StorageError> {
        let id = key.to_string();
        let entry = self.database.get(ObjectStore::Entries, &id).await?;
        let entry = Entry::read(key, entry.as_deref());
        let Some(text) = self.database.get(ObjectStore::Designs, &id).await? else {
            return Ok(Loaded::Missing);
        };
        let error = match persist::from_json(&text) {
            Ok(design) => {
                let key = history_key(&id);
                let history = self.database.get(ObjectStore::Designs, &key);
                return Ok(Loaded::Design(Box::new(LoadedDesign {
                    design,
                    version: entry.version,
                    saved: entry.saved,
                    text,
                    history: history.await.ok().flatten(),
                })));
            }
            Err(error) => error,
        };
        let backup = self.database.get(ObjectStore::Backups, &id).await?;
        let recovered_as = match entry.recovered_as {
            Some(copy) => (self
                .database
                .get(ObjectStore::Designs, &copy.to_string())
                .await?)
                .map(|_| copy),
            None => None,
        };
        Ok(Loaded::Broken(Broken {
            name: entry.name,
            version: entry.version,
            is_newer: matches!(error, FileError::Newer { .. }),
            reason: error.to_string(),
            text,
            backup: (backup.and_then(|text| persist::from_json(&text).ok())).map(Box::new),
            recovered_as,
        }))
    }

    /// Returns the stored text of a design in the language; `None` if there is none.
    pub async fn design_text(&self, key: DesignKey) -> Option<String> {
        let key = text_key(&key.to_string());
        let text = self.database.get(ObjectStore::Designs, &key).await;
        text.ok().flatten()
    }

    /// Stores a valid text as the backup of a design. A failure is ignored: the design itself is safe.
    pub async fn keep_backup(&self, key: DesignKey, text: String) {
        let id = key.to_string();
        let put = Write::Put(ObjectStore::Backups, id.clone(), text);
        let _ = self.change_if_there(&id, vec![put]).await;
    }

    /// As [`Workspace::save_with_room`], without what it left out or deleted.
    ///
    /// # Errors
    ///
    /// Returns why the design was not saved.
    pub async fn save(&self, save: SaveRequest<'_>) -> Result<u32, SaveError> {
        self.save_with_room(save).await.0
    }

    /// Saves a design as the next version and returns its number, or why it was not saved. If the storage is full, remembered
    /// exports are deleted first, then backups, then automatic versions, the oldest first and no more than needed; then the
    /// design is saved without its history, then without its text in the language, too. If it still does not fit, it is
    /// unchanged.
    pub async fn save_with_room(&self, save: SaveRequest<'_>) -> (Result<u32, SaveError>, Cut) {
        self.save_in_room(save, None).await
    }

    /// As [`Workspace::save`], without deleting versions of the design.
    pub(super) async fn save_beside_versions(
        &self,
        save: SaveRequest<'_>,
    ) -> Result<u32, SaveError> {
        self.save_in_room(save, Some(save.key)).await.0
    }

    /// As [`Workspace::save_with_room`], without deleting versions of the design `but`.
    async fn save_in_room(
        &self,
        save: SaveRequest<'_>,
        but: Option<DesignKey>,
    ) -> (Result<u32, SaveError>, Cut) {
        let mut cut = Cut::default();
        let mut saved = self.try_save(save).await;
        let is_full =
            |saved: &Result<u32, SaveError>| *saved == Err(SaveError::Failed(StorageError::Full));
        for group in [ObjectStore::Exports, ObjectStore::Backups] {
            if is_full(&saved) && self.clear(group).await.is_ok() {
                saved = self.try_save(save).await;
            }
        }
        let texts = [Some(save.text), save.own, save.history];
        let bytes = texts.into_iter().flatten().map(str::len).sum();
        while is_full(&saved)
            && let Ok(count @ 1..) = self.delete_oldest_versions(bytes, but).await
        {
            cut.versions += count;
            saved = self.try_save(save).await;
        }
        let smaller = SaveRequest {
            history: None,
            ..save
        };
        if is_full(&saved) && save.history.is_some() {
            saved = self.try_save(smaller).await;
        }
        if is_full(&saved) && save.own.is_some() {
            let smallest = SaveRequest {
                own: None,
                ..smaller
            };
            saved = self.try_save(smallest).await;
            cut.is_without_text = saved.is_ok();
        }
        (saved, cut)
    }

    async fn try_save(&self, save: SaveRequest<'_>) -> Result<u32, SaveError> {
        let id = save.key.to_string();
        let mut outcome = Err(SaveError::Deleted);
        let result = (self.database)
            .change((ObjectStore::Entries, &id), &mut |stored| {
                let entry = match &stored {
                    None if save.base > 0 => return Vec::new(),
                    None => Entry::new(save.key, save.name.to_owned(), save.now),
                    Some(text) => Entry::read(save.key, Some(text)),
                };
                if entry.version != save.base {
                    outcome = Err(SaveError::Changed);
                    return Vec::new();
                }
                outcome = Ok(save.base + 1);
                let mut entry = Entry {
                    name: save.name.to_owned(),
                    saved: save.now,
                    version: save.base + 1,
                    recovered_as: None,
                    ..entry
                };
                if let Some(change) = save.change {
                    entry.note(change);
                }
                let text = Write::Put(ObjectStore::Designs, id.clone(), save.text.to_owned());
                let key = history_key(&id);
                let history = match save.history {
                    Some(history) => Write::Put(ObjectStore::Designs, key, history.to_owned()),
                    None => Write::Delete(ObjectStore::Designs, key),
                };
                let mut writes = vec![entry.put(), text, history];
                if let Some(own) = save.own {
                    let key = text_key(&id);
                    writes.push(Write::Put(ObjectStore::Designs, key, own.to_owned()));
                }
                writes
            })
            .await;
        result.map_err(SaveError::Failed)?;
        if outcome == Err(SaveError::Changed) {
            // Another tab may have saved the same text, for example from the journal. The number comes first, as in `load`.
            let entry = self.database.get(ObjectStore::Entries, &id).await;
            let entry = Entry::read(save.key, entry.map_err(SaveError::Failed)?.as_deref());
            let stored = self.database.get(ObjectStore::Designs, &id).await;
            let is_same = stored.is_ok_and(|text| text.as_deref() == Some(save.text));
            let own = self.design_text(save.key).await;
            if is_same && (save.own.is_none() || own.as_deref() == save.own) {
                return Ok(entry.version);
            }
        }
        outcome
    }

    /// Records which design the backup of an unreadable one was opened as.
    pub async fn note_recovered(
        &self,
        key: DesignKey,
        copy: DesignKey,
    ) -> Result<(), StorageError> {
        let id = key.to_string();
        (self.database)
            .change((ObjectStore::Entries, &id), &mut |text| {
                let mut entry = Entry::read(key, text.as_deref());
                entry.recovered_as = Some(copy);
                vec![entry.put()]
            })
            .await
    }

    /// Deletes a design with its backup, versions and exports. Returns what [`Workspace::restore`] needs; `None` if it was
    /// already deleted.
    pub async fn delete(&self, key: DesignKey) -> Result<Option<Deleted>, StorageError> {
        let id = key.to_string();
        let mut texts = Vec::new();
        let own = [
            (ObjectStore::Designs, id.clone()),
            (ObjectStore::Backups, id.clone()),
            (ObjectStore::Designs, text_key(&id)),
            (ObjectStore::Designs, history_key(&id)),
        ];
        for (group, key) in own {
            let text = self.database.get(group, &key).await?;
            texts.extend(text.map(|text| (group, key, text)));
        }
        let (list, prefix) = versions::keys_of(&id);
        for key in self.database.keys(ObjectStore::Designs).await? {
            if (key == list || key.starts_with(&prefix))
                && let Some(text) = self.database.get(ObjectStore::Designs, &key).await?
            {
                texts.push((ObjectStore::Designs, key, text));
            }
        }
        for (name, text) in self.exports(key).await? {
            texts.push((ObjectStore::Exports, export_key(key, &name), text));
        }
        let mut entry = None;
        (self.database)
            .change((ObjectStore::Entries, &id), &mut |text| {
                entry = text;
                vec![
                    Write::Delete(ObjectStore::Entries, id.clone()),
                    Write::Delete(ObjectStore::Designs, id.clone()),
                    Write::Delete(ObjectStore::Designs, text_key(&id)),
                    Write::Delete(ObjectStore::Designs, history_key(&id)),
                    Write::Delete(ObjectStore::Designs, list.clone()),
                    Write::DeletePrefix(ObjectStore::Designs, prefix.clone()),
                    Write::Delete(ObjectStore::Backups, id.clone()),
                    Write::DeletePrefix(ObjectStore::Exports, export_key(key, "")),
                ]
            })
            .await?;
        let is_stored = texts
            .iter()
            .any(|(group, key, _)| *group == ObjectStore::Designs && *key == id);
        Ok(is_stored.then(|| Deleted {
            entry: Entry::read(key, entry.as_deref()),
            texts,
        }))
    }

    /// Restores a deleted design under its key and returns the stored version.
    pub async fn restore(&self, deleted: &Deleted) -> Result<u32, StorageError> {
        let entry = Entry {
            version: deleted.entry.version + 1,
            ..deleted.entry.clone()
        };
        let id = entry.key.to_string();
        let version = entry.version;
        (self.database)
            .change((ObjectStore::Entries, &id), &mut |_| {
                let texts = deleted.texts.iter().cloned();
                let puts = texts.map(|(group, key, text)| Write::Put(group, key, text));
                [entry.put()].into_iter().chain(puts).collect()
            })
            .await?;
        Ok(version)
    }

    /// Returns the entry of a design; `None` if it is not stored.
    pub async fn entry(&self, key: DesignKey) -> Result<Option<Entry>, StorageError> {
        let id = key.to_string();
        let entry = self.database.get(ObjectStore::Entries, &id).await?;
        // A design whose entry is missing is listed and can be read.
        let is_stored = entry.is_some() || self.text(key).await?.is_some();
        Ok(is_stored.then(|| Entry::read(key, entry.as_deref())))
    }

    /// Returns the stored version of a design; `None` if it is not stored.
    pub async fn version(&self, key: DesignKey) -> Result<Option<u32>, StorageError> {
        Ok(self.entry(key).await?.map(|entry| entry.version))
    }

    /// Stores an export to compare the next one with. `name` identifies it. If the text is too large or the storage
    /// is full, the previous one is deleted instead. If all exports together are too large, those of other designs
    /// are deleted.
    pub async fn remember(
        &self,
        key: DesignKey,
        name: &str,
        text: &str,
    ) -> Result<(), StorageError> {
        let (id, own) = (key.to_string(), export_key(key, name));
        let stored = self.database.all(ObjectStore::Exports).await?;
        let of_design = export_key(key, "");
        let (mut own_bytes, mut other_bytes) = (text.len(), 0);
        for (other, text) in &stored {
            match other.starts_with(&of_design) {
                true if *other == own => {}
                true => own_bytes += text.len(),
                false => other_bytes += text.len(),
            }
        }
        let mut writes = vec![Write::Delete(ObjectStore::Exports, own.clone())];
        if text.len() <= EXPORT_BYTES {
            if own_bytes + other_bytes > EXPORTS_BYTES {
                let others = stored.into_iter().map(|(other, _)| other);
                let others = others.filter(|other| !other.starts_with(&of_design));
                writes.extend(others.map(|other| Write::Delete(ObjectStore::Exports, other)));
            }
            if own_bytes <= EXPORTS_BYTES {
                writes.push(Write::Put(ObjectStore::Exports, own, text.to_owned()));
            }
        }
        let forget = writes[..1].to_vec();
        let put = self.change_if_there(&id, writes).await;
        if put.is_err() {
            // If storage is full, delete the old text too: it is out of date.
            self.change_if_there(&id, forget).await?;
        }
        put
    }

    /// Writes, unless the design was deleted meanwhile.
    async fn change_if_there(&self, id: &str, writes: Vec<Write>) -> Result<(), StorageError> {
        (self.database)
            .change((ObjectStore::Entries, id), &mut |entry| match entry {
                Some(_) => writes.clone(),
                None => Vec::new(),
            })
            .await
    }

    /// Returns the stored exports of a design, by name.
    pub async fn exports(&self, key: DesignKey) -> Result<SortedMap<String, String>, StorageError> {
        let prefix = export_key(key, "");
        let stored = self.database.all(ObjectStore::Exports).await?;
        let own = stored.into_iter().filter_map(|(key, text)| {
            let name = key.strip_prefix(&prefix)?.to_owned();
            Some((name, text))
        });
        Ok(own.collect())
    }

    async fn clear(&self, group: ObjectStore) -> Result<(), StorageError> {
        let all = Write::DeletePrefix(group, String::new());
        (self.database)
            .change((group, ""), &mut |_| vec![all.clone()])
            .await
    }
}

/// Key of a design's text in the language. It is no number, so it is not listed as a design.
fn text_key(id: &str) -> String {
    format!("{id}:text")
}

/// The end of the keys of undo histories.
const HISTORY: &str = ":history";

/// Key of a design's undo history.
pub(super) fn history_key(id: &str) -> String {
    [id, HISTORY].concat()
}

/// Whether a key is that of an undo history.
pub(super) fn is_history(key: &str) -> bool {
    key.ends_with(HISTORY)
}

/// Key of an export. With an empty name: prefix of the keys of all exports of a design.
pub(super) fn export_key(key: DesignKey, name: &str) -> String {
    format!("{key}:{name}")
}
