//! Long lists enter the page gradually, or as they are scrolled, so that none blocks it.

use super::erased::{Memo, RwSignal, effect, memo};
use super::later::View;
use leptos::prelude::event_target;
use web_sys::{Element, Event};

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

/// Distance from the end of the drawn lines, in pixels, at which more are added.
const AHEAD: i32 = 600;

/// The number of lines in the page, out of `count`, and the handler of the list's `scroll` event: more lines are added
/// as the end of those in the page comes near.
pub fn as_scrolled(count: usize) -> (Memo<usize>, impl Fn(Event)) {
    let drawn = RwSignal::new(STEP);
    let scroll = move |event: Event| {
        let list: Element = event_target(&event);
        let left = list.scroll_height() - list.scroll_top() - list.client_height();
        if left < AHEAD && drawn.get_untracked() < count {
            drawn.update(|drawn| *drawn += STEP);
        }
    };
    (memo(move |_| count.min(drawn.get())), scroll)
}
