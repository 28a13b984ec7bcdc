//! The start of the page: stores what earlier versions and closed pages left behind, and reads the design that was open
//! last. All of this happens before the page is shown, so that its first frame has the design.

use super::add::new_design;
use super::autosave::{Saved, State};
use super::open::document_of;
use super::recovery::{Recovered, Unstored, recover};
use super::unreadable::Unreadable;
use super::{Designs, opening_guard};
use crate::platform::database::IndexedDb;
use crate::platform::storage::{Local, of_tab};
use crate::platform::tabs::TabChannel;
use crate::platform::{clock, random};
use crate::ui::reactive::erased::{RwSignal, effect};
use crate::ui::reactive::on_demand::on_demand;
use crate::ui::state::store::Store;
use keyfold_app::workspace::{
    DesignKey, Entry, Loaded, Migrated, Storage, StorageError, Workspace, has_local_designs,
    migrate_local_designs,
};
use keyfold_app::{Document, placement};
use keyfold_core::model::Design;
use leptos::prelude::*;
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

/// Storage key of the design that was open last, in this tab or in this browser.
const OPEN: &str = "keyfold:open";

/// Moves all designs of an earlier version into a workspace.
type Migrate = for<'a> fn(
    &'a Workspace<IndexedDb>,
) -> Pin<Box<dyn Future<Output = Result<Migrated, StorageError>> + 'a>>;

on_demand!(menus, migration: Migrate = |workspace| {
    Box::pin(migrate_local_designs(workspace, &Local, &random::design_key))
});

/// Moves the designs of an earlier version into the database, if there are any.
async fn migrate(workspace: &Workspace<IndexedDb>) -> Result<Migrated, String> {
    if !has_local_designs(&Local) {
        return Ok(Migrated::default());
    }
    let migrate = migration().await.map_err(|error| error.to_string())?;
    migrate(workspace).await.map_err(|error| error.to_string())
}

/// Remembers the open design.
pub(super) fn remember_open(key: DesignKey) {
    let key = key.to_string();
    of_tab::set(OPEN, &key);
    // Without it, the last design of the list opens next time.
    let _ = Local.set(OPEN, &key);
}

/// The designs that were open last: in this tab, and in this browser.
fn opened_last() -> impl Iterator<Item = DesignKey> {
    let last = [of_tab::get(OPEN), Local.get(OPEN)].into_iter().flatten();
    last.filter_map(|key| key.parse().ok())
}

/// The design that the page starts with.
enum First {
    /// A design that is not stored: a benchmark or the one of a link.
    Unstored(Design, Saved),
    /// A stored design.
    Stored(DesignKey, Result<Loaded, StorageError>),
    /// A design of the journal that could not be stored.
    Kept(DesignKey),
    /// Any stored design, or otherwise a new one.
    Any,
}

/// What the page starts with.
pub struct Start {
    workspace: Rc<Workspace<IndexedDb>>,
    entries: Vec<Entry>,
    /// Whether the stored designs could be listed.
    is_listed: bool,
    /// Designs of the journal that could not be stored.
    kept: Vec<Unstored>,
    first: First,
    /// Designs of the journal that were stored.
    recovered: Vec<DesignKey>,
    /// The design that was open last and did not finish opening.
    cut_short: Option<DesignKey>,
    /// What cannot be read of the journal.
    unreadable: Vec<Unreadable>,
    messages: Vec<String>,
}

impl Start {
    /// Starts with a benchmark design.
    pub fn benchmark(design: Design) -> Start {
        Start::unstored(design, Saved::Never)
    }

    /// Starts with the design of a link, read-only.
    pub fn shared(design: Design) -> Start {
        Start::unstored(design, Saved::Shared)
    }

    /// Adds a message to the user.
    pub fn say(&mut self, message: String) {
        self.messages.push(message);
    }

    fn unstored(design: Design, saved: Saved) -> Start {
        Start {
            workspace: Rc::new(Workspace::new(IndexedDb::default())),
            entries: Vec::new(),
            is_listed: true,
            kept: Vec::new(),
            recovered: Vec::new(),
            first: First::Unstored(design, saved),
            cut_short: None,
            unreadable: Vec::new(),
            messages: Vec::new(),
        }
    }

    /// Stores what was left behind, and reads the design that was open last.
    pub async fn stored() -> Start {
        let workspace = Workspace::new(IndexedDb::default());
        let mut messages = Vec::new();
        let moved = migrate(&workspace).await.unwrap_or_else(|failure| {
            messages.push(format!(
                "Designs of an earlier version of Keyfold could not be moved into the browser's database: {failure}. \
                 They are not lost; reload the page to try again."
            ));
            Migrated::default()
        });
        let Recovered {
            kept,
            stored,
            unreadable,
            messages: told,
        } = recover(&workspace, None).await;
        messages.extend(told);
        let listed = workspace.entries().await;
        let is_listed = listed.is_ok();
        let entries = listed.unwrap_or_else(|failure| {
            messages.push(format!(
                "Saved designs cannot be read: {failure}. Reload the page to try again."
            ));
            Vec::new()
        });
        let is_there = |key: &DesignKey| {
            entries.iter().any(|entry| entry.key == *key)
                || kept.iter().any(|kept| kept.key == *key)
        };
        let last = opened_last().chain(moved.open).find(is_there);
        let cut_short = match last {
            Some(key) if opening_guard::was_cut_short(key).await => Some(key),
            _ => None,
        };
        let first = match last.filter(|_| cut_short.is_none()) {
            Some(key) => {
                opening_guard::begin(key);
                match kept.iter().any(|kept| kept.key == key) {
                    true => First::Kept(key),
                    false => First::Stored(key, workspace.load(key).await),
                }
            }
            None => First::Any,
        };
        Start {
            workspace: Rc::new(workspace),
            entries,
            is_listed,
            kept,
            recovered: stored,
            first,
            cut_short,
            unreadable,
            messages,
        }
    }
}

impl Designs {
    /// Shows what the page starts with.
    pub fn start(start: Start) -> (Store, Designs) {
        let Start {
            workspace,
            entries,
            is_listed,
            kept,
            recovered,
            first,
            cut_short,
            unreadable,
            messages,
        } = start;
        let mut state = State::new(workspace, entries);
        for kept in kept {
            let slot = state.slot(kept.key);
            slot.base = kept.base;
            slot.stored = kept.stored;
            slot.left_by = Some(kept.visit);
            state.change(kept.key, kept.document, clock::now());
            if let Some(at) = kept.at {
                state.slot(kept.key).changed_at = at;
            }
        }
        // The design is shown immediately, so that the first frame has its cards.
        let mut backup = None;
        let mut saved = Saved::Yes;
        let (document, open, loaded) = match first {
            First::Unstored(mut design, how) => {
                placement::place_missing(&mut design);
                saved = how;
                (Some(Document::new(design)), None, None)
            }
            First::Stored(key, Ok(Loaded::Design(loaded))) => {
                state.slot(key).opened(&loaded);
                let document = document_of(&loaded);
                backup = Some(loaded.text);
                (Some(document), Some(key), None)
            }
            First::Stored(key, loaded) => (None, None, Some((key, loaded))),
            First::Kept(key) => (state.unsaved(key).cloned(), Some(key), None),
            First::Any => (None, None, None),
        };
        let is_unstored = document.is_some() && open.is_none();
        let is_shown = document.is_some();
        let store = Store::new(document.unwrap_or_else(|| Document::new(new_design())));
        let designs = Designs {
            store,
            state: StoredValue::new_local(Rc::new(RefCell::new(state))),
            tabs: StoredValue::new_local(None),
            open: RwSignal::new(open),
            list: RwSignal::default(),
            saved: RwSignal::new(saved),
            exports: RwSignal::default(),
            timer: StoredValue::new(None),
            version_timer: StoredValue::new(None),
            shown_version: RwSignal::new(None),
            request: StoredValue::new(0),
        };
        designs.tabs.set_value(Some(TabChannel::new(move |message| {
            designs.heard(&message);
        })));
        for key in recovered {
            designs.tell_tabs("saved", key);
        }
        designs.list_now();
        if let Some(key) = open {
            designs.shown(key);
            match backup {
                Some(text) => designs.keep_backup(key, text),
                None => designs.flush(),
            }
        }
        match loaded {
            Some((key, loaded)) => designs.show_loaded(key, loaded),
            None if !is_shown && !is_listed => designs.open_instead(),
            None if !is_shown => designs.begin(cut_short),
            None => {}
        }
        for message in messages {
            store.notices.error(message);
        }
        designs.show_unreadable(unreadable);
        designs.save_changes();
        designs.mark_opened();
        store.is_read_only.set(saved == Saved::Shared);
        if is_unstored {
            designs.refresh_list();
        }
        if saved == Saved::Shared {
            designs.recover_left(None);
        }
        (store, designs)
    }

    /// Goes back from the design of a link to the one that was open last, or otherwise to any.
    pub fn leave_shared(self) {
        let request = self.next_request();
        // The list may not have yet what a closed tab left.
        self.enqueue(async move {
            if self.request.try_get_value() != Some(request) {
                return;
            }
            let keys = self.list.with_untracked(|list| {
                let keys = list.iter().map(|listed| listed.key);
                keys.collect::<Vec<_>>()
            });
            match opened_last().find(|key| keys.contains(key)) {
                Some(key) => self.open(key),
                None => self.open_something(),
            }
        });
    }

    /// Opens a design if none was open last.
    fn begin(self, cut_short: Option<DesignKey>) {
        if let Some(key) = cut_short {
            self.state(|state| state.tried.insert(key));
            let name = self.name_of(key);
            let message = format!(
                "“{name}” did not finish opening last time, so it was not opened automatically."
            );
            let open = move || self.open(key);
            self.store.notices.offer(message, "Open design", open);
        }
        self.open_something();
    }

    /// Removes the opening mark once the items are computed and the linter has finished.
    fn mark_opened(self) {
        effect(move || {
            let is_open = !self.store.opening.get() && !self.store.findings.stale.get();
            if let (true, Some(key)) = (is_open, self.open.get()) {
                opening_guard::end(key);
            }
        });
    }
}
