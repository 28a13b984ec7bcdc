//! After a bug in Keyfold itself: the open design and its undo history, as they were after the last change, go to the
//! journal, which the next visit stores.

use crate::platform::storage::Local;
use keyfold_app::workspace::{DesignKey, Journal};
use keyfold_app::{Document, history};
use keyfold_core::persist;
use leptos::prelude::*;
use std::cell::{Cell, RefCell};

/// Most bytes of undo history in the journal: the local storage has some 5 MB.
const HISTORY_BYTES: usize = 1_000_000;

/// What the journal needs to know of the open design.
pub struct LastGood {
    /// Its number.
    pub key: DesignKey,
    /// The stored version that was changed.
    pub base: u32,
    /// Whether there are changes that may not be stored.
    pub is_changed: bool,
    /// The hash of a text that is on its way to the database.
    pub sent: Option<u64>,
    /// The design with its history.
    pub document: Document,
}

thread_local! {
    /// The open design after the last change. Designs and steps are shared, so it costs next to nothing.
    static LAST_GOOD: RefCell<Option<LastGood>> = const { RefCell::new(None) };
}

thread_local! {
    static HAS_CRASHED: Cell<bool> = const { Cell::new(false) };
}

/// Whether the page has crashed. The browser goes on calling it, but what it knows may be half done: nothing is stored any
/// more but what is in the journal.
pub fn has_crashed() -> bool {
    HAS_CRASHED.get()
}

/// Remembers the open design; `None`: no design that is stored is open.
pub fn remember(last: Option<LastGood>) {
    LAST_GOOD.set(last);
}

/// Puts what is remembered into the journal; `None`: there is nothing, else whether that went well.
fn write_journal() -> Option<bool> {
    LAST_GOOD.with(|last| {
        let last = last.try_borrow().ok()?;
        let last = last.as_ref()?;
        let journal = |history| Journal {
            base: last.base,
            name: last.document.design().name.clone(),
            text: persist::to_json(last.document.design()),
            sent: last.sent,
            history,
        };
        let history = history::to_text(&last.document, HISTORY_BYTES);
        let written = journal(Some(history)).write(&Local, last.key);
        // Where there is no room for the history, the design goes alone.
        let written = written.or_else(|_| journal(None).write(&Local, last.key));
        Some(written.is_ok() || !last.is_changed)
    })
}

/// Installs what runs after a panic.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        HAS_CRASHED.set(true);
        let message = match write_journal() {
            Some(true) => {
                "Keyfold ran into a bug and stopped. Your design is kept as it was after your last change, with its undo history. Reload the page to go on."
            }
            Some(false) => {
                "Keyfold ran into a bug and stopped, and the last second of changes could not be stored. Reload the page to go on."
            }
            None => "Keyfold ran into a bug and stopped. Reload the page to go on.",
        };
        let document = document();
        if let (Some(body), Ok(element)) = (document.body(), document.create_element("div")) {
            element.set_class_name("crash");
            let _ = element.set_attribute("role", "alert");
            element.set_text_content(Some(message));
            let _ = body.append_child(&element);
        }
    }));
}
