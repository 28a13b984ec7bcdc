//! Crash recovery: after a panic, the open design and its undo history, as of the last change, are written to the
//! journal, and the next visit stores them.

use super::stored_texts::{Basis, journal};
use crate::platform::storage::Local;
use keyfold_app::Document;
use keyfold_app::workspace::DesignKey;
use leptos::prelude::*;
use std::cell::{Cell, RefCell};

/// What the journal needs of the open design.
pub(super) struct LastGood {
    /// Its key.
    pub key: DesignKey,
    /// Whether there are changes that may not be stored.
    pub is_changed: bool,
    /// Where the changes begin.
    pub basis: Basis,
    /// The design with its history.
    pub document: Document,
}

thread_local! {
    /// The open design after the last change. Designs and steps are shared, so this is cheap.
    static LAST_GOOD: RefCell<Option<LastGood>> = const { RefCell::new(None) };
}

thread_local! {
    static HAS_CRASHED: Cell<bool> = const { Cell::new(false) };
}

/// Whether the page has crashed. The browser still calls it, but its state may be inconsistent: only the journal is
/// stored.
pub fn has_crashed() -> bool {
    HAS_CRASHED.get()
}

/// Remembers the open design; `None` if the open design is not a stored one.
pub(super) fn remember(last: Option<LastGood>) {
    LAST_GOOD.set(last);
}

/// Writes the remembered design to the journal. Returns whether no change is lost; `None` if there is no design.
fn write_journal() -> Option<bool> {
    LAST_GOOD.with(|last| {
        let last = last.try_borrow().ok()?;
        let last = last.as_ref()?;
        let journal = journal(&last.document, &last.basis);
        let written = journal.write(&Local, last.key);
        Some(written.is_ok() || !last.is_changed)
    })
}

/// Installs the handler that runs after a panic.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        HAS_CRASHED.set(true);
        let message = match write_journal() {
            Some(true) => {
                "Keyfold stopped because of a bug; your last change is saved. Reload the page to continue."
            }
            Some(false) => {
                "Keyfold stopped because of a bug; the changes of the last second are not saved. Reload the page to continue."
            }
            None => "Keyfold stopped because of a bug. Reload the page to continue.",
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
