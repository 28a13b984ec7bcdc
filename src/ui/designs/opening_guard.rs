//! Marks designs that are being opened. A design that did not finish opening, because the page ran out of memory or
//! froze, is not opened automatically at the next start: otherwise every reload would fail.

use crate::platform::storage::{Local, of_tab};
use crate::platform::{clock, random};
use keyfold_app::workspace::{DesignKey, Storage};

const OPENING: &str = "keyfold:opening:";
/// Storage key of a number of this tab, which stays after a reload.
const TAB: &str = "keyfold:tab";
/// Time that another tab has for opening a design, in milliseconds.
const PATIENCE: i64 = 20_000;

/// Marks the design as being opened, with the tab and the time.
pub fn begin(key: DesignKey) {
    let tab = of_tab::get(TAB).unwrap_or_else(|| {
        let new = random::design_key().to_string();
        of_tab::set(TAB, &new);
        new
    });
    // Without the mark, the design opens automatically like any other.
    let _ = Local.set(&name(key), &format!("{tab} {}", now()));
}

/// Removes the mark: the design is open, or the page was left meanwhile.
pub fn end(key: DesignKey) {
    Local.remove(&name(key));
}

/// Whether the design did not finish opening last time. Another tab may be opening it just now.
pub fn was_cut_short(key: DesignKey) -> bool {
    let Some(mark) = Local.get(&name(key)) else {
        return false;
    };
    let by_another = mark.split_once(' ').is_some_and(|(tab, time)| {
        let time: i64 = time.parse().unwrap_or_default();
        of_tab::get(TAB).as_deref() != Some(tab) && (0..PATIENCE).contains(&(now() - time))
    });
    !by_another
}

/// The time in whole milliseconds: code that reads a fraction brings a table of 10 KB.
fn now() -> i64 {
    clock::unix_millis() as i64
}

fn name(key: DesignKey) -> String {
    [OPENING, &key.to_string()].concat()
}
