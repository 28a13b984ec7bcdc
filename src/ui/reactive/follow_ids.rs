//! Signals and values that hold ids of the design follow when a merge gives parts other ids.

use super::erased::RwSignal;
use keyfold_app::moved_ids::HoldsIds;
use keyfold_compare::NewIds;
use leptos::prelude::*;

/// The held ids follow.
pub fn follow_signal<T>(signal: RwSignal<T>, moved: &NewIds)
where
    T: HoldsIds + Clone + PartialEq + Send + Sync + 'static,
{
    let mut now = signal.get_untracked();
    now.follow(moved);
    if signal.with_untracked(|before| *before != now) {
        signal.set(now);
    }
}

/// As [`follow_signal`], for what no view reads.
pub fn follow_value<T: HoldsIds + Send + Sync + 'static>(value: StoredValue<T>, moved: &NewIds) {
    value.update_value(|held| held.follow(moved));
}
