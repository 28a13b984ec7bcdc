//! Long lists come into the page bit by bit, so that none holds the page up.

use super::erased::{Memo, RwSignal, effect, memo};
use super::later::View;

/// How many more lines each frame has.
const STEP: usize = 30;

/// How many of so many lines are in the page: few at first, more with each frame, all of them in the end.
pub fn gradually(count: impl Fn() -> usize + Send + Sync + 'static) -> Memo<usize> {
    let count = memo(move |_| count());
    let most = RwSignal::new(STEP);
    let view = View::new();
    effect(move || {
        let now = most.get();
        if now < count.get() {
            view.next_frame(move || {
                if most.get_untracked() == now {
                    most.set(now + STEP);
                }
            });
        }
    });
    memo(move |_| count.get().min(most.get()))
}
