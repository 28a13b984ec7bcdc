//! How much of the browser's storage the designs take, and what of it can be freed without losing a design.

use super::database::{Database, ObjectStore, StorageError, Write};
use super::stored_designs::{DesignKey, Workspace, history_key, is_history};
use super::versions::is_version;

/// Sizes of what is stored, in bytes of UTF-8. What a browser takes for them on the disk is up to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Room {
    /// The designs, and their texts in the language.
    pub designs: usize,
    /// The copies of the last visit, from which a design that cannot be read is recovered.
    pub backups: usize,
    /// The undo histories.
    pub histories: usize,
    /// The versions of the designs.
    pub versions: usize,
    /// The exports that the next ones are compared with.
    pub exports: usize,
}

impl<D: Database> Workspace<D> {
    /// Measures what is stored.
    ///
    /// # Errors
    ///
    /// The error of the database.
    pub async fn room(&self) -> Result<Room, StorageError> {
        let mut room = Room::default();
        for (key, text) in self.database.all(ObjectStore::Designs).await? {
            let part = match &*key {
                key if is_history(key) => &mut room.histories,
                key if is_version(key) => &mut room.versions,
                _ => &mut room.designs,
            };
            *part += text.len();
        }
        let total = |all: Vec<(String, String)>| all.iter().map(|(_, text)| text.len()).sum();
        room.backups = total(self.database.all(ObjectStore::Backups).await?);
        room.exports = total(self.database.all(ObjectStore::Exports).await?);
        Ok(room)
    }

    /// Deletes the remembered exports, and the undo histories and automatic versions of all designs but the open one.
    ///
    /// # Errors
    ///
    /// The error of the database; then not all of it is deleted.
    pub async fn free(&self, open: Option<DesignKey>) -> Result<(), StorageError> {
        let kept = open.map(|key| history_key(&key.to_string()));
        let keys = self.database.keys(ObjectStore::Designs).await?;
        let histories = keys
            .into_iter()
            .filter(|key| is_history(key) && Some(key) != kept.as_ref());
        let mut writes = vec![Write::DeletePrefix(ObjectStore::Exports, String::new())];
        writes.extend(histories.map(|key| Write::Delete(ObjectStore::Designs, key)));
        (self.database)
            .change((ObjectStore::Exports, ""), &mut |_| writes.clone())
            .await?;
        self.delete_automatic_versions(open).await
    }
}

/// A size for people, such as `340 KB`. 1 KB is 1024 bytes, as file managers have it.
pub fn size_text(bytes: usize) -> String {
    const KB: f64 = 1024.0;
    match bytes as f64 {
        size if size < KB => format!("{bytes} B"),
        size if size < KB * KB => format!("{:.0} KB", size / KB),
        size => format!("{:.1} MB", size / KB / KB),
    }
}
