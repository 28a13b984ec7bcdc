//! Library patterns that are only looked at: a pattern that was opened, and neither edited nor kept on purpose, is deleted
//! when another design opens.

use super::Designs;
use crate::platform::storage::Local;
use keyfold_app::workspace::{DesignKey, Storage};

/// Storage key of the design that was opened from a pattern and only looked at so far.
const UNTOUCHED: &str = "keyfold:untouched";

fn is_marked(key: DesignKey) -> bool {
    Local
        .get(UNTOUCHED)
        .is_some_and(|marked| marked == key.to_string())
}

impl Designs {
    /// The open design, if it is a pattern that was only looked at, and no other tab shows it.
    pub(super) fn untouched(self) -> Option<DesignKey> {
        let open = self.open.try_get_untracked().flatten()?;
        let has_company = self.state(|state| state.has_company)?;
        (is_marked(open) && !has_company).then_some(open)
    }

    /// Records that a design was opened from a pattern.
    pub(super) fn is_untouched(self, key: DesignKey) {
        // If this is not stored, the pattern is kept.
        let _ = Local.set(UNTOUCHED, &key.to_string());
    }

    /// Records that a design was edited, or that the user saves it, names a version of it or puts it into a folder.
    pub fn is_wanted(self, key: DesignKey) {
        if is_marked(key) {
            Local.remove(UNTOUCHED);
        }
    }

    /// Deletes the open design if it is a pattern that was only looked at, before another one opens.
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
