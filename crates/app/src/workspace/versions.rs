//! Versions of a design: what it was at earlier times. Automatic ones are kept after a pause of work, named ones when
//! the user says so. The list of a design and the text of each version are under keys of their own, beside the design.

use super::database::{Database, ObjectStore, StorageError, Write};
use super::journal::hash;
use super::stored_designs::{DesignKey, Entry, Workspace};
use keyfold_core::model::SortedMap;
use serde::{Deserialize, Serialize};

/// Maximum number of automatic versions of a design.
pub const MAX_AUTOMATIC: usize = 100;
/// Maximum total size of the versions of a design, in bytes of UTF-8.
pub const MAX_BYTES: usize = 5_000_000;

/// A version in the list of a design.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Version {
    /// Identifies it in its design; later versions have larger ones.
    pub number: u32,
    /// When the design was so, in milliseconds since 1970. A clock that goes back does not change the order.
    pub at: f64,
    /// The name that the user gave it; empty for an automatic version.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The size of its text, in bytes of UTF-8.
    pub bytes: usize,
    /// The [`hash`] of its text.
    pub hash: u64,
}

impl Version {
    /// Whether no user named it.
    pub fn is_automatic(&self) -> bool {
        self.name.is_empty()
    }
}

/// The list of a design, as it is stored.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct StoredVersions {
    /// The number of the next version. None is given twice, so that a deleted version can come back.
    next: u32,
    /// Oldest first.
    versions: Vec<Version>,
}

/// A version to keep.
#[derive(Debug, Clone, Copy)]
pub struct NewVersion<'a> {
    /// The file text of the design.
    pub text: &'a str,
    /// When the design was so, in milliseconds since 1970.
    pub at: f64,
    /// Its name; empty for an automatic version.
    pub name: &'a str,
}

/// What became of a version to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It is stored.
    New,
    /// The newest version has the same text. It has the name now, if there is one.
    Same,
    /// It does not fit: the named versions take the room.
    NoRoom,
    /// It is larger than all versions of a design may be.
    TooLarge,
    /// There is no such design.
    Missing,
}

impl Kept {
    /// Whether the text is that of a version.
    pub fn is_stored(self) -> bool {
        matches!(self, Kept::New | Kept::Same)
    }
}

/// A deleted version, to undo the deletion.
#[derive(Debug, Clone, PartialEq)]
pub struct DeletedVersion {
    version: Version,
    text: String,
}

impl<D: Database> Workspace<D> {
    /// Returns the versions of a design, oldest first. If the list is broken, the versions are found by their texts, as
    /// automatic ones without a time.
    ///
    /// # Errors
    ///
    /// The error of the database.
    pub async fn versions(&self, key: DesignKey) -> Result<Vec<Version>, StorageError> {
        let id = key.to_string();
        let list = self
            .database
            .get(ObjectStore::Designs, &list_key(&id))
            .await?;
        match list.as_deref().map(parse) {
            None => Ok(Vec::new()),
            Some(Some(list)) => Ok(list.versions),
            Some(None) => self.found(&id).await,
        }
    }

    /// The versions that have a text.
    async fn found(&self, id: &str) -> Result<Vec<Version>, StorageError> {
        let prefix = text_key(id, "");
        let mut found = Vec::new();
        for key in self.database.keys(ObjectStore::Designs).await? {
            let number = key.strip_prefix(&prefix).map(str::parse);
            if let Some(Ok(number)) = number
                && let Some(text) = self.database.get(ObjectStore::Designs, &key).await?
            {
                found.push(Version {
                    number,
                    at: 0.0,
                    name: String::new(),
                    bytes: text.len(),
                    hash: hash(&text),
                });
            }
        }
        found.sort_by_key(|version| version.number);
        Ok(found)
    }

    /// Returns the file text of a version; `None` if it was deleted.
    ///
    /// # Errors
    ///
    /// The error of the database.
    pub async fn version_text(
        &self,
        key: DesignKey,
        number: u32,
    ) -> Result<Option<String>, StorageError> {
        let key = text_key(&key.to_string(), &number.to_string());
        self.database.get(ObjectStore::Designs, &key).await
    }

    /// Stores a version of a design. Automatic ones that are too many or too large are deleted: first those that are
    /// closest together for their age, so that the old ones become fewer and still reach back.
    ///
    /// # Errors
    ///
    /// The error of the database; then nothing is changed.
    pub async fn keep_version(
        &self,
        key: DesignKey,
        new: NewVersion<'_>,
    ) -> Result<Kept, StorageError> {
        if self.version(key).await?.is_none() {
            return Ok(Kept::Missing);
        }
        if new.text.len() > MAX_BYTES {
            return Ok(Kept::TooLarge);
        }
        let id = key.to_string();
        let mut kept = Kept::NoRoom;
        self.change_versions(key, |list| {
            let hash = hash(new.text);
            // A version with another name stays: the new name is one of a further version.
            let takes_name = |last: &Version| {
                new.name.is_empty() || last.is_automatic() || last.name == new.name
            };
            let last = list.versions.last_mut();
            if let Some(last) = last.filter(|last| last.hash == hash && takes_name(last)) {
                kept = Kept::Same;
                if !new.name.is_empty() {
                    new.name.clone_into(&mut last.name);
                }
                return Vec::new();
            }
            let number = list.next;
            let mut versions = list.versions.clone();
            versions.push(Version {
                number,
                at: new.at,
                name: new.name.to_owned(),
                bytes: new.text.len(),
                hash,
            });
            let Some(deleted) = thin_out(&mut versions) else {
                return Vec::new();
            };
            *list = StoredVersions {
                next: number.saturating_add(1),
                versions,
            };
            kept = Kept::New;
            let put = Write::Put(
                ObjectStore::Designs,
                text_key(&id, &number.to_string()),
                new.text.to_owned(),
            );
            deletes(&id, deleted).chain([put]).collect()
        })
        .await?;
        Ok(kept)
    }

    /// Keeps the stored design as a version; see [`Workspace::keep_version`].
    ///
    /// # Errors
    ///
    /// The error of the database; then nothing is changed.
    pub async fn keep_stored_as_version(
        &self,
        key: DesignKey,
        name: &str,
    ) -> Result<Kept, StorageError> {
        let id = key.to_string();
        let entry = self.database.get(ObjectStore::Entries, &id).await?;
        let Some(text) = self.text(key).await? else {
            return Ok(Kept::Missing);
        };
        let at = Entry::read(key, entry.as_deref()).saved;
        let text = &text;
        self.keep_version(key, NewVersion { text, at, name }).await
    }

    /// Keeps the design as of the last time that it was opened as an automatic version; see [`Workspace::keep_version`].
    ///
    /// # Errors
    ///
    /// The error of the database; then nothing is changed.
    pub async fn keep_backup_as_version(
        &self,
        key: DesignKey,
        at: f64,
    ) -> Result<Kept, StorageError> {
        let backup = self
            .database
            .get(ObjectStore::Backups, &key.to_string())
            .await?;
        match backup {
            Some(text) => {
                let (text, name) = (&*text, "");
                self.keep_version(key, NewVersion { text, at, name }).await
            }
            None => Ok(Kept::Missing),
        }
    }

    /// Names a version; an empty name makes it an automatic one.
    ///
    /// # Errors
    ///
    /// The error of the database; then nothing is changed.
    pub async fn name_version(
        &self,
        key: DesignKey,
        number: u32,
        name: &str,
    ) -> Result<(), StorageError> {
        self.change_versions(key, |list| {
            let mut versions = list.versions.iter_mut();
            if let Some(version) = versions.find(|version| version.number == number) {
                name.trim().clone_into(&mut version.name);
            }
            Vec::new()
        })
        .await
    }

    /// Deletes a version. Returns what [`Workspace::restore_version`] needs; `None` if it was deleted already.
    ///
    /// # Errors
    ///
    /// The error of the database; then nothing is changed.
    pub async fn delete_version(
        &self,
        key: DesignKey,
        number: u32,
    ) -> Result<Option<DeletedVersion>, StorageError> {
        let Some(text) = self.version_text(key, number).await? else {
            return Ok(None);
        };
        let id = key.to_string();
        let mut deleted = None;
        self.change_versions(key, |list| {
            let versions = &mut list.versions;
            let at = (versions.iter()).position(|version| version.number == number);
            deleted = at.map(|at| versions.remove(at));
            deletes(&id, deleted.iter().map(|version| version.number)).collect()
        })
        .await?;
        Ok(deleted.map(|version| DeletedVersion { version, text }))
    }

    /// Brings a deleted version back.
    ///
    /// # Errors
    ///
    /// The error of the database; then nothing is changed.
    pub async fn restore_version(
        &self,
        key: DesignKey,
        deleted: &DeletedVersion,
    ) -> Result<(), StorageError> {
        let id = key.to_string();
        self.change_versions(key, |list| {
            let number = deleted.version.number;
            let versions = &mut list.versions;
            let at = versions.partition_point(|version| version.number < number);
            if (versions.get(at)).is_some_and(|version| version.number == number) {
                return Vec::new();
            }
            versions.insert(at, deleted.version.clone());
            let key = text_key(&id, &number.to_string());
            vec![Write::Put(ObjectStore::Designs, key, deleted.text.clone())]
        })
        .await
    }

    /// Changes the list of versions and writes what `change` returns, in one transaction.
    async fn change_versions(
        &self,
        key: DesignKey,
        mut change: impl FnMut(&mut StoredVersions) -> Vec<Write>,
    ) -> Result<(), StorageError> {
        let known = self.versions(key).await?;
        let id = key.to_string();
        let list_key = list_key(&id);
        (self.database)
            .change((ObjectStore::Designs, &list_key), &mut |stored| {
                let stored = stored.as_deref();
                let mut list = match stored {
                    Some(stored) => parse(stored).unwrap_or_else(|| listed(known.clone(), 0)),
                    None => listed(Vec::new(), 0),
                };
                let mut writes = change(&mut list);
                let text = serde_json::to_string(&list).unwrap_or_default();
                if Some(&*text) != stored {
                    writes.push(Write::Put(ObjectStore::Designs, list_key.clone(), text));
                }
                writes
            })
            .await
    }

    /// Deletes the oldest automatic versions of all designs but one until this number of bytes is free. Returns how many are
    /// deleted.
    ///
    /// # Errors
    ///
    /// The error of the database; then some of them may be deleted.
    pub(super) async fn delete_oldest_versions(
        &self,
        bytes: usize,
        but: Option<DesignKey>,
    ) -> Result<usize, StorageError> {
        let mut automatic = Vec::new();
        for key in self.designs_with_versions().await? {
            if Some(key) == but {
                continue;
            }
            let versions = self.versions(key).await?.into_iter();
            let versions = versions.filter(Version::is_automatic);
            automatic.extend(versions.map(|version| (version.at, key, version)));
        }
        automatic.sort_by(|(at, key, one), (other_at, other_key, other)| {
            at.total_cmp(other_at)
                .then((key, one.number).cmp(&(other_key, other.number)))
        });
        let mut oldest: SortedMap<DesignKey, Vec<u32>> = SortedMap::new();
        let (mut freed, mut count) = (0, 0);
        for (_, key, version) in automatic {
            if freed >= bytes {
                break;
            }
            freed += version.bytes;
            count += 1;
            oldest.entry(key).or_default().push(version.number);
        }
        for (key, numbers) in oldest {
            let id = key.to_string();
            self.change_versions(key, |list| {
                (list.versions).retain(|version| !numbers.contains(&version.number));
                deletes(&id, numbers.iter().copied()).collect()
            })
            .await?;
        }
        Ok(count)
    }

    /// The designs that have a list of versions.
    async fn designs_with_versions(&self) -> Result<Vec<DesignKey>, StorageError> {
        let keys = self.database.keys(ObjectStore::Designs).await?;
        let design = |key: String| key.strip_suffix(LIST)?.parse().ok();
        Ok(keys.into_iter().filter_map(design).collect())
    }

    /// Deletes the automatic versions of all designs but one.
    ///
    /// # Errors
    ///
    /// The error of the database; then the versions of some designs may be deleted.
    pub(super) async fn delete_automatic_versions(
        &self,
        but: Option<DesignKey>,
    ) -> Result<(), StorageError> {
        for key in self.designs_with_versions().await? {
            if Some(key) == but {
                continue;
            }
            let id = key.to_string();
            self.change_versions(key, |list| {
                let all = std::mem::take(&mut list.versions);
                let deleted: Vec<Version>;
                (deleted, list.versions) = all.into_iter().partition(Version::is_automatic);
                deletes(&id, deleted.iter().map(|version| version.number)).collect()
            })
            .await?;
        }
        Ok(())
    }
}

/// Takes automatic versions out of the list until it is within its bounds. The last one stays. Returns the numbers of
/// those taken out; `None` if the bounds cannot be kept.
fn thin_out(list: &mut Vec<Version>) -> Option<Vec<u32>> {
    let mut deleted = Vec::new();
    loop {
        let automatic = list.iter().filter(|version| version.is_automatic()).count();
        let bytes: usize = list.iter().map(|version| version.bytes).sum();
        if automatic <= MAX_AUTOMATIC && bytes <= MAX_BYTES {
            return Some(deleted);
        }
        let end = list.len().saturating_sub(1);
        let now = list.last()?.at;
        let closeness = |at: usize| {
            let before = at.checked_sub(1).map_or(0.0, |before| list[before].at);
            let gap = (list[at + 1].at - before).max(0.0);
            gap / (now - list[at].at).max(1.0)
        };
        let closest = (0..end)
            .filter(|at| list[*at].is_automatic())
            .min_by(|a, b| closeness(*a).total_cmp(&closeness(*b)))?;
        deleted.push(list.remove(closest).number);
    }
}

fn deletes(id: &str, numbers: impl IntoIterator<Item = u32>) -> impl Iterator<Item = Write> {
    numbers
        .into_iter()
        .map(move |number| Write::Delete(ObjectStore::Designs, text_key(id, &number.to_string())))
}

/// Parses a stored list; `None` if it is broken.
fn parse(text: &str) -> Option<StoredVersions> {
    let StoredVersions { next, versions } = serde_json::from_str(text).ok()?;
    Some(listed(versions, next))
}

/// A list in order, with a next number that is free.
fn listed(mut versions: Vec<Version>, next: u32) -> StoredVersions {
    versions.sort_by_key(|version| version.number);
    versions.dedup_by_key(|version| version.number);
    let last = versions.last().map_or(0, |last| last.number);
    StoredVersions {
        next: next.max(last.saturating_add(1)),
        versions,
    }
}

/// The end of the keys of lists of versions.
const LIST: &str = ":versions";

fn list_key(id: &str) -> String {
    [id, LIST].concat()
}

/// Between the key of a design and the number of a version.
const TEXT: &str = ":version:";

/// Key of the text of a version. With an empty number: prefix of those of all versions of a design.
fn text_key(id: &str, number: &str) -> String {
    [id, TEXT, number].concat()
}

/// Whether a key is that of the text of a version or of a list of them.
pub(super) fn is_version(key: &str) -> bool {
    key.ends_with(LIST) || key.contains(TEXT)
}

/// Key of the list and prefix of the keys of the texts of the versions of a design.
pub(super) fn keys_of(id: &str) -> (String, String) {
    (list_key(id), text_key(id, ""))
}
