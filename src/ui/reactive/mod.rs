//! A smaller Leptos: signals, memos and effects that are compiled once, and delayed callbacks that check whether their
//! view still exists.

use erased::RwSignal;

pub mod by_ptr;
pub mod erased;
pub mod follow_ids;
pub mod gradual;
pub mod later;
pub mod live_output;
pub mod observers;
pub mod on_demand;
pub mod sliced_task;

/// Sets a signal if the value differs.
pub fn set_if_other<T: PartialEq + Copy + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.get_untracked() != value {
        signal.set(value);
    }
}
