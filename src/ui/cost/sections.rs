//! The sections of the page, and what they show.

use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::RwSignal;
use keyfold_cost::Report;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The report, once it is computed.
pub type Shown = RwSignal<Option<ByPtr<Report>>>;

/// What is made of the report; nothing until it is computed.
pub fn made<R: Default>(report: Shown, make: impl Fn(&Report) -> R) -> R {
    report.with(|report| report.as_ref().map_or_else(R::default, |one| make(one)))
}

/// The sections: the id of the heading, and its text.
pub const SECTIONS: [(&str, &str); 5] = [
    ("cost-overview", "Overview"),
    ("cost-bill", "Bill"),
    ("cost-shares", "Shares"),
    ("cost-heat", "Heat"),
    (WORKLOAD, "Workload"),
];
/// The id of the heading of the workload.
pub const WORKLOAD: &str = "cost-workload";

/// Shows a section and moves the keyboard focus to its heading.
pub fn go_to(id: &str) {
    if let Some(heading) = document().get_element_by_id(id) {
        heading.scroll_into_view();
        let heading: &HtmlElement = heading.unchecked_ref();
        let _ = heading.focus();
    }
}
