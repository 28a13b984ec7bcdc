//! Local storage and session storage, through gloo-storage. For preferences and the journal of a page that closes: a
//! browser may write it to disk half a minute later. Designs are in [`super::database`].

use gloo_storage::{LocalStorage, SessionStorage, Storage as _};
use keyfold_app::workspace::Storage;

/// The browser's local storage. Where the browser forbids it, everything reads as empty and nothing can be
/// stored.
#[derive(Debug, Clone, Copy)]
pub struct Local;

impl Storage for Local {
    fn get(&self, key: &str) -> Option<String> {
        available()?.get_item(key).ok().flatten()
    }

    fn set(&self, key: &str, text: &str) -> Result<(), String> {
        available()
            .ok_or("this browser does not let pages store anything")?
            .set_item(key, text)
            .map_err(|_| "the browser's storage for this page is full".to_owned())
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

/// The storage, if the browser has one for this page. gloo-storage's own `raw` panics where it is forbidden,
/// so that is asked first.
fn available() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok().flatten()?;
    Some(LocalStorage::raw())
}

/// A preference of this tab, which outlives a reload.
pub mod of_tab {
    use super::*;

    /// The text under a key.
    pub fn get(key: &str) -> Option<String> {
        available()?.get_item(key).ok().flatten()
    }

    /// Puts a text under a key, if the browser lets it.
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
