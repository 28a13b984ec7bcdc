//! Long lists enter the page gradually, so that none blocks it.

use super::erased::{Memo, RwSignal, effect, memo};
use super::later::View;

/// Lines added per frame.
const STEP: usize = 30;

/// The number of lines in the page, out of `count`: it grows with each frame until all are in the page.
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
