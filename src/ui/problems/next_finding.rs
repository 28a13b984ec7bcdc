//! F8 and Shift+F8: the next and the previous finding.

use super::go_to_place;
use crate::ui::canvas::handle::CanvasHandle;
use crate::ui::reactive::on_demand::{on_demand, when_loaded};
use crate::ui::state::navigate::focus_problem_list;
use crate::ui::state::page_state::{PageState, Tab};
use crate::ui::state::store::Store;
use keyfold_app::problems::{FindingFilter, adjacent_finding};
use leptos::prelude::*;

/// Goes to the next or the previous finding.
type GoToFinding = fn(Store, PageState, CanvasHandle, isize);

on_demand!(tools, step: GoToFinding = step_now);

/// Selects the next or the previous finding of the list, shows its place and announces it.
pub fn go_to_next(store: Store, page: PageState, canvas: CanvasHandle, by: isize) {
    when_loaded(store.view, step(), move |step| match step {
        Ok(step) => step(store, page, canvas, by),
        Err(error) => store.notices.say(format!("Cannot show findings: {error}.")),
    });
}

fn step_now(store: Store, page: PageState, canvas: CanvasHandle, by: isize) {
    let findings = store.findings;
    // A filter without results would leave nowhere to go.
    if untrack(move || store.listed_findings()).is_empty() {
        findings.wanted.set(FindingFilter::default());
    }
    let lines = untrack(move || store.listed_findings());
    let from = findings.chosen.get_untracked();
    let Some(line) = adjacent_finding(&lines, from, by) else {
        return store.notices.say("No findings.");
    };
    let at = lines.iter().position(|other| other.id == line.id);
    findings.chosen.set(Some(line.id));
    page.show(Tab::Problems);
    go_to_place::show(store, canvas, line.finding.place);
    focus_problem_list();
    store.spoken.set(format!(
        "Finding {} of {}: {} {}, {}. {}",
        at.map_or(0, |at| at + 1),
        lines.len(),
        line.finding.severity.label(),
        line.finding.code,
        line.place,
        line.finding.message
    ));
}
