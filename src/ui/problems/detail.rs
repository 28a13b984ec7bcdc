//! The selected finding: message, place, examples, fixes, and the explanation of its rule.

use super::fix::{FixAll, FixPreview};
use super::rule_explanation::Explanation;
use super::silence::Silence;
use super::{Lines, go_to_place, keep_focus_of_detail};
use crate::ui::dom::focus::focus_if_lost;
use crate::ui::reactive::erased::{RwSignal, memo};
use crate::ui::state::navigate::IN_PROBLEM_LIST;
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon, severity_glyph};
use crate::ui::widgets::in_code::in_code;
use keyfold_app::problems::FindingRow;
use leptos::prelude::*;

/// The selected finding.
#[component]
pub fn Detail(
    /// The list.
    lines: Lines,
    /// Whether it replaces the list on a small screen.
    narrow: RwSignal<bool>,
) -> impl IntoView {
    let store = use_store();
    let shown = memo(move |_| {
        let chosen = store.findings.chosen.get();
        lines.with(|lines| lines.iter().find(|line| Some(line.id) == chosen).cloned())
    });
    let body = move || {
        keep_focus_of_detail();
        shown.get().map(|line| view! { <Chosen line=line /> })
    };
    let back = move |_| {
        narrow.set(false);
        focus_if_lost(IN_PROBLEM_LIST);
    };
    // A reason being entered survives a changed message of the same finding.
    let silenced = memo(move |_| {
        shown.with(|line| {
            let line = line.as_ref()?;
            Some((line.id, line.finding.silenced.clone()))
        })
    });
    let silence = move || {
        let (id, silenced) = silenced.get()?;
        Some(view! { <Silence id=id silenced=silenced /> })
    };
    view! {
        <section class="problem-detail" aria-label="Selected finding">
            <button class="button small quiet problems-back" on:click=back>
                "← All findings"
            </button>
            {body}
            {silence}
        </section>
    }
}

#[component]
fn Chosen(line: FindingRow) -> impl IntoView {
    let handles = go_to_place::use_page_handles();
    let finding = line.finding.clone();
    let place = finding.place;
    let severity = finding.severity;
    let name = finding.rule;
    let examples: Vec<AnyView> = (finding.examples.iter())
        .map(|example| {
            view! {
                <li>
                    <code>{example.clone()}</code>
                </li>
            }
            .into_any()
        })
        .collect();
    view! {
        <header class=format!("problem-head {}", severity.label())>
            <Icon glyph=severity_glyph(severity) />
            <h2>
                <span class="problem-code">{finding.code}</span>
                " "
                {name}
            </h2>
            <span class="problem-severity">{severity.label()}</span>
        </header>
        <p class="problem-text">{in_code(&finding.message)}</p>
        {(!examples.is_empty())
            .then(|| {
                view! {
                    <ul class="problem-examples" aria-label="Examples">
                        {examples}
                    </ul>
                }
            })}
        <button
            class="button small problem-go"
            title="Go to place (Enter)"
            on:click=move |_| go_to_place::go(handles, place)
        >
            <Icon glyph=Glyph::ChevronRight />
            {line.place.clone()}
        </button>
        {finding
            .fix
            .clone()
            .map(|fix| {
                view! {
                    <FixPreview fix=fix />
                    <FixAll code=finding.code />
                }
            })}
        <Explanation code=finding.code />
    }
}
