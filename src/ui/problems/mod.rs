//! The linter's findings: a list to search, filter and group, and for the selected finding its meaning, its fixes and
//! a form to accept it with a reason. `state/store/findings.rs` decides when the linter runs, `app::problems` what
//! the list contains.

mod counts;
mod detail;
mod filters;
mod fix;
mod go_to_place;
mod list;
mod next_finding;
mod rule_explanation;
mod silence;

use crate::ui::dom::focus::{focus_if_lost, has_focus_in};
use crate::ui::reactive::erased::{Memo, RwSignal, effect, memo};
use crate::ui::state::navigate::{IN_PROBLEM_LIST, focus_problem_list};
use crate::ui::state::store::{Store, use_store};
pub use counts::ProblemCounts;
use detail::Detail;
use filters::Filters;
use keyfold_app::problems::FindingRow;
use leptos::prelude::*;
use list::List;
pub use next_finding::go_to_next;

/// The findings in the list.
type Lines = Memo<Vec<FindingRow>>;

/// The problems.
#[component]
pub fn Problems() -> impl IntoView {
    let store = use_store();
    let findings = store.findings;
    let lines: Lines = memo(move |_| store.listed_findings());
    // A small screen shows either the list or the selected finding.
    let narrow = RwSignal::new(false);
    keep_chosen(store, lines);
    let none = memo(move |_| findings.report.with(|report| report.findings.is_empty()));
    let body = move || match none.get() {
        true => {
            keep_focus();
            keep_focus_of_detail();
            list::no_findings(store).into_any()
        }
        false => view! {
            <Filters lines=lines />
            <div class="problems-body" class:detail=move || narrow.get()>
                <List lines=lines narrow=narrow />
                <Detail lines=lines narrow=narrow />
            </div>
        }
        .into_any(),
    };
    view! { <div class="problems">{body}</div> }
}

/// Before the list is redrawn: keeps the keyboard focus in it.
fn keep_focus() {
    if has_focus_in(".problem-list") {
        focus_problem_list();
    }
}

/// Before the selected finding is redrawn: if a removed element has the keyboard focus, the list gets it.
fn keep_focus_of_detail() {
    let focus = document().active_element();
    if focus.is_some_and(|focus| matches!(focus.closest(".problem-detail"), Ok(Some(_)))) {
        focus_if_lost(IN_PROBLEM_LIST);
    }
}

/// Keeps the selected finding one of the list: if it is gone, selects the one in its place.
fn keep_chosen(store: Store, lines: Lines) {
    let chosen = store.findings.chosen;
    let last = StoredValue::new(0_usize);
    effect(move || {
        let now = chosen.get();
        lines.with(
            |lines| match lines.iter().position(|line| Some(line.id) == now) {
                Some(at) => last.set_value(at),
                None => {
                    let next = lines.get(last.get_value()).or(lines.last());
                    let next = next.map(|line| line.id);
                    if next != now {
                        chosen.set(next);
                    }
                }
            },
        );
    });
}
