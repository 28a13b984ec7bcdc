//! Deleting a design, and bringing it back.

use super::Designs;
use crate::platform::clock;
use crate::ui::state::notices::UNDO;
use keyfold_app::workspace::{Deleted, DesignKey};

impl Designs {
    /// Deletes a design and offers undo. If it was open, another design opens.
    pub fn delete(self, key: DesignKey) {
        self.delete_all(vec![key]);
    }

    /// Deletes designs and offers undo for all. If one of them was open, another design opens.
    pub fn delete_all(self, keys: Vec<DesignKey>) {
        self.flush();
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            let (mut all, mut gone) = (Vec::new(), Vec::new());
            for key in keys {
                let name = self.name_of(key);
                let unsaved = self.state(|state| {
                    let document = state.unsaved(key)?.clone();
                    Some((document, state.slot(key).base == 0))
                });
                match (workspace.delete(key).await, unsaved.flatten()) {
                    (Ok(Some(deleted)), _) => all.push(deleted),
                    // What was never stored needs no storage to be deleted.
                    (Ok(None), Some((document, _))) | (Err(_), Some((document, true))) => {
                        let now = clock::unix_millis();
                        all.push(Deleted::unstored(key, document.design(), now));
                    }
                    (Ok(None), None) => {}
                    (Err(failure), _) => {
                        let message = format!(
                            "“{name}” could not be deleted: {failure}. Reload the page and try again."
                        );
                        self.store.notices.error(message);
                        continue;
                    }
                }
                self.forget(key);
                self.tell_tabs("deleted", key);
                gone.push(key);
            }
            self.reload_list().await;
            let open = self.open.try_get_untracked().flatten();
            if open.is_some_and(|key| gone.contains(&key)) {
                self.close();
                self.open_something();
            }
            let text = match all.as_slice() {
                [] => None,
                [one] => Some(format!("Deleted the design “{}”.", one.entry.name)),
                several => Some(format!("Deleted {} designs.", several.len())),
            };
            if let Some(text) = text {
                let undo = move || all.iter().for_each(|one| self.restore(one.clone()));
                self.store.notices.offer(text, UNDO, undo);
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
