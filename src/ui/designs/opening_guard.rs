//! Marks designs that are being opened. A design that did not finish opening, because the page ran out of memory or
//! froze, is not opened automatically at the next start: otherwise every reload would fail. While a tab opens a design, it
//! holds a lock: the browser says whether that tab is still there.

use crate::platform::locks::{self, Held};
use crate::platform::storage::{Local, of_tab};
use crate::platform::{clock, random};
use keyfold_app::workspace::{DesignKey, Storage};
use leptos::ev;
use leptos::prelude::*;
use std::cell::{Cell, RefCell};

const OPENING: &str = "keyfold:opening:";
/// Before the token of a mark: the name of the lock of the tab that opens the design.
const LOCK: &str = "keyfold-opening:";
/// Storage key of the token of this tab's last mark, which stays after a reload.
const TAB: &str = "keyfold:tab";
/// Time that another tab has for opening a design, in milliseconds, where the browser has no locks.
const PATIENCE: i64 = 20_000;

/// The design that this tab is opening.
struct Opening {
    key: DesignKey,
    token: String,
    _lock: Held,
}

thread_local! {
    static OPENED_NOW: RefCell<Option<Opening>> = const { RefCell::new(None) };
    static IS_HEARING: Cell<bool> = const { Cell::new(false) };
}

/// Marks the design as being opened, instead of the one before.
pub fn begin(key: DesignKey) {
    end_any();
    let token = random::design_key().to_string();
    let lock = locks::hold(&[LOCK, &token].concat());
    of_tab::set(TAB, &token);
    // Without the mark, the design opens automatically like any other.
    let _ = Local.set(&name(key), &format!("{token} {}", now()));
    OPENED_NOW.set(Some(Opening {
        key,
        token,
        _lock: lock,
    }));
    // Who leaves the page meanwhile does not make the design one that cannot be opened.
    if !IS_HEARING.replace(true) {
        let _ = window_event_listener(ev::pagehide, |_| end_any());
    }
}

/// The design is open, or something else is shown: removes the mark of this tab.
pub fn end(key: DesignKey) {
    let is_it = |opening: &Opening| opening.key == key;
    if OPENED_NOW.with_borrow(|opening| opening.as_ref().is_some_and(is_it)) {
        end_any();
    }
}

fn end_any() {
    // Its lock is released at the end: a mark without a lock is that of a tab that is gone.
    let Some(opening) = OPENED_NOW.take() else {
        return;
    };
    let name = name(opening.key);
    // Another tab may be opening it, too.
    if Local
        .get(&name)
        .is_some_and(|mark| token_of(&mark).0 == opening.token)
    {
        Local.remove(&name);
    }
}

/// Whether the design did not finish opening last time. Another tab may be opening it just now.
pub async fn was_cut_short(key: DesignKey) -> bool {
    let name = name(key);
    let Some(mark) = Local.get(&name) else {
        return false;
    };
    let (token, time) = token_of(&mark);
    if let Some(is_held) = locks::is_held(&[LOCK, token].concat()).await {
        // The other tab may have finished since the mark was read.
        return !is_held && Local.get(&name).as_ref() == Some(&mark);
    }
    let time: i64 = time.parse().unwrap_or_default();
    of_tab::get(TAB).as_deref() == Some(token) || (now() - time).abs() > PATIENCE
}

/// The token of a mark, and its time.
fn token_of(mark: &str) -> (&str, &str) {
    mark.split_once(' ').unwrap_or((mark, ""))
}

/// The time in whole milliseconds: code that reads a fraction brings a table of 10 KB.
fn now() -> i64 {
    clock::unix_millis() as i64
}

fn name(key: DesignKey) -> String {
    [OPENING, &key.to_string()].concat()
}
