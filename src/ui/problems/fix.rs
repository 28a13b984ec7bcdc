//! The fix of a finding: a preview, then one command that one undo reverts.

use crate::ui::dom::focus::focus_in_sight_soon;
use crate::ui::reactive::erased::{RwSignal, Show, memo};
use crate::ui::reactive::live_output::LiveOutput;
use crate::ui::state::navigate::focus_problem_list;
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::in_code::in_code;
use keyfold_app::fixes::{self, Change, RowChange, RowChanges, preview_all};
use keyfold_core::lint::Fix;
use keyfold_core::model::capital;
use keyfold_core::slices::Slices;
use leptos::prelude::*;

/// The button of a fix and the preview that it opens. The keyboard focus goes to the Apply button, and afterwards to
/// the list.
#[component]
pub fn FixPreview(
    /// The fix.
    fix: Fix,
) -> impl IntoView {
    let store = use_store();
    let shown = RwSignal::new(false);
    let title = capital(fix.title());
    let safe = fixes::safety(std::slice::from_ref(&fix));
    let button = format!("{title}…");
    let fix = StoredValue::new(fix);
    let show = move |is_shown: bool| {
        shown.set(is_shown);
        focus_in_sight_soon(".fix button".into());
    };
    let apply = move |_| {
        let done = store.run(fixes::command(fix.get_value()));
        match done {
            Ok(()) => {
                let title = fix.with_value(|fix| fix.title());
                store.say_done(format!("Done: {title}."));
                focus_problem_list();
            }
            Err(refused) => store.notices.complain(refused.to_string()),
        }
    };
    let tried = LiveOutput::new(move || {
        follow_design(store);
        let fix = fix.get_value();
        (shown.get()).then(|| Slices::new(async move { store.try_fix(&fix) }))
    });
    let body = move || {
        Some(match &*tried.made.get()? {
            Err(refused) => view! { <p class="field-error">{refused.to_string()}</p> }.into_any(),
            Ok(tried) => {
                let changes: Vec<AnyView> = tried.preview.changes.iter().map(change).collect();
                view! {
                    <div class="fix-buttons">
                        <button
                            class="button small primary"
                            aria-describedby="fix-safe fix-design"
                            on:click=apply
                        >
                            "Apply"
                        </button>
                        <button class="button small" on:click=move |_| show(false)>
                            "Cancel"
                        </button>
                    </div>
                    <p class="hint" id="fix-safe">
                        {safe}
                    </p>
                    <div id="fix-design">{table("Design changes", "In the design", changes)}</div>
                    {rows(tried.rows.as_ref())}
                }
                .into_any()
            }
        })
    };
    view! {
        <div class="fix">
            {move || match shown.get() {
                true => {
                    view! {
                        <h3>{title.clone()}</h3>
                        {body}
                    }
                        .into_any()
                }
                false => {
                    view! {
                        <button
                            class="button small primary"
                            title="Show what would change"
                            on:click=move |_| show(true)
                        >
                            {button.clone()}
                        </button>
                    }
                        .into_any()
                }
            }}
        </div>
    }
}

/// Number of fixes that are tried without being asked for.
const FEW: usize = 60;
/// Maximum number of changes shown for all findings of a rule.
const MAX_CHANGES: usize = 12;

/// The fixes of all findings of a rule that have one, if there are several: what they change, and a button that applies
/// them as one step.
#[component]
pub fn FixAll(
    /// The code of the rule.
    code: &'static str,
) -> impl IntoView {
    let store = use_store();
    let fixes = memo(move |_| {
        store.findings.report.with(|report| {
            let found = report.open().filter(|finding| finding.code == code);
            found
                .filter_map(|finding| finding.fix.clone())
                .collect::<Vec<Fix>>()
        })
    });
    let asked = RwSignal::new(false);
    let apply = move |_| {
        let tried = store.with(|design| preview_all(design, &fixes.get_untracked()));
        let (count, refused) = (tried.fixes.len(), tried.refused.first().cloned());
        match store.run(tried.command()) {
            Ok(()) => {
                let left = refused.map_or(String::new(), |why| format!(" Not fixed: {why}."));
                store.say_done(format!("{count} findings of {code} fixed.{left}"));
                focus_problem_list();
            }
            Err(refused) => store.notices.complain(refused.to_string()),
        }
    };
    let count = memo(move |_| fixes.with(Vec::len));
    let is_tried = memo(move |_| 1 < count.get() && (asked.get() || count.get() <= FEW));
    let tried = LiveOutput::new(move || {
        follow_design(store);
        (is_tried.get()).then(|| store.try_fixes(fixes.get()))
    });
    let body = move || {
        let made = tried.made.get()?;
        let (tried, samples) = &*made;
        let safe = fixes::safety(&tried.fixes);
        let count = tried.fixes.len();
        let changes = &tried.preview.changes;
        let more = changes.len().saturating_sub(MAX_CHANGES);
        let changes: Vec<AnyView> = changes.iter().take(MAX_CHANGES).map(change).collect();
        let view = view! {
            <button
                class="button small primary"
                aria-describedby="fix-all-safe"
                disabled=count == 0
                on:click=apply
            >
                {format!("Fix all {count}")}
            </button>
            <p class="hint" id="fix-all-safe">
                {safe}
            </p>
            {table("Design changes of all fixes", "In the design", changes)}
            {(more > 0).then(|| view! { <p class="hint">{format!("and {more} more")}</p> })}
            {rows(samples.as_ref())}
        };
        Some(view)
    };
    view! {
        <Show when=move || 1 < count.get()>
            <div class="fix fix-all">
                <h3>{move || format!("All {} findings of {code}", count.get())}</h3>
                <Show
                    when=move || is_tried.get()
                    fallback=move || {
                        view! {
                            <button
                                class="button small"
                                title="Show what would change"
                                on:click=move |_| {
                                    asked.set(true);
                                    focus_in_sight_soon(".fix-all button".into());
                                }
                            >
                                "Fix all…"
                            </button>
                        }
                    }
                >
                    {body}
                </Show>
            </div>
        </Show>
    }
}

/// A fix is tried again after each edit, and once the items of the design are computed.
fn follow_design(store: Store) {
    store.revision.track();
    store.working.track();
}

/// The effect on the samples.
fn rows(changes: Option<&RowChanges>) -> AnyView {
    let Some(changes) = changes else {
        return view! { <p class="hint">"Too many items to preview their keys."</p> }.into_any();
    };
    if changes.count == 0 {
        return view! { <p class="hint">"The keys of the samples do not change."</p> }.into_any();
    }
    let left = changes.count - changes.rows.len();
    let one = |row: &RowChange| {
        line(
            &[&row.entity, ", ", &row.index].concat(),
            row.before.clone(),
            row.after.clone(),
        )
    };
    let lines: Vec<AnyView> = changes.rows.iter().map(one).collect();
    view! {
        {table("Sample changes", "In the table", lines)}
        {(left > 0).then(|| view! { <p class="hint">{format!("and {left} more")}</p> })}
    }
    .into_any()
}

fn table(name: &'static str, head: &'static str, lines: Vec<AnyView>) -> AnyView {
    if lines.is_empty() {
        return ().into_any();
    }
    view! {
        <table class="fix-changes" aria-label=name>
            <thead>
                <tr>
                    <th scope="col">{head}</th>
                    <th scope="col">"Before"</th>
                    <th scope="col">"After"</th>
                </tr>
            </thead>
            <tbody>{lines}</tbody>
        </table>
    }
    .into_any()
}

fn change(change: &Change) -> AnyView {
    line(&change.what, change.before.clone(), change.after.clone())
}

/// One change: its subject, before and after.
fn line(what: &str, before: Option<String>, after: Option<String>) -> AnyView {
    let cell = |text: Option<String>, class: &'static str| match text {
        Some(text) => view! {
            <td>
                <code class=class>{text}</code>
            </td>
        }
        .into_any(),
        None => view! { <td class="none">"–"</td> }.into_any(),
    };
    view! {
        <tr>
            <th scope="row">{in_code(what)}</th>
            {cell(before, "before")}
            {cell(after, "after")}
        </tr>
    }
    .into_any()
}
