//! The designs of this browser: the open one, opening, adding and deleting. [`autosave`] stores them; [`other_tabs`]
//! follows what other tabs store; [`crash`] and [`keyfold_app::workspace`] recover what a closed or crashed page left
//! behind.

mod add;
mod autosave;
mod crash;
mod delete;
mod language;
mod merger;
mod open;
mod opening_guard;
mod other_tabs;
mod own_text;
mod recovery;
mod remembered_exports;
mod room;
mod start;
mod stored_texts;
mod unreadable;
mod untouched;
mod versions;

pub use autosave::Saved;
pub use crash::install_panic_hook;
pub(crate) use language::language;
pub use start::Start;
pub use unreadable::UnreadableVersion;

use crate::platform::tabs::TabChannel;
use crate::ui::reactive::erased::RwSignal;
use crate::ui::state::store::Store;
use crate::ui::state::version_label::ShownVersion;
use autosave::State;
use keyfold_app::workspace::{DesignKey, Entry};
use keyfold_core::model::SortedMap;
use keyfold_core::persist;
use leptos::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

/// A line of the list of designs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Listed {
    /// Its key.
    pub key: DesignKey,
    /// Its name.
    pub name: String,
}

/// The designs of this browser and the open one. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Designs {
    store: Store,
    state: StoredValue<Rc<RefCell<State>>, LocalStorage>,
    tabs: StoredValue<Option<TabChannel>, LocalStorage>,
    /// The open design; `None` if it is not a stored one.
    pub open: RwSignal<Option<DesignKey>>,
    /// All designs.
    pub list: RwSignal<Vec<Listed>>,
    /// The save state of the open design.
    pub saved: RwSignal<Saved>,
    /// The last exports of the open design, by name.
    exports: RwSignal<SortedMap<String, String>>,
    timer: StoredValue<Option<TimeoutHandle>>,
    version_timer: StoredValue<Option<TimeoutHandle>>,
    /// The version that is shown instead of the open design.
    pub shown_version: RwSignal<Option<ShownVersion>>,
    /// Counts the requests to open a design: a design read for an earlier request is not shown.
    request: StoredValue<u64>,
}

impl Designs {
    /// All designs with their dates and folders, also those that are not stored yet.
    pub fn entries(self) -> Vec<Entry> {
        self.state(|state| state.all_entries()).unwrap_or_default()
    }

    /// The file text of a design; `None` if it cannot be read.
    pub async fn text_of(self, key: DesignKey) -> Option<String> {
        match self.unsaved_text(key) {
            Some(text) => Some(text),
            None => self.workspace()?.text(key).await.ok()?,
        }
    }

    /// The file text of a design with changes that are not stored.
    fn unsaved_text(self, key: DesignKey) -> Option<String> {
        let unsaved = |state: &mut State| {
            let document = state.unsaved(key)?;
            Some(persist::to_json(document.design()))
        };
        self.state(unsaved).flatten()
    }

    /// Puts a design into a folder, and calls `then` once the list of designs says so. An empty name takes it out.
    pub fn set_folder(self, key: DesignKey, folder: String, then: impl FnOnce() + 'static) {
        self.is_wanted(key);
        self.flush();
        self.enqueue(async move {
            let Some(workspace) = self.workspace() else {
                return;
            };
            if let Err(failure) = workspace.set_folder(key, &folder).await {
                let name = self.name_of(key);
                let message = format!("“{name}” was not moved to the folder: {failure}.");
                self.store.notices.error(message);
            }
            self.reload_list().await;
            then();
        });
    }

    fn name_of(self, key: DesignKey) -> String {
        let name = self.list.with_untracked(|list| {
            (list.iter().find(|listed| listed.key == key)).map(|listed| listed.name.clone())
        });
        name.unwrap_or_else(|| format!("Design {key}"))
    }
}

/// The designs, from the context.
pub fn use_designs() -> Designs {
    expect_context()
}
