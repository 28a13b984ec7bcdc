//! Migrates designs that earlier versions of Keyfold kept in local storage to the database.

use super::database::{Database, ObjectStore, Storage, StorageError, Write};
use super::stored_designs::{DesignKey, Entry, Workspace, export_key};
use keyfold_core::persist;
use serde::Deserialize;

const LIST: &str = "keyfold:list";
const DESIGN: &str = "keyfold:design:";
const BACKUP: &str = "keyfold:backup:";
const EXPORT: &str = "keyfold:export:";

/// The list of designs in earlier versions.
#[derive(Default, Deserialize)]
#[serde(default)]
struct List {
    open: Option<DesignKey>,
    designs: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    key: DesignKey,
    name: String,
}

/// The result of a migration.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Migrated {
    /// Number of designs migrated.
    pub designs: usize,
    /// The design that was open last.
    pub open: Option<DesignKey>,
}

/// Whether local storage has designs of an earlier version.
pub fn has_local_designs(storage: &impl Storage) -> bool {
    (storage.keys().iter()).any(|key| key.starts_with(DESIGN))
}

/// Moves designs from local storage to the database, with their backups and exports. A copy in local storage is
/// removed only after the one in the database was read back. Designs are migrated once. `new_key` returns a key for
/// a design whose own key is taken by another design.
///
/// # Errors
///
/// Returns the error of the database. The remaining designs stay in local storage.
pub async fn migrate_local_designs<D: Database>(
    workspace: &Workspace<D>,
    storage: &impl Storage,
    new_key: &dyn Fn() -> DesignKey,
) -> Result<Migrated, StorageError> {
    let list: List = (storage.get(LIST))
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    let mut moved = Migrated::default();
    for local in storage.keys() {
        let Some(key) = local
            .strip_prefix(DESIGN)
            .and_then(|key| key.parse::<DesignKey>().ok())
        else {
            continue;
        };
        let Some(text) = storage.get(&local) else {
            continue;
        };
        let name = (list.designs.iter().find(|listed| listed.key == key))
            .map(|listed| listed.name.clone())
            .or_else(|| Some(persist::from_json(&text).ok()?.name))
            .unwrap_or_else(|| format!("Design {key}"));
        let database = &workspace.database;
        let taken = database.get(ObjectStore::Designs, &key.to_string()).await?;
        let target = match taken {
            Some(stored) if stored != text => new_key(),
            _ => key,
        };
        let entry = Entry {
            name,
            created: key as f64,
            ..Entry::read(target, None)
        };
        let mut writes = vec![
            entry.put(),
            Write::Put(ObjectStore::Designs, target.to_string(), text.clone()),
        ];
        if let Some(backup) = storage.get(&format!("{BACKUP}{key}")) {
            writes.push(Write::Put(ObjectStore::Backups, target.to_string(), backup));
        }
        let of_design = format!("{EXPORT}{key}:");
        let exports: Vec<String> = (storage.keys().into_iter())
            .filter(|other| other.starts_with(&of_design))
            .collect();
        for export in &exports {
            if let (Some(name), Some(text)) = (export.strip_prefix(&of_design), storage.get(export))
            {
                writes.push(Write::Put(
                    ObjectStore::Exports,
                    export_key(target, name),
                    text,
                ));
            }
        }
        let id = target.to_string();
        database
            .change((ObjectStore::Designs, &id), &mut |stored| match stored {
                None => writes.clone(),
                Some(_) => Vec::new(),
            })
            .await?;
        if database.get(ObjectStore::Designs, &id).await?.as_deref() != Some(text.as_str()) {
            return Err(StorageError::Other(
                "a saved design was read back with different content".into(),
            ));
        }
        for gone in [local.clone(), format!("{BACKUP}{key}")]
            .iter()
            .chain(&exports)
        {
            storage.remove(gone);
        }
        moved.designs += 1;
        if list.open == Some(key) {
            moved.open = Some(target);
        }
    }
    if moved.designs > 0 {
        storage.remove(LIST);
    }
    Ok(moved)
}
