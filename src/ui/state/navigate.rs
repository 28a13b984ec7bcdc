//! Navigation to a place in the page: shows its region and moves the keyboard focus there.

use super::page_state::{PageState, Pane, Tab};
use super::store::Store;
use crate::ui::dom::focus::{focus_soon, focus_soon_or};
use keyfold_app::problems::{FindingFilter, FindingId, FindingRow};
use keyfold_core::lint::Place;
use keyfold_core::model::{AccessPatternId, EntityId, IndexId};
use leptos::prelude::*;

/// Shows a tab of the panel and moves the keyboard focus there.
pub fn show_tab(store: Store, page: PageState, tab: Tab) {
    page.show(tab);
    let inside = match tab {
        // Not in the items of the tab before, which the panel shows until its next content is built.
        Tab::Items(_) if store.with(|design| !design.entities.is_empty()) => format!(
            "[data-content={}] :is(.grid-body [tabindex=\"0\"], .table-empty button, [data-grid])",
            tab.element_id()
        ),
        _ => ".panel-tabs [aria-selected=true]".to_owned(),
    };
    focus_soon(inside);
}

/// Moves the keyboard focus to the search field of the outline.
pub fn go_to_outline(page: PageState) {
    page.pane.set(Pane::Outline);
    page.rail.set(true);
    focus_soon(".rail input".into());
}

/// Moves the focus to the first field of the inspector, or to its first button if it has no field. On a small screen,
/// shows the inspector.
pub fn focus_inspector(page: PageState) {
    page.pane.set(Pane::Inspector);
    focus_soon_or(FIRST_FIELD, ".inspector button");
}

/// The selector of the inspector's first field.
pub const FIRST_FIELD: &str = ".inspector :is(input, select, textarea)";

/// Moves the focus to the first field of the inspector, if it is shown.
pub fn focus_first_field() {
    focus_soon(FIRST_FIELD.into());
}

/// Moves the keyboard focus to the templates of an entity's entry in an index, once they are shown.
pub fn focus_entry(entity: EntityId, index: IndexId) {
    focus_soon(format!("[data-block=\"{entity}-{index}\"] input"));
}

/// Shows an access pattern.
pub fn show_pattern(store: Store, page: PageState, id: AccessPatternId) {
    store.proofs.selected.set(Some(id));
    page.show(Tab::AccessPatterns);
    focus_soon(".pattern-list [aria-selected=true]".into());
}

/// Shows the first finding of a place.
pub fn show_problem_at(store: Store, page: PageState, place: Place) {
    let findings = store.findings;
    let is_there = |line: &&FindingRow| line.finding.place == place;
    let first = |store: Store| -> Option<FindingId> {
        let lines = untrack(move || store.listed_findings());
        lines.iter().find(is_there).map(|line| line.id)
    };
    let found = first(store).or_else(|| {
        findings.wanted.set(FindingFilter::default());
        first(store)
    });
    findings.chosen.set(found);
    page.show(Tab::Problems);
    focus_problem_list();
}

/// The selector of the chosen finding in the list of problems, or of what is shown instead of the list.
pub const IN_PROBLEM_LIST: &str =
    ".problem-list [aria-selected=true], .problems-empty, .problems-none, .problems-back";

/// Moves the keyboard focus to [`IN_PROBLEM_LIST`] in the next frame.
pub fn focus_problem_list() {
    focus_soon(IN_PROBLEM_LIST.into());
}
