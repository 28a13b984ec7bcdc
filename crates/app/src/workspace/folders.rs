//! The list of designs: searched, newest first, by folder.

use super::stored_designs::Entry;

/// The designs of a folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Folder {
    /// Its name; empty for the designs that are in none.
    pub name: String,
    /// Its designs, the one that was saved last first.
    pub designs: Vec<Entry>,
}

impl Entry {
    /// When it was last saved, or otherwise created, in milliseconds since 1970.
    pub fn changed(&self) -> f64 {
        self.saved.max(self.created)
    }
}

/// Returns the folders with designs that have every word of `search` in their name or in that of their folder. The
/// designs without a folder come first, then the folders by name. Case is ignored.
pub fn folders(entries: &[Entry], search: &str) -> Vec<Folder> {
    let search = search.to_lowercase();
    let is_found = |entry: &&Entry| {
        let text = [&entry.name, " ", &entry.folder].concat().to_lowercase();
        search.split_whitespace().all(|word| text.contains(word))
    };
    let mut all: Vec<&Entry> = entries.iter().filter(is_found).collect();
    all.sort_by(|a, b| {
        let by_folder = a.folder.to_lowercase().cmp(&b.folder.to_lowercase());
        by_folder
            .then(a.folder.cmp(&b.folder))
            .then(b.changed().total_cmp(&a.changed()))
            .then(b.key.cmp(&a.key))
    });
    let mut folders: Vec<Folder> = Vec::new();
    for entry in all {
        match folders.last_mut() {
            Some(folder) if folder.name == entry.folder => folder.designs.push(entry.clone()),
            _ => folders.push(Folder {
                name: entry.folder.clone(),
                designs: vec![entry.clone()],
            }),
        }
    }
    folders
}
