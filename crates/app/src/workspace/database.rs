//! What the designs are stored in, and errors of storage.

use std::fmt;

/// A synchronous key-value store, such as the browser's local storage. For preferences and the [`Journal`](super::Journal).
pub trait Storage {
    /// Returns the text of a key.
    fn get(&self, key: &str) -> Option<String>;
    /// Sets the text of a key, all or nothing; an error says why it failed.
    fn set(&self, key: &str, text: &str) -> Result<(), String>;
    /// Removes a key.
    fn remove(&self, key: &str);
    /// Returns all keys.
    fn keys(&self) -> Vec<String>;
}

/// The object stores of a [`Database`]. Each has its own keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObjectStore {
    /// The [`Entry`](super::Entry) of each design.
    Entries,
    /// The file text of each design and, under a key of its own, its text in the language.
    Designs,
    /// The file text of each design as of the last time it was opened.
    Backups,
    /// The last exports, by design and name.
    Exports,
}

impl ObjectStore {
    /// All object stores.
    pub const ALL: [ObjectStore; 4] = [
        ObjectStore::Entries,
        ObjectStore::Designs,
        ObjectStore::Backups,
        ObjectStore::Exports,
    ];

    /// Its name in the database.
    pub fn name(self) -> &'static str {
        match self {
            ObjectStore::Entries => "entries",
            ObjectStore::Designs => "designs",
            ObjectStore::Backups => "backups",
            ObjectStore::Exports => "exports",
        }
    }
}

/// A write in a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Write {
    /// Sets the text of a key.
    Put(ObjectStore, String, String),
    /// Removes a key.
    Delete(ObjectStore, String),
    /// Removes all keys with a prefix.
    DeletePrefix(ObjectStore, String),
}

/// Why a database request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StorageError {
    /// The storage is full.
    Full,
    /// The browser does not allow storage, with its reason.
    Denied(String),
    /// Another error, with the browser's message.
    Other(String),
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StorageError::Full => f.write_str("the browser's storage for this page is full"),
            StorageError::Denied(_) => {
                f.write_str("this browser does not allow pages to store data")
            }
            StorageError::Other(reason) => write!(f, "browser error: {reason}"),
        }
    }
}

/// A database of texts with transactions, such as IndexedDB.
#[expect(
    async_fn_in_trait,
    reason = "a page has one thread: no future has to be Send"
)]
pub trait Database {
    /// Returns the text of a key.
    async fn get(&self, group: ObjectStore, key: &str) -> Result<Option<String>, StorageError>;
    /// Returns all keys with their texts, in key order.
    async fn all(&self, group: ObjectStore) -> Result<Vec<(String, String)>, StorageError>;
    /// Returns all keys, in order.
    async fn keys(&self, group: ObjectStore) -> Result<Vec<String>, StorageError>;
    /// Runs one transaction: reads the text of `guard`, calls `decide` for the writes, and applies all of them or
    /// none. Returns after the commit. No other transaction comes in between, not even from another tab.
    async fn change(
        &self,
        guard: (ObjectStore, &str),
        decide: &mut dyn FnMut(Option<String>) -> Vec<Write>,
    ) -> Result<(), StorageError>;
}
