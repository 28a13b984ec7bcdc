//! Marks designs that are being opened. A design that did not finish opening, because the page ran out of memory or
//! froze, is not opened automatically at the next start: otherwise every reload would fail.

use crate::platform::storage::Local;
use keyfold_app::workspace::{DesignKey, Storage};

const OPENING: &str = "keyfold:opening:";

/// Marks the design as being opened.
pub fn begin(key: DesignKey) {
    // Without the mark, the design opens automatically like any other.
    let _ = Local.set(&format!("{OPENING}{key}"), "");
}

/// Removes the mark: the design is open, or the page was left meanwhile.
pub fn end(key: DesignKey) {
    Local.remove(&format!("{OPENING}{key}"));
}

/// Whether the design did not finish opening last time.
pub fn was_cut_short(key: DesignKey) -> bool {
    Local.get(&format!("{OPENING}{key}")).is_some()
}
