//! Moving the keyboard focus to the element of a selector, and scrolling elements into view.

use crate::ui::reactive::later::next_frame_with;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::cell::Cell;
use web_sys::{
    Element, FocusOptions, HtmlElement, HtmlInputElement, ScrollIntoViewOptions,
    ScrollLogicalPosition,
};

/// Frames to wait for an element: long lists are drawn gradually.
const PATIENCE: u8 = 30;
/// A view whose code is being loaded (`ui/reactive/on_demand.rs`).
const LOADING: &str = ".on-demand[role=status]";
/// The inspector while it still shows the last subject (`ui/inspector/subject.rs`).
const OUTDATED: &str = ".inspector[aria-busy=true]";

/// Focuses the first visible element of the selector in the next frame, without scrolling to it. If none is visible
/// yet, or its code is still being loaded, waits for it as long as the focus stays where it is. Elements of an inspector
/// that still shows the last subject do not count. Selects the text of a field. Does nothing if no element appears.
pub fn focus_soon(selector: String) {
    soon(selector, None, true);
}

/// As [`focus_soon`], or focuses the first visible element of `other` if there is none of `selector` and none is coming.
pub fn focus_soon_or(selector: &str, other: &'static str) {
    soon(selector.to_owned(), Some(other), true);
}

/// As [`focus_soon`], and scrolls to it if it is out of view.
pub fn focus_in_sight_soon(selector: String) {
    soon(selector, None, false);
}

/// Whether no element that is shown has the focus.
pub fn is_focus_lost() -> bool {
    let focus = document().active_element();
    focus.is_none_or(|focus| focus.tag_name() == "BODY" || !is_shown(&focus))
}

/// Whether the focus is in an element that a selector finds.
pub fn has_focus_in(selector: &str) -> bool {
    let focus = document().active_element();
    focus.is_some_and(|focus| matches!(focus.closest(selector), Ok(Some(_))))
}

/// Whether text of the page is selected.
pub fn has_selected_text() -> bool {
    let selection = window().get_selection().ok().flatten();
    selection.is_some_and(|text| !text.is_collapsed())
}

/// As [`focus_soon`], if the focus is lost in the next frame: the focused element is about to be hidden or redrawn.
pub fn focus_if_lost(selector: impl Into<String>) {
    next_frame_with((selector.into(), Awaited::new()), |(selector, _awaited)| {
        if is_focus_lost() {
            focus_soon(selector);
        }
    });
}

/// Whether an element has a size on the page, in view or not.
pub fn is_shown(element: &Element) -> bool {
    let place = element.get_bounding_client_rect();
    place.width() > 0.0 || place.height() > 0.0
}

/// Whether an element that is not there yet will get the focus, or one that will soon be gone may have it.
pub fn is_focus_awaited() -> bool {
    is_focus_requested() || is_there(OUTDATED)
}

/// Whether an element that may not be there yet will get the focus.
pub fn is_focus_requested() -> bool {
    AWAITED.get() > 0
}

/// Whether the page has an element of this selector.
fn is_there(selector: &str) -> bool {
    matches!(document().query_selector(selector), Ok(Some(_)))
}

thread_local! {
    /// The number of pending focus requests.
    static AWAITED: Cell<u32> = const { Cell::new(0) };
}

/// Counts a pending request as long as it lives.
pub(super) struct Awaited;

impl Awaited {
    pub(super) fn new() -> Awaited {
        AWAITED.set(AWAITED.get() + 1);
        Awaited
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        AWAITED.set(AWAITED.get() - 1);
    }
}

fn soon(selector: String, other: Option<&'static str>, still: bool) {
    let wanted = FocusRequest {
        _awaited: Awaited::new(),
        selector,
        other,
        still,
        from: document().active_element(),
        frames: PATIENCE,
    };
    next_frame_with(wanted, look_for);
}

/// A pending focus request.
struct FocusRequest {
    _awaited: Awaited,
    selector: String,
    other: Option<&'static str>,
    /// Without scrolling to it.
    still: bool,
    /// The focused element at the time of the request.
    from: Option<Element>,
    /// Remaining frames to wait.
    frames: u8,
}

fn look_for(wanted: FocusRequest) {
    let is_coming = is_there(LOADING) || is_there(OUTDATED);
    let other = wanted.other.filter(|_| !is_coming);
    if let Some(shown) = first_shown(&wanted.selector).or_else(|| first_shown(other?)) {
        return focus(&shown, wanted.still);
    }
    let now = document().active_element();
    let stays = now == wanted.from || now.is_none_or(|now| now.tag_name() == "BODY");
    let frames = wanted.frames.checked_sub(u8::from(!is_coming));
    if let Some(frames) = frames.filter(|_| stays) {
        next_frame_with(FocusRequest { frames, ..wanted }, look_for);
    }
}

/// The first visible element of the selector. Elements of an outdated inspector do not count.
fn first_shown(selector: &str) -> Option<HtmlElement> {
    let found = document().query_selector_all(selector).ok()?;
    (0..found.length()).find_map(|at| {
        let found = found.get(at)?.dyn_into::<HtmlElement>().ok()?;
        let is_outdated = matches!(found.closest(OUTDATED), Ok(Some(_)));
        (is_shown(&found) && !is_outdated).then_some(found)
    })
}

fn focus(found: &HtmlElement, still: bool) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(still);
    let _ = found.focus_with_options(&options);
    if let Some(field) = found.dyn_ref::<HtmlInputElement>() {
        field.select();
    }
}

/// Scrolls to the first element of the selector in the next frame, or once it is there.
pub fn scroll_to_soon(selector: String) {
    next_frame_with((selector, PATIENCE), scroll_to);
}

fn scroll_to((selector, frames): (String, u8)) {
    match (document().query_selector(&selector), frames.checked_sub(1)) {
        (Ok(Some(found)), _) => found.scroll_into_view_with_bool(false),
        (_, Some(frames)) => next_frame_with((selector, frames), scroll_to),
        _ => {}
    }
}

/// Scrolls as little as needed to bring the element of this id into view, if it exists.
pub fn bring_into_sight(id: &str) {
    if let Some(found) = document().get_element_by_id(id) {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        found.scroll_into_view_with_scroll_into_view_options(&options);
    }
}
