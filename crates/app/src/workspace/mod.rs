//! The designs of this browser: what is stored of each, and what happens when storing or reading fails. Written so that
//! no failure loses the last good copy, and no tab overwrites what another tab stored: a save names the version that it
//! changes, and is refused when another version is stored.
//!
//! Pure: the database and the local storage are traits, which [`crate::platform`] implements for a browser and the tests
//! in memory.

mod journal;
mod local;

pub use journal::{Adopted, Journal, hash};
pub use local::{Moved, move_in};

use keyfold_core::model::{Design, SortedMap};
use keyfold_core::persist;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A place for texts that answers at once, such as the browser's local storage. For preferences and the [`Journal`].
pub trait Storage {
    /// The text under a key.
    fn get(&self, key: &str) -> Option<String>;
    /// Puts a text under a key, all or nothing; an error says why not.
    fn set(&self, key: &str, text: &str) -> Result<(), String>;
    /// Removes a key.
    fn remove(&self, key: &str);
    /// All keys.
    fn keys(&self) -> Vec<String>;
}

/// What a [`Database`] keeps, each group with keys of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// An [`Entry`] for each design.
    Entries,
    /// The file text of each design.
    Designs,
    /// The file text of each design as it was when it was last opened.
    Backups,
    /// What was exported last, by design and name.
    Exports,
}

impl Group {
    /// All of them.
    pub const ALL: [Group; 4] = [
        Group::Entries,
        Group::Designs,
        Group::Backups,
        Group::Exports,
    ];

    /// Its name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Group::Entries => "entries",
            Group::Designs => "designs",
            Group::Backups => "backups",
            Group::Exports => "exports",
        }
    }
}

/// One write of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Write {
    /// Puts a text under a key.
    Put(Group, String, String),
    /// Removes a key.
    Delete(Group, String),
    /// Removes all keys that begin with a text.
    DeletePrefix(Group, String),
}

/// Why a database did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// There is no room left.
    Full,
    /// The browser does not let the page store anything, with its reason.
    Denied(String),
    /// Something else, in the browser's words.
    Other(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Full => f.write_str("the browser's storage for this page is full"),
            Failure::Denied(_) => f.write_str("this browser does not let the page store anything"),
            Failure::Other(reason) => write!(f, "the browser says “{reason}”"),
        }
    }
}

/// A database of texts with transactions, such as IndexedDB.
#[expect(
    async_fn_in_trait,
    reason = "a page has one thread: no future has to be Send"
)]
pub trait Database {
    /// The text under a key.
    async fn get(&self, group: Group, key: &str) -> Result<Option<String>, Failure>;
    /// All keys with their texts, in the order of the keys.
    async fn all(&self, group: Group) -> Result<Vec<(String, String)>, Failure>;
    /// All keys, in their order.
    async fn keys(&self, group: Group) -> Result<Vec<String>, Failure>;
    /// One transaction: reads the text at `guard`, asks `decide` what to write, writes all of it or nothing, and answers
    /// after the commit. No other transaction, of another tab either, comes in between.
    async fn change(
        &self,
        guard: (Group, &str),
        decide: &mut dyn FnMut(Option<String>) -> Vec<Write>,
    ) -> Result<(), Failure>;
}

/// Most bytes of a file of an export that is remembered.
const EXPORT_BYTES: usize = 150_000;
/// Most bytes of all of them together.
const EXPORTS_BYTES: usize = 1_000_000;

/// Number of a design in the workspace: random, below 2^53, so that no two tabs give out the same one.
pub type DesignKey = u64;

/// What the list of designs knows of a design.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number.
    pub key: DesignKey,
    /// Its name when it was last stored.
    pub name: String,
    /// When it was made, in milliseconds since 1970.
    pub created: f64,
    /// Counts how often it was stored, from 1.
    pub version: u32,
    /// The design that its backup was opened as, where its text cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovered_as: Option<DesignKey>,
}

impl Entry {
    /// The entry in a stored text. A text that is no entry, or none, stands for a design of which only its key is known.
    fn read(key: DesignKey, text: Option<&str>) -> Entry {
        (text.and_then(|text| serde_json::from_str(text).ok())).unwrap_or_else(|| Entry {
            key,
            name: format!("Design {key}"),
            created: 0.0,
            version: 1,
            recovered_as: None,
        })
    }

    fn put(&self) -> Write {
        let text = serde_json::to_string(self).unwrap_or_default();
        Write::Put(Group::Entries, self.key.to_string(), text)
    }
}

/// A design to be stored.
#[derive(Debug, Clone, Copy)]
pub struct Save<'a> {
    /// Its number.
    pub key: DesignKey,
    /// The stored version that was changed; 0: it was never stored.
    pub base: u32,
    /// Its name.
    pub name: &'a str,
    /// Its file text.
    pub text: &'a str,
    /// The time, in milliseconds since 1970.
    pub now: f64,
}

/// Why a design was not stored. What is stored is as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotSaved {
    /// Another version is stored than the one that was changed.
    Changed,
    /// The design was deleted.
    Deleted,
    /// The database failed.
    Failed(Failure),
}

/// What a stored design turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Loaded {
    /// It can be read: the design, the version that is stored, and the stored text.
    Design(Box<Design>, u32, String),
    /// It cannot be read. The stored text is untouched.
    Broken(Broken),
    /// It is not there any more.
    Missing,
}

/// A stored design that cannot be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Broken {
    /// Its name.
    pub name: String,
    /// What is wrong, and where.
    pub reason: String,
    /// The text as it is stored.
    pub text: String,
    /// The design as it was when it was last opened, if that copy is good.
    pub backup: Option<Box<Design>>,
    /// The design that the backup was opened as before, if it is still there.
    pub recovered_as: Option<DesignKey>,
}

/// All that is stored of a design, taken out: what undoing a deletion puts back.
#[derive(Debug, Clone, PartialEq)]
pub struct Deleted {
    /// What the list knew of it.
    pub entry: Entry,
    texts: Vec<(Group, String, String)>,
}

impl Deleted {
    /// A design that was never stored.
    pub fn unstored(key: DesignKey, design: &Design, now: f64) -> Deleted {
        let entry = Entry {
            key,
            name: design.name.clone(),
            created: now,
            version: 0,
            recovered_as: None,
        };
        let text = persist::to_json(design);
        Deleted {
            entry,
            texts: vec![(Group::Designs, key.to_string(), text)],
        }
    }
}

/// The designs in a database.
pub struct Workspace<D> {
    database: D,
}

impl<D: Database> Workspace<D> {
    /// The designs in this database.
    pub fn new(database: D) -> Self {
        Workspace { database }
    }

    /// The designs, in the order in which they were made. A design whose entry is missing or broken is listed under its
    /// number.
    pub async fn entries(&self) -> Result<Vec<Entry>, Failure> {
        let mut texts: SortedMap<String, String> = self
            .database
            .all(Group::Entries)
            .await?
            .into_iter()
            .collect();
        let mut entries = Vec::new();
        for key in self.database.keys(Group::Designs).await? {
            if let Ok(number) = key.parse() {
                entries.push(Entry::read(number, texts.remove(&key).as_deref()));
            }
        }
        entries.sort_by(|a, b| (a.created.total_cmp(&b.created)).then(a.key.cmp(&b.key)));
        Ok(entries)
    }

    /// Reads a design.
    pub async fn load(&self, key: DesignKey) -> Result<Loaded, Failure> {
        let id = key.to_string();
        let Some(text) = self.database.get(Group::Designs, &id).await? else {
            return Ok(Loaded::Missing);
        };
        let entry = Entry::read(
            key,
            self.database.get(Group::Entries, &id).await?.as_deref(),
        );
        let error = match persist::from_json(&text) {
            Ok(design) => return Ok(Loaded::Design(Box::new(design), entry.version, text)),
            Err(error) => error,
        };
        let backup = self.database.get(Group::Backups, &id).await?;
        let recovered_as = match entry.recovered_as {
            Some(copy) => {
                (self.database.get(Group::Designs, &copy.to_string()).await?).map(|_| copy)
            }
            None => None,
        };
        Ok(Loaded::Broken(Broken {
            name: entry.name,
            reason: error.to_string(),
            text,
            backup: (backup.and_then(|text| persist::from_json(&text).ok())).map(Box::new),
            recovered_as,
        }))
    }

    /// Keeps a text that could be read as the backup of a design. One that does not fit is no reason to stop: the design
    /// itself is safe.
    pub async fn keep_backup(&self, key: DesignKey, text: String) {
        let id = key.to_string();
        let put = Write::Put(Group::Backups, id.clone(), text);
        let _ = self.change_if_there(&id, vec![put]).await;
    }

    /// Stores a design as the next version of the one that it changes; answers that version's number. Where there is no
    /// room, remembered exports are given up first, then backups. If it still does not fit, the stored text stays as it was.
    pub async fn save(&self, save: Save<'_>) -> Result<u32, NotSaved> {
        let mut saved = self.try_save(save).await;
        for group in [Group::Exports, Group::Backups] {
            if saved == Err(NotSaved::Failed(Failure::Full)) && self.clear(group).await.is_ok() {
                saved = self.try_save(save).await;
            }
        }
        saved
    }

    async fn try_save(&self, save: Save<'_>) -> Result<u32, NotSaved> {
        let id = save.key.to_string();
        let mut outcome = Err(NotSaved::Deleted);
        let result = (self.database)
            .change((Group::Entries, &id), &mut |stored| {
                let entry = match &stored {
                    None if save.base > 0 => return Vec::new(),
                    None => Entry {
                        created: save.now,
                        version: 0,
                        ..Entry::read(save.key, None)
                    },
                    Some(text) => Entry::read(save.key, Some(text)),
                };
                if entry.version != save.base {
                    outcome = Err(NotSaved::Changed);
                    return Vec::new();
                }
                outcome = Ok(save.base + 1);
                let entry = Entry {
                    name: save.name.to_owned(),
                    version: save.base + 1,
                    recovered_as: None,
                    ..entry
                };
                let text = Write::Put(Group::Designs, id.clone(), save.text.to_owned());
                vec![entry.put(), text]
            })
            .await;
        result.map_err(NotSaved::Failed)?;
        if outcome == Err(NotSaved::Changed) {
            // Somebody else may have stored the same text, such as another tab from the journal.
            let stored = self.database.get(Group::Designs, &id).await;
            if stored.is_ok_and(|text| text.as_deref() == Some(save.text)) {
                let entry = self.database.get(Group::Entries, &id).await;
                let entry = Entry::read(save.key, entry.map_err(NotSaved::Failed)?.as_deref());
                return Ok(entry.version);
            }
        }
        outcome
    }

    /// Notes which design the backup of an unreadable one was opened as.
    pub async fn note_recovered(&self, key: DesignKey, copy: DesignKey) -> Result<(), Failure> {
        let id = key.to_string();
        (self.database)
            .change((Group::Entries, &id), &mut |text| {
                let mut entry = Entry::read(key, text.as_deref());
                entry.recovered_as = Some(copy);
                vec![entry.put()]
            })
            .await
    }

    /// Deletes a design with its backup and exports; answers what [`Workspace::restore`] needs to put it back, `None` if
    /// it was gone already.
    pub async fn delete(&self, key: DesignKey) -> Result<Option<Deleted>, Failure> {
        let id = key.to_string();
        let mut texts = Vec::new();
        for group in [Group::Designs, Group::Backups] {
            let text = self.database.get(group, &id).await?;
            texts.extend(text.map(|text| (group, id.clone(), text)));
        }
        for (name, text) in self.exports(key).await? {
            texts.push((Group::Exports, export_key(key, &name), text));
        }
        let mut entry = None;
        (self.database)
            .change((Group::Entries, &id), &mut |text| {
                entry = text;
                vec![
                    Write::Delete(Group::Entries, id.clone()),
                    Write::Delete(Group::Designs, id.clone()),
                    Write::Delete(Group::Backups, id.clone()),
                    Write::DeletePrefix(Group::Exports, export_key(key, "")),
                ]
            })
            .await?;
        let is_stored = texts.iter().any(|(group, ..)| *group == Group::Designs);
        Ok(is_stored.then(|| Deleted {
            entry: Entry::read(key, entry.as_deref()),
            texts,
        }))
    }

    /// Puts a deleted design back under its number; answers the version that is stored now.
    pub async fn restore(&self, deleted: &Deleted) -> Result<u32, Failure> {
        let entry = Entry {
            version: deleted.entry.version + 1,
            ..deleted.entry.clone()
        };
        let id = entry.key.to_string();
        let version = entry.version;
        (self.database)
            .change((Group::Entries, &id), &mut |_| {
                let texts = deleted.texts.iter().cloned();
                let puts = texts.map(|(group, key, text)| Write::Put(group, key, text));
                [entry.put()].into_iter().chain(puts).collect()
            })
            .await?;
        Ok(version)
    }

    /// The version of a design that is stored; `None`: it is not there.
    pub async fn version(&self, key: DesignKey) -> Result<Option<u32>, Failure> {
        let text = (self.database.get(Group::Entries, &key.to_string())).await?;
        Ok(text.map(|text| Entry::read(key, Some(&text)).version))
    }

    /// Remembers what was exported of a design, to compare with later: `name` says what it is. What is too large, or
    /// has no room, is not remembered, nor what was there before. When all that is remembered is too much, that of the
    /// other designs goes.
    pub async fn remember(&self, key: DesignKey, name: &str, text: &str) -> Result<(), Failure> {
        let (id, own) = (key.to_string(), export_key(key, name));
        let stored = self.database.all(Group::Exports).await?;
        let of_design = export_key(key, "");
        let (mut own_bytes, mut other_bytes) = (text.len(), 0);
        for (other, text) in &stored {
            match other.starts_with(&of_design) {
                true if *other == own => {}
                true => own_bytes += text.len(),
                false => other_bytes += text.len(),
            }
        }
        let mut writes = vec![Write::Delete(Group::Exports, own.clone())];
        if text.len() <= EXPORT_BYTES {
            if own_bytes + other_bytes > EXPORTS_BYTES {
                let others = stored.into_iter().map(|(other, _)| other);
                let others = others.filter(|other| !other.starts_with(&of_design));
                writes.extend(others.map(|other| Write::Delete(Group::Exports, other)));
            }
            if own_bytes <= EXPORTS_BYTES {
                writes.push(Write::Put(Group::Exports, own, text.to_owned()));
            }
        }
        let forget = writes[..1].to_vec();
        let put = self.change_if_there(&id, writes).await;
        if put.is_err() {
            // Without room there is nothing to compare with later, not even what is out of date.
            self.change_if_there(&id, forget).await?;
        }
        put
    }

    /// Writes unless the design was deleted meanwhile.
    async fn change_if_there(&self, id: &str, writes: Vec<Write>) -> Result<(), Failure> {
        (self.database)
            .change((Group::Entries, id), &mut |entry| match entry {
                Some(_) => writes.clone(),
                None => Vec::new(),
            })
            .await
    }

    /// What was exported of a design, by name.
    pub async fn exports(&self, key: DesignKey) -> Result<SortedMap<String, String>, Failure> {
        let prefix = export_key(key, "");
        let stored = self.database.all(Group::Exports).await?;
        let own = stored.into_iter().filter_map(|(key, text)| {
            let name = key.strip_prefix(&prefix)?.to_owned();
            Some((name, text))
        });
        Ok(own.collect())
    }

    async fn clear(&self, group: Group) -> Result<(), Failure> {
        let all = Write::DeletePrefix(group, String::new());
        (self.database)
            .change((group, ""), &mut |_| vec![all.clone()])
            .await
    }
}

/// All of a design's for an empty name, as a beginning.
fn export_key(key: DesignKey, name: &str) -> String {
    format!("{key}:{name}")
}
