//! Deleting a design, and bringing it back.

use super::Designs;
use crate::platform::clock;
use crate::ui::state::notices::UNDO;
use keyfold_app::workspace::{Deleted, DesignKey};

impl Designs {
    /// Deletes a design and offers undo. If it was open, another design opens.
    pub fn delete(self, key: DesignKey) {
        let name = self.name_of(key);
        self.flush();
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            let unsaved = self.state(|state| state.unsaved(key).cloned()).flatten();
            let deleted = match (workspace.delete(key).await, unsaved) {
                (Ok(Some(deleted)), _) => Some(deleted),
                (_, Some(document)) => {
                    let now = clock::unix_millis();
                    Some(Deleted::unstored(key, document.design(), now))
                }
                (Ok(None), None) => None,
                (Err(failure), None) => {
                    let message = format!(
                        "“{name}” could not be deleted: {failure}. Reload the page and try again."
                    );
                    self.store.notices.error(message);
                    return;
                }
            };
            self.forget(key);
            self.tell_tabs("deleted", key);
            self.reload_list().await;
            if self.open.try_get_untracked().flatten() == Some(key) {
                self.close();
                self.open_something();
            }
            if let Some(deleted) = deleted {
                let undo = move || self.restore(deleted.clone());
                (self.store.notices).offer(format!("Deleted the design “{name}”."), UNDO, undo);
            }
            self.retry_failed();
        });
    }

    /// Restores a deleted design and opens it.
    fn restore(self, deleted: Deleted) {
        let key = deleted.entry.key;
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            match workspace.restore(&deleted).await {
                Ok(_) => {
                    self.tell_tabs("saved", key);
                    self.reload_list().await;
                    self.open(key);
                }
                Err(failure) => {
                    let name = &deleted.entry.name;
                    let message = format!("“{name}” could not be restored: {failure}.");
                    let undo = move || self.restore(deleted.clone());
                    self.store.notices.offer(message, "Try again", undo);
                }
            }
        });
    }
}
