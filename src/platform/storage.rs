//! Local storage and session storage, through gloo-storage. For preferences and for the journal of a closing page;
//! browsers may write them to disk up to 30 seconds later. Designs are in [`super::database`].

use gloo_storage::{LocalStorage, SessionStorage, Storage as _};
use keyfold_app::workspace::{Storage, StorageError};

/// The browser's local storage. If the browser does not allow it, all keys are missing and every write fails.
#[derive(Debug, Clone, Copy)]
pub struct Local;

impl Storage for Local {
    fn get(&self, key: &str) -> Option<String> {
        available()?.get_item(key).ok().flatten()
    }

    fn set(&self, key: &str, text: &str) -> Result<(), String> {
        available()
            .ok_or_else(|| StorageError::Denied(String::new()).to_string())?
            .set_item(key, text)
            .map_err(|_| StorageError::Full.to_string())
    }

    fn remove(&self, key: &str) {
        if let Some(storage) = available() {
            let _ = storage.remove_item(key);
        }
    }

    fn keys(&self) -> Vec<String> {
        let Some(storage) = available() else {
            return Vec::new();
        };
        let count = storage.length().unwrap_or(0);
        (0..count)
            .filter_map(|at| storage.key(at).ok().flatten())
            .collect()
    }
}

/// The storage, if the browser has one for this page. Checked first, because gloo-storage's `raw` panics if it is
/// forbidden.
fn available() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok().flatten()?;
    Some(LocalStorage::raw())
}

/// Preferences of this tab, which survive a reload (session storage).
pub mod of_tab {
    use super::*;

    /// Returns the text of a key.
    pub fn get(key: &str) -> Option<String> {
        available()?.get_item(key).ok().flatten()
    }

    /// Sets the text of a key, if the browser allows it.
    pub fn set(key: &str, text: &str) {
        if let Some(storage) = available() {
            let _ = storage.set_item(key, text);
        }
    }

    fn available() -> Option<web_sys::Storage> {
        web_sys::window()?.session_storage().ok().flatten()?;
        Some(SessionStorage::raw())
    }
}
