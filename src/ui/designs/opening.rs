//! Whether a design was opened to the end. One that was not, because the page ran out of memory or never came back, is not
//! opened by itself the next time: else it would take each reload along.

use crate::platform::storage::Local;
use keyfold_app::workspace::{DesignKey, Storage};

const OPENING: &str = "keyfold:opening:";

/// From now on the design is being opened.
pub fn begin(key: DesignKey) {
    // Without the mark it is opened by itself as any other.
    let _ = Local.set(&format!("{OPENING}{key}"), "");
}

/// The design is open, or the page was left meanwhile.
pub fn end(key: DesignKey) {
    Local.remove(&format!("{OPENING}{key}"));
}

/// Whether opening the design did not come to an end the last time.
pub fn was_cut_short(key: DesignKey) -> bool {
    Local.get(&format!("{OPENING}{key}")).is_some()
}
