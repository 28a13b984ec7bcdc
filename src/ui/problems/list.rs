//! The list of findings: one line each, under headings.

use super::{Lines, go_to_place, keep_focus};
use crate::ui::dom::focus::focus_if_lost;
use crate::ui::reactive::erased::{For, RwSignal, Show, effect, memo};
use crate::ui::reactive::gradual::gradually;
use crate::ui::reactive::later::View;
use crate::ui::state::navigate::{IN_PROBLEM_LIST, focus_problem_list};
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::icon::{Glyph, Icon, severity_glyph};
use crate::ui::widgets::in_code::in_code;
use keyfold_app::Command;
use keyfold_app::problems::{FindingFilter, FindingRow, adjacent_finding};
use keyfold_core::lint::{Place, RULES};
use keyfold_core::model::Silenced;
use leptos::ev;
use leptos::html::Ul;
use leptos::prelude::*;

/// Maximum number of lines drawn until the user shows all.
const MAX_ROWS: usize = 200;

/// The content of one line.
enum Line {
    /// A heading and the number of findings below it.
    Heading(String, usize),
    /// A finding.
    Row(Box<FindingRow>),
}

/// The list.
#[component]
pub fn List(
    /// Its content.
    lines: Lines,
    /// Set when the user selects one on a small screen.
    narrow: RwSignal<bool>,
) -> impl IntoView {
    let store = use_store();
    let handles = go_to_place::use_page_handles();
    let findings = store.findings;
    let chosen = findings.chosen;
    let all = RwSignal::new(false);
    let choose = move |line: &FindingRow| {
        chosen.set(Some(line.id));
        go_to_place::show(store, handles.canvas, line.finding.place);
    };
    let go = move |step: isize| {
        let next = lines.with_untracked(|lines| {
            let at = lines
                .iter()
                .position(|line| Some(line.id) == chosen.get_untracked());
            match (at, step) {
                // The ends do not wrap around.
                (Some(0), -1) => None,
                (Some(at), 1) if at + 1 == lines.len() => None,
                (_, isize::MIN) => lines.first().cloned(),
                (_, isize::MAX) => lines.last().cloned(),
                _ => adjacent_finding(lines, chosen.get_untracked(), step).cloned(),
            }
        });
        if let Some(line) = next {
            choose(&line);
            focus_problem_list();
        }
    };
    let key = move |event: ev::KeyboardEvent| {
        match event.key().as_str() {
            "ArrowDown" => go(1),
            "ArrowUp" => go(-1),
            "Home" => go(isize::MIN),
            "End" => go(isize::MAX),
            "Enter" => {
                let line = lines.with_untracked(|lines| {
                    let is_it = |line: &&FindingRow| Some(line.id) == chosen.get_untracked();
                    lines.iter().find(is_it).map(|line| line.finding.place)
                });
                if let Some(place) = line {
                    go_to_place::go(handles, place);
                }
            }
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    // Also the chosen finding, wherever it is.
    let wanted = memo(move |_| {
        let chosen = chosen.get();
        lines.with(|lines| match all.get() {
            true => lines.len(),
            false => {
                let at = lines.iter().position(|line| Some(line.id) == chosen);
                let blocks = at.unwrap_or_default() / MAX_ROWS + 1;
                lines.len().min(blocks * MAX_ROWS)
            }
        })
    });
    let most = gradually(move || wanted.get());
    let drawn = move || {
        keep_focus();
        let most = most.get();
        lines.with(|lines| {
            let mut drawn: Vec<Line> = Vec::new();
            let mut heading: Option<&str> = None;
            for line in lines.iter().take(most) {
                if heading != Some(&*line.heading) {
                    heading = Some(&*line.heading);
                    let same = lines.iter().filter(|other| other.heading == line.heading);
                    drawn.push(Line::Heading(line.heading.clone(), same.count()));
                }
                drawn.push(Line::Row(Box::new(line.clone())));
            }
            drawn
        })
    };
    let name = |line: &Line| match line {
        Line::Heading(text, count) => format!("{text} {count}"),
        Line::Row(line) => {
            let finding = &line.finding;
            let severity = finding.severity.label();
            format!(
                "{:?} {severity} {} {}",
                line.id, line.place, finding.message
            )
        }
    };
    let more = memo(move |_| {
        let count = lines.with(Vec::len);
        (count > wanted.get()).then_some(count)
    });
    let list: NodeRef<Ul> = NodeRef::new();
    let view = View::new();
    effect(move || {
        chosen.track();
        // It may be mounted later.
        most.track();
        view.next_frame(move || reveal(list.try_get_untracked().flatten()));
    });
    view! {
        <div class="problem-list">
            <ul node_ref=list role="listbox" aria-label="Findings" on:keydown=key>
                <For each=drawn key=name let:line>
                    {match line {
                        Line::Heading(text, count) => {
                            view! {
                                <li class="problem-heading" role="presentation">
                                    {text}
                                    <span class="count">{count}</span>
                                </li>
                            }
                                .into_any()
                        }
                        Line::Row(line) => view! { <Row line=*line narrow=narrow /> }.into_any(),
                    }}
                </For>
            </ul>
            {move || {
                more.get()
                    .map(|count| {
                        view! {
                            <button class="button small" on:click=move |_| all.set(true)>
                                {format!("Show all {count}")}
                            </button>
                        }
                    })
            }}
            <Show when=move || lines.with(Vec::is_empty)>
                <p class="problems-empty" tabindex="-1">
                    {move || match findings.open() {
                        0 if !findings.wanted.with(|wanted| wanted.silenced) => {
                            "No open findings: all are silenced with a reason."
                        }
                        _ => "No results. ",
                    }}
                    <Show when=move || {
                        findings.wanted.with(|wanted| *wanted != FindingFilter::default())
                    }>
                        <button
                            class="link"
                            on:click=move |_| findings.wanted.set(FindingFilter::default())
                        >
                            "Show all"
                        </button>
                    </Show>
                </p>
            </Show>
            <Show when=move || {
                findings.wanted.with(|wanted| wanted.silenced)
            }>{move || needless(store)}</Show>
        </div>
    }
}

#[component]
fn Row(line: FindingRow, narrow: RwSignal<bool>) -> impl IntoView {
    let store = use_store();
    let handles = go_to_place::use_page_handles();
    let chosen = store.findings.chosen;
    let id = line.id;
    let finding = line.finding;
    let current = memo(move |_| chosen.get() == Some(id));
    let place = finding.place;
    view! {
        <li
            class=format!("problem {}", finding.severity.label())
            role="option"
            aria-selected=move || current.get().to_string()
            tabindex=move || if current.get() { "0" } else { "-1" }
            on:click=move |_| {
                chosen.set(Some(id));
                narrow.set(true);
                focus_if_lost(IN_PROBLEM_LIST);
                go_to_place::show(store, handles.canvas, place);
            }
            on:dblclick=move |_| go_to_place::go(handles, place)
        >
            <Icon glyph=severity_glyph(finding.severity) />
            <span class="visually-hidden">{finding.severity.label()}</span>
            <span class="problem-code">{finding.code}</span>
            <span class="problem-message">{in_code(&finding.message)}</span>
            <span class="problem-place">{line.place}</span>
        </li>
    }
}

/// The silences without a finding.
fn needless(store: Store) -> AnyView {
    let found: Vec<Silenced> = store.findings.report.with(|report| {
        let of = |at: &usize| store.with(|design| design.silenced.get(*at).cloned());
        report.needless.iter().filter_map(of).collect()
    });
    if found.is_empty() {
        return ().into_any();
    }
    let one = |silenced: Silenced| {
        let place = silenced.place.parse::<Place>();
        let place = place.map(|place| store.with(|design| place.describe(design)));
        let text = [
            &*silenced.code,
            " ",
            &place.unwrap_or_default(),
            ": ",
            &silenced.reason,
        ]
        .concat();
        view! {
            <li class="problem-needless">
                <span>{text}</span>
                <button
                    class="button small"
                    on:click=move |_| {
                        store
                            .perform(Command::Unsilence {
                                code: silenced.code.clone(),
                                place: silenced.place.clone(),
                            });
                    }
                >
                    "Remove"
                </button>
            </li>
        }
        .into_any()
    };
    let rows: Vec<AnyView> = found.into_iter().map(one).collect();
    view! {
        <h2 class="problem-heading">"Silenced, but no longer found"</h2>
        <ul>{rows}</ul>
    }
    .into_any()
}

/// Scrolls the list by the minimum that shows the selected finding.
fn reveal(list: Option<web_sys::HtmlUListElement>) {
    let Some(list) = list else { return };
    let Some(frame) = list.parent_element() else {
        return;
    };
    if let Ok(Some(row)) = list.query_selector("[aria-selected=true]") {
        let (seen, row) = (
            frame.get_bounding_client_rect(),
            row.get_bounding_client_rect(),
        );
        // There may be a heading above it.
        let before = (seen.top() + 28.0 - row.top()).max(0.0);
        let after = (row.bottom() + 2.0 - seen.bottom()).max(0.0);
        frame.set_scroll_top(frame.scroll_top() + (after - before).round() as i32);
    }
}

/// What stands in place of the list while there are no findings.
pub fn no_findings(store: Store) -> impl IntoView + use<> {
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
