//! Other tabs with this page: what they store or delete is shown here, and they are notified of what this tab does.

use super::Designs;
use super::autosave::State;
use keyfold_app::workspace::DesignKey;
use keyfold_core::model::Design;
use leptos::prelude::*;

impl Designs {
    /// Notifies the other tabs that this one has stored or deleted a design.
    pub(super) fn tell_tabs(self, what: &str, key: DesignKey) {
        (self.tabs).try_with_value(|tabs| {
            if let Some(tabs) = tabs {
                tabs.send(&format!("{what} {key}"));
            }
        });
    }

    /// Handles the message that another tab has stored or deleted a design.
    pub(super) fn heard(self, message: &str) {
        let Some((what, key)) = message.split_once(' ') else {
            return;
        };
        let Ok(key) = key.parse() else { return };
        if what == "deleted" {
            self.deleted_elsewhere(key);
        } else {
            self.changed_elsewhere(key);
        }
    }

    /// If another tab stored the open design, shows the stored version here. Unsaved changes of this tab are not lost:
    /// storing them detects the other version ([`Designs::fork`]).
    pub(super) fn changed_elsewhere(self, key: DesignKey) {
        self.enqueue(async move {
            self.reload_list().await;
            let is_shown = || self.open.try_get_untracked().flatten() == Some(key);
            let Some(workspace) = self.workspace() else {
                return;
            };
            if !is_shown() {
                return;
            }
            let stored = workspace.version(key).await;
            let is_newer = |state: &mut State| {
                let slot = state.slot(key);
                slot.unsaved.is_none()
                    && matches!(stored, Ok(Some(version)) if version != slot.base)
            };
            if self.state(is_newer) != Some(true) {
                return;
            }
            let loaded = workspace.load(key).await;
            // The user may have typed meanwhile: then storing detects the other version.
            if is_shown() && self.state(is_newer) == Some(true) {
                self.show_loaded(key, loaded);
                (self.store.notices)
                    .say("This design was changed in another tab. The new version is open now.");
            }
        });
    }

    /// If another tab deleted the open design, opens another one. Unsaved changes of this tab are not lost: storing
    /// them detects the deletion ([`Designs::fork`]).
    fn deleted_elsewhere(self, key: DesignKey) {
        self.enqueue(async move {
            self.reload_list().await;
            let is_open = self.open.try_get_untracked().flatten() == Some(key);
            if !is_open || self.state(|state| state.slot(key).unsaved.is_some()) != Some(false) {
                return;
            }
            let design = self.store.with(Design::clone);
            // The list no longer contains it.
            let message = format!("“{}” was deleted in another tab.", design.name);
            self.forget(key);
            self.close();
            self.open_something();
            let keep = move || {
                self.add(design.clone());
            };
            self.store.notices.offer(message, "Keep a copy", keep);
        });
    }
}
