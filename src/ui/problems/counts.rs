//! The number of findings of each severity, in the top bar.

use crate::ui::reactive::erased::memo;
use crate::ui::state::navigate::show_tab;
use crate::ui::state::page_state::{Tab, use_page};
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon, severity_glyph};
use keyfold_core::lint::Severity;
use leptos::prelude::*;

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

/// A number of findings in words, such as `2 warnings`.
pub fn counted(severity: Severity, count: usize) -> String {
    let word = match (severity, count) {
        (Severity::Error, 1) => "error",
        (Severity::Error, _) => "errors",
        (Severity::Warning, 1) => "warning",
        (Severity::Warning, _) => "warnings",
        (Severity::Info, _) => "info",
    };
    format!("{count} {word}")
}
