//! Where designs are kept between visits: each as its own file text under a key of its own, and a list of
//! them. Written so that no failure loses the last good copy: a save that does not fit leaves the old text,
//! a text that cannot be read is left as it is, and the copy of the last visit is offered. Beside each design stands
//! what was exported of it last, which is the first to go where room is short.

use crate::domain::model::{Design, SortedSet};
use crate::domain::persist;
use serde::{Deserialize, Serialize};

/// A place for texts, such as the browser's local storage.
pub trait Storage {
    /// The text under a key.
    fn get(&self, key: &str) -> Option<String>;
    /// Puts a text under a key, all or nothing; an error says why not.
    fn set(&self, key: &str, text: &str) -> Result<(), String>;
    /// Takes a key away.
    fn remove(&self, key: &str);
    /// All keys.
    fn keys(&self) -> Vec<String>;
}

const LIST: &str = "keyfold:list";
const DESIGN: &str = "keyfold:design:";
const BACKUP: &str = "keyfold:backup:";
const EXPORT: &str = "keyfold:export:";
/// Most bytes of a file of an export that is remembered.
const EXPORT_BYTES: usize = 150_000;
/// Most bytes of all of them together; a browser gives a page some 5 MB.
const EXPORTS_BYTES: usize = 1_000_000;

/// Number of a design in the workspace.
pub type DesignKey = u32;

/// One line of the list of designs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Listed {
    /// Its number.
    pub key: DesignKey,
    /// Its name when it was last saved.
    pub name: String,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct List {
    /// The next number for a design; never goes back.
    next: DesignKey,
    /// The design that was open last.
    open: Option<DesignKey>,
    designs: Vec<Listed>,
}

/// A stored design that cannot be read. The stored text is untouched.
#[derive(Debug, Clone, PartialEq)]
pub struct Broken {
    /// What is wrong, and where.
    pub reason: String,
    /// The text as it is stored.
    pub text: String,
    /// The design as it was when it was last opened, if that copy is good.
    pub backup: Option<Box<Design>>,
}

/// The designs in a storage.
pub struct Workspace<S> {
    storage: S,
    list: List,
    /// Designs as they are in this visit, newer than what is stored of them: there was no room.
    unstored: Vec<(DesignKey, Design)>,
}

impl<S: Storage> Workspace<S> {
    /// Reads the list of designs. A list that is missing or broken is made again from the stored designs.
    pub fn open(storage: S) -> Self {
        let mut list: List = storage
            .get(LIST)
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        let stored = SortedSet::from_iter(
            (storage.keys().iter())
                .filter_map(|key| key.strip_prefix(DESIGN)?.parse::<DesignKey>().ok()),
        );
        list.designs.retain(|listed| stored.contains(&listed.key));
        for key in stored {
            if list.designs.iter().all(|listed| listed.key != key) {
                let design =
                    (storage.get(&design_key(key))).and_then(|text| persist::from_json(&text).ok());
                list.designs.push(Listed {
                    key,
                    name: design.map_or_else(|| format!("Design {key}"), |design| design.name),
                });
            }
            list.next = list.next.max(key + 1);
        }
        Workspace {
            storage,
            list,
            unstored: Vec::new(),
        }
    }

    /// The designs, in the order in which they were made.
    pub fn designs(&self) -> &[Listed] {
        &self.list.designs
    }

    /// The design that was open last, if it is still there.
    pub fn last_open(&self) -> Option<DesignKey> {
        let there = |key: &DesignKey| self.list.designs.iter().any(|listed| listed.key == *key);
        self.list.open.filter(there)
    }

    /// Whether the last save of a design failed, so that it is only in this visit as it is.
    pub fn is_unstored(&self, key: DesignKey) -> bool {
        self.unstored.iter().any(|(of, _)| *of == key)
    }

    /// Forgets a design that could not be stored, and returns it.
    pub fn take_unstored(&mut self, key: DesignKey) -> Option<Design> {
        let at = self.unstored.iter().position(|(of, _)| *of == key)?;
        Some(self.unstored.swap_remove(at).1)
    }

    /// Reads a design, as it was when it could not be stored if that is newer. A good stored text is also kept as the
    /// backup of this visit, where there is room.
    pub fn load(&mut self, key: DesignKey) -> Result<Design, Broken> {
        if let Some((_, design)) = self.unstored.iter().find(|(of, _)| *of == key) {
            self.list.open = Some(key);
            return Ok(design.clone());
        }
        let text = self.storage.get(&design_key(key)).unwrap_or_default();
        match persist::from_json(&text) {
            Ok(design) => {
                // A backup that does not fit is no reason to stop: the design itself is safe.
                let _ = self.storage.set(&backup_key(key), &text);
                self.list.open = Some(key);
                let _ = self.save_list();
                Ok(design)
            }
            Err(error) => Err(Broken {
                reason: error.to_string(),
                backup: (self.storage.get(&backup_key(key)))
                    .and_then(|text| persist::from_json(&text).ok())
                    .map(Box::new),
                text,
            }),
        }
    }

    /// Adds a design and makes it the open one. The error says why it could not be stored; it is then in the
    /// list for this visit all the same, so that a later save can succeed.
    pub fn create(&mut self, design: &Design) -> (DesignKey, Result<(), String>) {
        let key = self.list.next.max(1);
        self.list.next = key + 1;
        self.list.designs.push(Listed {
            key,
            name: design.name.clone(),
        });
        self.list.open = Some(key);
        (key, self.save(key, design))
    }

    /// Stores a design. When it does not fit, remembered exports are given up for it, then backups; if it still does
    /// not, the stored text stays the last good one, the design is kept for this visit, and the error says why.
    pub fn save(&mut self, key: DesignKey, design: &Design) -> Result<(), String> {
        let text = persist::to_json(design);
        let mut stored = self.storage.set(&design_key(key), &text);
        for kind in [EXPORT, BACKUP] {
            if stored.is_err() {
                self.forget(&|stored| stored.starts_with(kind));
                stored = self.storage.set(&design_key(key), &text);
            }
        }
        self.take_unstored(key);
        if let Err(reason) = stored {
            self.unstored.push((key, design.clone()));
            return Err(reason);
        }
        let listed = (self.list.designs.iter_mut()).find(|listed| listed.key == key);
        if let Some(listed) = listed
            && listed.name != design.name
        {
            listed.name.clone_from(&design.name);
        }
        self.save_list()
    }

    /// The design whose text a storage key holds, for what another tab of the browser has stored.
    pub fn design_of(storage_key: &str) -> Option<DesignKey> {
        storage_key.strip_prefix(DESIGN)?.parse().ok()
    }

    /// Takes a design away for good, with its backup.
    pub fn delete(&mut self, key: DesignKey) {
        self.list.designs.retain(|listed| listed.key != key);
        self.take_unstored(key);
        self.storage.remove(&design_key(key));
        self.storage.remove(&backup_key(key));
        let exports = export_key(key, "");
        self.forget(&|stored| stored.starts_with(&exports));
        // The list is made again from the designs if this does not fit.
        let _ = self.save_list();
    }

    /// Remembers what was exported of a design, to compare with later: `name` says what it is. What is too large, or
    /// has no room, is not remembered, nor what was there before. When all that is remembered is too much, that of the
    /// other designs goes.
    pub fn remember(&mut self, key: DesignKey, name: &str, text: &str) {
        let own = export_key(key, name);
        self.storage.remove(&own);
        if text.len() > EXPORT_BYTES {
            return;
        }
        if self.exported_bytes() + text.len() > EXPORTS_BYTES {
            let of_design = export_key(key, "");
            self.forget(&|stored| stored.starts_with(EXPORT) && !stored.starts_with(&of_design));
        }
        if self.exported_bytes() + text.len() <= EXPORTS_BYTES {
            // Without room there is nothing to compare with later.
            let _ = self.storage.set(&own, text);
        }
    }

    /// Bytes of all exports that are remembered.
    fn exported_bytes(&self) -> usize {
        let mut bytes = 0;
        for stored in self.storage.keys() {
            if stored.starts_with(EXPORT) {
                bytes += self.storage.get(&stored).map_or(0, |text| text.len());
            }
        }
        bytes
    }

    /// Takes away what is stored under these keys.
    fn forget(&self, gone: &dyn Fn(&str) -> bool) {
        for stored in self.storage.keys() {
            if gone(&stored) {
                self.storage.remove(&stored);
            }
        }
    }

    /// What was remembered under this name.
    pub fn remembered(&self, key: DesignKey, name: &str) -> Option<String> {
        self.storage.get(&export_key(key, name))
    }

    fn save_list(&self) -> Result<(), String> {
        let text = serde_json::to_string(&self.list).map_err(|error| error.to_string())?;
        if self.storage.get(LIST).as_deref() == Some(&text) {
            return Ok(());
        }
        self.storage.set(LIST, &text)
    }
}

fn design_key(key: DesignKey) -> String {
    format!("{DESIGN}{key}")
}

/// All of a design's for an empty name, as a beginning.
fn export_key(key: DesignKey, name: &str) -> String {
    format!("{EXPORT}{key}:{name}")
}

fn backup_key(key: DesignKey) -> String {
    format!("{BACKUP}{key}")
}
