//! The regions of the page, in the order in which F6 goes through them.

use super::app_context::AppContext;
use crate::ui::dom::element::closest;
use crate::ui::dom::focus::is_shown;
use crate::ui::state::navigate::FIRST_FIELD;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// The canvas decides which card gets the focus.
const CANVAS: &str = ".canvas";

/// The regions: their selector, and what takes the focus there, the first that does.
const REGIONS: &[(&str, &[&str])] = &[
    (".top-bar", &[]),
    (".rail", &[]),
    (CANVAS, &[]),
    (
        ".panel",
        &[
            ".grid-body [tabindex=\"0\"]",
            ".panel-tabs [aria-selected=true]",
        ],
    ),
    (".inspector", &[FIRST_FIELD]),
    (".guide", &[]),
    (".pane-tabs", &[".pane-tabs .current"]),
    (".notices", &[]),
];

/// What takes the focus in any region.
const FOCUSABLE: &str = ":is(button, input, select, textarea, summary, a[href], [tabindex=\"0\"]):not(:disabled, .skip)";

/// Moves the keyboard focus `by` regions, over those that are hidden or empty.
pub fn go(app: AppContext, by: isize) {
    let count = REGIONS.len() as isize;
    let focus = document().active_element();
    let is_in = |(selector, _): &&(&str, &[&str])| {
        focus
            .as_ref()
            .is_some_and(|focus| closest(focus, selector).is_some())
    };
    let from = REGIONS.iter().position(|region| is_in(&region));
    // From nowhere, the first one is next.
    let from = from.map_or(if by > 0 { -1 } else { count }, |at| at as isize);
    let order = (1..=count).map(|step| (from + by * step).rem_euclid(count) as usize);
    for (region, wanted) in order.filter_map(|at| REGIONS.get(at)) {
        let Some(element) = all(region).next().filter(|element| is_shown(element)) else {
            continue;
        };
        if *region == CANVAS {
            return app.canvas.enter();
        }
        let any = format!("{region} {FOCUSABLE}");
        let candidates = wanted.iter().copied().chain([&*any]).flat_map(all);
        let taken = candidates
            .filter(is_shown_html)
            .any(|element| takes(&element));
        if taken || takes(element.unchecked_ref()) {
            return;
        }
    }
}

fn all(selector: &str) -> impl Iterator<Item = HtmlElement> {
    let found = document().query_selector_all(selector).ok();
    let count = found.as_ref().map_or(0, |found| found.length());
    (0..count).filter_map(move |at| found.as_ref()?.get(at)?.dyn_into().ok())
}

fn is_shown_html(element: &HtmlElement) -> bool {
    is_shown(AsRef::<Element>::as_ref(element))
}

/// Gives an element the focus; returns whether it took it.
fn takes(element: &HtmlElement) -> bool {
    let _ = element.focus();
    element.is_same_node(document().active_element().as_deref())
}
