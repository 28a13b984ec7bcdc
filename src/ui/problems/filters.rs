//! The filters of the list of findings: search, severity, kind of rule, grouping, silenced ones.

use super::Lines;
use super::counts::counted;
use crate::ui::reactive::erased::memo;
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Icon, severity_glyph};
use crate::ui::widgets::search_field::SearchField;
use keyfold_app::problems::{Grouping, KINDS};
use keyfold_core::lint::Severity;
use leptos::prelude::*;

/// The filters of the list.
#[component]
pub fn Filters(
    /// The list.
    lines: Lines,
) -> impl IntoView {
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
