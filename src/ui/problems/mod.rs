//! The linter's findings: a list to search, filter and group, and for the selected finding its meaning, its fixes and
//! a form to accept it with a reason. `state/store/findings.rs` decides when the linter runs, `app::problems` what
//! the list contains.

mod detail;
mod fix;
mod go_to_place;
mod list;
mod rule_explanation;
mod silence;

use crate::ui::canvas::handle::CanvasHandle;
use crate::ui::dom::focus::focus_if_lost;
use crate::ui::reactive::erased::{Memo, RwSignal, Show, effect, memo};
use crate::ui::reactive::on_demand::{on_demand, when_loaded};
use crate::ui::state::navigate::{IN_PROBLEM_LIST, focus_problem_list, show_tab};
use crate::ui::state::page_state::{PageState, Tab, use_page};
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::icon::{Glyph, Icon, severity_glyph};
use crate::ui::widgets::search_field::SearchField;
use detail::Detail;
use keyfold_app::problems::{FindingFilter, FindingRow, Grouping, KINDS, adjacent_finding};
use keyfold_core::lint::{RULES, Severity};
use leptos::prelude::*;
use list::List;

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
            nothing_wrong(store).into_any()
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
    let focus = document().active_element();
    if focus.is_some_and(|focus| matches!(focus.closest(".problem-list"), Ok(Some(_)))) {
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

/// The empty state.
fn nothing_wrong(store: Store) -> impl IntoView + use<> {
    let stale = store.findings.stale;
    view! {
        <div class="problems-none" role="status" tabindex="-1">
            <Show when=move || !stale.get() fallback=|| view! { <p>"Checking the design…"</p> }>
                <Icon glyph=Glyph::Check />
                <h2>"No findings"</h2>
                <p>
                    {format!(
                        "The design passes all {} rules on keys, indexes, access patterns, samples, tenants, cost and limits.",
                        RULES.len(),
                    )}
                </p>
            </Show>
        </div>
    }
}

/// The filters of the list.
#[component]
fn Filters(lines: Lines) -> impl IntoView {
    let store = use_store();
    let findings = store.findings;
    let wanted = findings.wanted;
    let severity = move |severity: Severity| {
        let pressed = move || wanted.with(|wanted| wanted.severity == Some(severity));
        let count = move || findings.count(severity);
        view! {
            <button
                class=format!("button small quiet severity {}", severity.label())
                aria-pressed=move || pressed().to_string()
                aria-label=move || format!("Show only {}", counted(severity, count()))
                title=move || format!("Show only {}", counted(severity, count()))
                on:click=move |_| {
                    let only = (!pressed()).then_some(severity);
                    wanted.update(|wanted| wanted.severity = only);
                }
            >
                <Icon glyph=severity_glyph(severity) />
                {count}
            </button>
        }
    };
    let grouping = move |grouping: Grouping| {
        view! {
            <button
                aria-pressed=move || wanted.with(|wanted| wanted.grouping == grouping).to_string()
                on:click=move |_| wanted.update(|wanted| wanted.grouping = grouping)
            >
                {grouping.label()}
            </button>
        }
    };
    let kinds: Vec<AnyView> = (KINDS.iter())
        .map(|(letter, name)| {
            view! { <option value=letter.to_string()>{format!("{letter}  {name}")}</option> }
                .into_any()
        })
        .collect();
    let silenced = memo(move |_| {
        let report = findings.report.get();
        report.findings.len() - report.open().count() + report.needless.len()
    });
    let count_text = move || match lines.with(Vec::len) {
        0 => "No results".to_owned(),
        1 => "1 finding".to_owned(),
        count => format!("{count} findings"),
    };
    view! {
        <div class="problems-bar">
            <SearchField
                label="Search findings"
                value=Signal::derive(move || wanted.with(|wanted| wanted.search.clone()))
                typed=Callback::new(move |text| wanted.update(|wanted| wanted.search = text))
            />
            <div class="severities" role="group" aria-label="Severity">
                {severity(Severity::Error)}
                {severity(Severity::Warning)}
                {severity(Severity::Info)}
            </div>
            <select
                aria-label="Kind"
                title="Kind of rule"
                prop:value=move || {
                    wanted.with(|wanted| wanted.kind.map(String::from).unwrap_or_default())
                }
                on:change=move |event| {
                    let kind = event_target_value(&event).chars().next();
                    wanted.update(|wanted| wanted.kind = kind);
                }
            >
                <option value="">"All kinds"</option>
                {kinds}
            </select>
            <div class="segmented" role="group" aria-label="Group by">
                {grouping(Grouping::Severity)}
                {grouping(Grouping::Rule)}
                {grouping(Grouping::Place)}
            </div>
            <button
                class="button small quiet"
                aria-pressed=move || wanted.with(|wanted| wanted.silenced).to_string()
                title="Findings accepted with a reason"
                on:click=move |_| wanted.update(|wanted| wanted.silenced = !wanted.silenced)
            >
                {move || format!("Silenced ({})", silenced.get())}
            </button>
            <span class="visually-hidden" role="status">
                {count_text}
            </span>
        </div>
    }
}

/// The counts in the top bar; a click opens the problems.
#[component]
pub fn ProblemCounts() -> impl IntoView {
    let (store, page) = (use_store(), use_page());
    let counts = memo(move |_| {
        (store.findings.report).with(|report| Severity::ALL.map(|one| (one, report.count(one))))
    });
    let name = move || {
        let texts = (counts.get().into_iter())
            .filter(|(_, count)| *count > 0)
            .map(|(severity, count)| counted(severity, count))
            .collect::<Vec<_>>();
        match texts.is_empty() {
            true if !store.findings.checked.get() => "Problems: not checked yet".to_owned(),
            true => "Problems: none".to_owned(),
            false => format!("Problems: {}", texts.join(", ")),
        }
    };
    let title = move || match counts.get().iter().any(|(_, count)| *count > 0) {
        true => name() + " (F8: next finding)",
        false => name(),
    };
    let shown = move || {
        let one = |(severity, count): (Severity, usize)| {
            let class = format!("severity {}", severity.label());
            view! {
                <span class=class aria-hidden="true">
                    <Icon glyph=severity_glyph(severity) />
                    {match count {
                        ..1000 => count.to_string(),
                        _ => "999+".to_owned(),
                    }}
                </span>
            }
            .into_any()
        };
        let some: Vec<AnyView> = (counts.get().into_iter())
            .filter(|(_, count)| *count > 0)
            .map(one)
            .collect();
        match some.is_empty() {
            true if !store.findings.checked.get() => "…".into_any(),
            true => view! { <Icon glyph=Glyph::Check /> }.into_any(),
            false => some.into_any(),
        }
    };
    view! {
        <button
            class="button quiet problem-counts"
            title=title
            on:click=move |_| show_tab(store, page, Tab::Problems)
        >
            <span class="visually-hidden">{name}</span>
            {shown}
        </button>
    }
}

/// Goes to the next or the previous finding.
type Step = fn(Store, PageState, CanvasHandle, isize);

on_demand!(tools, step: Step = step_now);

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

fn counted(severity: Severity, count: usize) -> String {
    let word = match (severity, count) {
        (Severity::Error, 1) => "error",
        (Severity::Error, _) => "errors",
        (Severity::Warning, 1) => "warning",
        (Severity::Warning, _) => "warnings",
        (Severity::Info, _) => "info",
    };
    format!("{count} {word}")
}
