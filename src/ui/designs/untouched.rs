//! Library patterns that are only looked at: a pattern that was opened and not edited is deleted when another design
//! opens.

use super::Designs;
use crate::platform::storage::Local;
use keyfold_app::workspace::{DesignKey, Storage};

/// Storage key of the design that was opened from a pattern and not edited yet.
const UNTOUCHED: &str = "keyfold:untouched";

impl Designs {
    /// The open design, if it is a pattern that was not edited.
    pub(super) fn untouched(self) -> Option<DesignKey> {
        let open = self.open.try_get_untracked().flatten()?;
        let is_it = Local.get(UNTOUCHED)? == open.to_string();
        is_it.then_some(open)
    }

    /// Records that a design was opened from a pattern.
    pub(super) fn is_untouched(self, key: DesignKey) {
        // If this is not stored, the pattern is kept.
        let _ = Local.set(UNTOUCHED, &key.to_string());
    }

    /// Records that a design was edited.
    pub(super) fn is_edited(self, key: DesignKey) {
        if self.untouched() == Some(key) {
            Local.remove(UNTOUCHED);
        }
    }

    /// Deletes the open design if it is a pattern that was not edited, before another one opens.
    pub(super) fn drop_untouched(self, next: DesignKey) {
        let Some(key) = self.untouched().filter(|key| *key != next) else {
            return;
        };
        Local.remove(UNTOUCHED);
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            // If it cannot be deleted, it is kept.
            if workspace.delete(key).await.is_ok() {
                self.forget(key);
                self.tell_tabs("deleted", key);
                self.reload_list().await;
            }
        });
    }
}
