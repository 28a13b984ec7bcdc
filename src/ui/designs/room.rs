//! How much of the browser's storage the designs take.

use super::Designs;
use crate::platform::room;
use crate::platform::storage::Local;
use crate::ui::reactive::later::View;
use crate::ui::reactive::on_demand::{on_demand, when_loaded};
use keyfold_app::workspace::{Room, Storage, StorageError};

/// Storage key that says that the browser was asked to keep the designs.
const ASKED: &str = "keyfold:asked-to-keep";

on_demand!(menus, keeper: fn(View) = |view| {
    let _ = Local.set(ASKED, "");
    // Whatever the browser answers: the list of designs shows it.
    view.answer(room::keep(), |_| ());
});

impl Designs {
    /// Asks the browser once to keep the designs when its disk is full.
    pub(super) fn ask_to_keep(self) {
        if Local.get(ASKED).is_none() && self.untouched().is_none() {
            let view = self.store.view;
            when_loaded(view, keeper(), move |keep| {
                if let Ok(keep) = keep {
                    keep(view);
                }
            });
        }
    }

    /// The sizes of what is stored.
    ///
    /// # Errors
    ///
    /// Why it cannot be read.
    pub async fn room(self) -> Result<Room, StorageError> {
        match self.workspace() {
            Some(workspace) => workspace.room().await,
            None => Ok(Room::default()),
        }
    }

    /// Deletes what is not needed to open the designs, and calls `then` when it is gone.
    pub fn free(self, then: impl FnOnce() + 'static) {
        self.flush();
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            let open = self.open.try_get_untracked().flatten();
            match workspace.free(open).await {
                Ok(()) => {
                    self.exports.try_update(|exports| exports.clear());
                    then();
                }
                Err(failure) => {
                    let message = format!("Nothing was deleted: {failure}.");
                    self.store.notices.error(message);
                }
            }
        });
    }
}
