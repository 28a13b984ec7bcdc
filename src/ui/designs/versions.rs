//! Versions of the designs: kept after a pause of work and under a name, looked at, restored.

use super::unreadable::UnreadableVersion;
use super::{Designs, Saved};
use crate::platform::clock;
use crate::platform::database::IndexedDb;
use crate::ui::reactive::on_demand::{on_demand, when_loaded};
use crate::ui::state::notices::UNDO;
use crate::ui::state::version_label::{ShownVersion, label_of};
use keyfold_app::workspace::{
    DeletedVersion, DesignKey, Kept, Loaded, NewVersion, StorageError, Version, Workspace,
};
use keyfold_app::{Command, Document};
use keyfold_core::model::{Design, file_stem};
use keyfold_core::persist;
use leptos::prelude::*;
use std::time::Duration;

/// Pause after the last change to a design before it becomes a version.
const PAUSE: Duration = Duration::from_secs(120);

/// What becomes a version.
#[derive(Debug, Clone, Copy)]
pub(super) enum Moment {
    /// The design as it was when it was opened, and the time of its last change in milliseconds since 1970.
    Opened(f64),
    /// The design as it is stored now.
    Now,
}

on_demand!(menus, keeper: fn(Designs, DesignKey, Moment) = keep_automatic);

fn keep_automatic(designs: Designs, key: DesignKey, moment: Moment) {
    designs.enqueue(async move {
        let Some(workspace) = designs.workspace() else {
            return;
        };
        // A version that cannot be kept loses nothing of the design.
        let _ = match moment {
            Moment::Opened(at) => workspace.keep_backup_as_version(key, at).await,
            Moment::Now => workspace.keep_stored_as_version(key, "").await,
        };
    });
}

impl Designs {
    /// Keeps the design as it was when it was opened, at this time in milliseconds since 1970.
    pub(super) fn keep_opened_version(self, key: DesignKey, at: f64) {
        self.keep_version(key, Moment::Opened(at));
    }

    fn keep_version(self, key: DesignKey, moment: Moment) {
        when_loaded(self.store.view, keeper(), move |keep| {
            if let Ok(keep) = keep {
                keep(self, key, moment);
            }
        });
    }

    /// Keeps the design as a version unless it changes again soon.
    pub(super) fn keep_version_later(self, key: DesignKey) {
        let timer = self
            .store
            .view
            .after(PAUSE, move || self.keep_version(key, Moment::Now));
        let before = self
            .version_timer
            .try_update_value(|at| std::mem::replace(at, timer));
        if let Some(Some(before)) = before {
            before.clear();
        }
    }

    /// The versions of a design, oldest first.
    ///
    /// # Errors
    ///
    /// Why they cannot be read.
    pub async fn versions(self, key: DesignKey) -> Result<Vec<Version>, StorageError> {
        match self.workspace() {
            Some(workspace) => workspace.versions(key).await,
            None => Ok(Vec::new()),
        }
    }

    /// The design of a version.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    pub async fn version(self, key: DesignKey, number: u32) -> Result<Design, UnreadableVersion> {
        let unreadable = |reason: String| UnreadableVersion { reason, file: None };
        let Some(workspace) = self.workspace() else {
            return Err(unreadable("the page is closing".to_owned()));
        };
        let text = match workspace.version_text(key, number).await {
            Ok(Some(text)) => text,
            Ok(None) => return Err(unreadable("it was deleted".to_owned())),
            Err(failure) => return Err(unreadable(failure.to_string())),
        };
        persist::from_json(&text).map_err(|error| {
            let name = file_stem(&self.name_of(key));
            UnreadableVersion {
                reason: error.to_string(),
                file: Some((format!("{name} version {number}.keyfold.json"), text)),
            }
        })
    }

    /// Keeps a design as it is now as a version, also if that could not be stored.
    async fn keep_now(
        self,
        workspace: &Workspace<IndexedDb>,
        key: DesignKey,
        name: &str,
    ) -> Result<Kept, StorageError> {
        match self.unsaved_text(key) {
            Some(text) => {
                let (text, at) = (&*text, clock::unix_millis());
                workspace
                    .keep_version(key, NewVersion { text, at, name })
                    .await
            }
            None => workspace.keep_stored_as_version(key, name).await,
        }
    }

    /// Keeps the open design as a version with a name, and calls `then` when it is stored.
    pub fn save_version(self, name: String, then: impl FnOnce() + 'static) {
        let Some(key) = self.open.get_untracked() else {
            return;
        };
        self.is_wanted(key);
        self.retry_failed();
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            let kept = self.keep_now(&workspace, key, &name).await;
            match kept {
                Ok(Kept::New | Kept::Same) => then(),
                Ok(Kept::NoRoom) => self.store.notices.error(
                    "The version was not saved: the named versions take all the room that a design has for versions. Delete \
                     versions that you no longer need.",
                ),
                Ok(Kept::TooLarge) => self.store.notices.error(
                    "The version was not saved: the design is larger than the room that a design has for versions. \
                     Download the design to keep it as it is.",
                ),
                Ok(Kept::Missing) => self.store.notices.error(
                    "The version was not saved: the design is not stored in this browser. Download it to keep it as it is.",
                ),
                Err(failure) => {
                    let message = format!("The version was not saved: {failure}.");
                    self.store.notices.error(message);
                }
            }
        });
    }

    /// Changes the name of a version, and calls `then` when it is stored.
    pub fn name_version(
        self,
        key: DesignKey,
        number: u32,
        name: String,
        then: impl FnOnce() + 'static,
    ) {
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            if let Err(failure) = workspace.name_version(key, number, &name).await {
                let message = format!("The version was not renamed: {failure}.");
                self.store.notices.error(message);
            }
            then();
        });
    }

    /// Deletes a version, and calls `then` when it is gone, with the number of the message that offers undo, and when it is
    /// back.
    pub fn delete_version(
        self,
        key: DesignKey,
        version: Version,
        then: impl Fn(Option<u64>) + Copy + Send + Sync + 'static,
    ) {
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            let mut undoable = None;
            match workspace.delete_version(key, version.number).await {
                Ok(Some(deleted)) => {
                    let message = format!("Deleted the version “{}”.", label_of(&version));
                    let undo = move || self.bring_back(key, deleted.clone(), move || then(None));
                    undoable = Some(self.store.notices.offer(message, UNDO, undo));
                }
                Ok(None) => {}
                Err(failure) => {
                    let message = format!("The version was not deleted: {failure}.");
                    self.store.notices.error(message);
                }
            }
            then(undoable);
        });
    }

    fn bring_back(self, key: DesignKey, deleted: DeletedVersion, then: impl Fn() + 'static) {
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            if let Err(failure) = workspace.restore_version(key, &deleted).await {
                let message = format!("The version was not restored: {failure}.");
                self.store.notices.error(message);
            }
            then();
        });
    }

    /// Shows a version of the open design, read-only, instead of the design.
    pub fn show_version(self, key: DesignKey, version: Version) {
        self.flush();
        let request = self.next_request();
        self.enqueue(async move {
            let design = self.version(key, version.number).await;
            if self.request.try_get_value() != Some(request) {
                return;
            }
            match design {
                Ok(mut design) => {
                    self.close();
                    keyfold_app::placement::place_missing(&mut design);
                    self.store.open(Document::new(design));
                    self.store.is_read_only.set(true);
                    self.saved.set(Saved::Version);
                    self.shown_version.set(Some(ShownVersion { key, version }));
                }
                Err(error) => self.not_shown(&version, error),
            }
        });
    }

    fn not_shown(self, version: &Version, error: UnreadableVersion) {
        let name = label_of(version);
        let message = format!("The version “{name}” cannot be read: {}.", error.reason);
        match error.file {
            Some((file, text)) => self.store.notices.error_with_file(message, file, text),
            None => self.store.notices.error(message),
        }
    }

    /// Makes the open design what it was in a version, as one step of undo. What it is now becomes a version too.
    pub fn restore_to_version(self, key: DesignKey, version: Version) {
        self.retry_failed();
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            let design = match self.version(key, version.number).await {
                Ok(design) => design,
                Err(error) => return self.not_shown(&version, error),
            };
            if let Err(failure) = self.keep_now(&workspace, key, "").await {
                let message = format!("The current design was not saved as a version: {failure}.");
                self.store.notices.complain(message);
            }
            let replace = Command::Replace {
                label: "restore version",
                design: Box::new(design),
                text: None,
            };
            let restored = match self.open.try_get_untracked().flatten() == Some(key) {
                true => self.store.run(replace),
                false => match workspace.load(key).await {
                    Ok(Loaded::Design(loaded)) => {
                        self.show_changed(key, self.taken(key, *loaded), replace)
                    }
                    other => return self.show_loaded(key, other),
                },
            };
            match restored {
                Ok(()) => {
                    let message = format!("Restored the version “{}”.", label_of(&version));
                    let undo = move || self.store.undo();
                    self.store.notices.offer_undo(message, undo);
                }
                Err(refused) => self.store.complain_if_refused(Err(refused)),
            }
        });
    }
}
