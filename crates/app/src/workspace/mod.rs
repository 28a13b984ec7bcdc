//! The designs of this browser: what is stored for each, and how storage errors are handled. No error loses the last
//! good copy. No tab overwrites the work of another: a save names the version that it changes, and is refused if
//! another version is stored.
//!
//! Pure: the database and the local storage are traits. The `platform` module of the web app implements them for
//! browsers; the tests implement them in memory.

mod database;
mod folders;
mod journal;
mod local_migration;
mod room;
mod stored_designs;
mod versions;

pub use database::{Database, ObjectStore, Storage, StorageError, Write};
pub use folders::{Folder, folders};
pub use journal::{
    Change, Journal, JournalOutcome, Merge, Saving, UnreadableJournal, Written, hash,
};
pub use local_migration::{Migrated, has_local_designs, migrate_local_designs};
pub use room::{Room, size_text};
pub use stored_designs::{
    Broken, Cut, Deleted, DesignKey, Entry, Loaded, LoadedDesign, SaveError, SaveRequest, Workspace,
};
pub use versions::{DeletedVersion, Kept, MAX_AUTOMATIC, MAX_BYTES, NewVersion, Version};
