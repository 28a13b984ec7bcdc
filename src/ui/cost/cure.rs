//! Shards for a hot partition key: what would change and what it would cost, then one command that one undo reverts.

use super::heat::Kind;
use super::sections::Shown;
use crate::ui::dom::focus::{focus_in_sight_soon, focus_soon};
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{RwSignal, effect, memo};
use crate::ui::reactive::sliced_task::{Progress, SlicedTask, When};
use crate::ui::state::store::costs::report_of;
use crate::ui::state::store::use_store;
use keyfold_app::{Command, PatternEdit, WorkloadEdit, apply};
use keyfold_core::model::{Design, KeyPart};
use keyfold_cost::Report;
use keyfold_cost::heat::{Cure, KeyHeat, cure, utilization};
use keyfold_cost::report::{percent, short, signed};
use leptos::prelude::*;
use std::sync::Arc;

/// The most shards that can be typed.
const MOST: u32 = 10_000;

/// The preview of shards for a kind of keys.
#[component]
pub fn CurePreview(
    report: Shown,
    /// The kind of keys.
    kind: Kind,
    /// The kind that is previewed; `None` closes the preview.
    curing: RwSignal<Option<Kind>>,
) -> impl IntoView {
    let store = use_store();
    let proposed = report.with_untracked(|report| key_of(report.as_ref()?, &kind)?.shards);
    let template = report.with_untracked(|report| {
        let key = key_of(report.as_ref()?, &kind)?;
        Some(key.template.clone())
    });
    let title = format!("Shards for {}", template.unwrap_or_default());
    let shards = RwSignal::new(proposed.unwrap_or(2).max(2));
    // Compared by value: the preview stays the same while it shows the same.
    let found: Signal<Option<Result<Cure, String>>> = {
        let kind = kind.clone();
        let found = memo(move |_| {
            report.with(|report| {
                let report = report.as_ref()?;
                let key = key_of(report, &kind)?;
                Some(cure(&report.model, kind.0, key, shards.get()))
            })
        });
        Signal::derive(move || found.get())
    };
    // The design with the shards is computed in slices.
    let after: RwSignal<Option<ByPtr<Report>>> = RwSignal::new(None);
    let task = SlicedTask::new();
    effect(move || {
        store.revision.track();
        after.set(None);
        task.cancel();
        let Some(Ok(cure)) = found.get() else { return };
        let tried = store.with(|design| apply(design, command(design, &cure)));
        let Ok(design) = tried else { return };
        let mut work = report_of(design);
        task.start(When::Soon, move |slice| match slice.run(|| work.step()) {
            None => Progress::Unfinished,
            Some(report) => {
                after.set(Some(ByPtr(Arc::new(report))));
                Progress::Finished
            }
        });
    });
    let close = move || {
        curing.set(None);
        focus_soon("#cost-heat".into());
    };
    let run = move |_| {
        let Some(Ok(cure)) = found.get_untracked() else {
            return;
        };
        let command = store.with(|design| command(design, &cure));
        match store.run(command) {
            Ok(()) => {
                let shards = cure.shards;
                close();
                store.say_done(format!("Done: {shards} shards added."));
            }
            Err(refused) => store.notices.complain(refused.to_string()),
        }
    };
    let body = {
        let kind = kind.clone();
        move || {
            let found = found.get()?;
            let cure = match found {
                Ok(cure) => cure,
                Err(reason) => {
                    return Some(
                        view! {
                            <p class="field-error" role="status">
                                {format!("Cannot be sharded: {reason}.")}
                            </p>
                        }
                        .into_any(),
                    );
                }
            };
            report.with(|report| Some(changes(report.as_ref()?, &kind, &cure)))
        }
    };
    let figures = move || {
        report.with(|now| {
            after.with(|after| {
                let (now, after) = (now.as_ref()?, after.as_ref()?);
                let (before, total) = (&now.bill().total, &after.bill().total);
                let difference = match before.is_complete() && total.is_complete() {
                    true => format!(" ({})", signed(total.dollars - before.dollars)),
                    false => String::new(),
                };
                Some(format!(
                    "{before} now, {total} with the shards{difference}."
                ))
            })
        })
    };
    let refused = move || matches!(found.get(), None | Some(Err(_)));
    focus_in_sight_soon(".cost-cure input".into());
    view! {
        <div class="cost-cure" role="group" aria-label=title.clone()>
            <h3>{title.clone()}</h3>
            <div class="fix-buttons">
                <label>
                    "Shards "
                    <input
                        type="number"
                        min="2"
                        max=MOST.to_string()
                        prop:value=move || shards.get().to_string()
                        on:input=move |event| {
                            if let Ok(number) = event_target_value(&event).parse::<u32>()
                                && (2..=MOST).contains(&number)
                            {
                                shards.set(number);
                            }
                        }
                    />
                </label>
                <button class="button small primary" disabled=refused on:click=run>
                    {move || format!("Apply {} shards", shards.get())}
                </button>
                <button class="button small" on:click=move |_| close()>
                    "Cancel"
                </button>
            </div>
            {body}
            <p>"Monthly cost: " {move || figures().unwrap_or("calculating…".into())}</p>
            <p class="hint">
                "Changes stored keys. Apply it to an empty table, or together with a migration."
            </p>
        </div>
    }
}

fn key_of<'a>(report: &'a Report, (index, kind): &Kind) -> Option<&'a KeyHeat> {
    let heat = report.heat.iter().find(|heat| heat.index == *index)?;
    heat.keys.iter().find(|key| key.kind == *kind)
}

/// The templates and access patterns that change, and the load of the hottest shard.
fn changes(report: &Report, kind: &Kind, cure: &Cure) -> AnyView {
    let design = &report.model.design;
    let mut rows: Vec<AnyView> = Vec::new();
    for edit in &cure.templates {
        let entity = design.entities.get(&edit.entity);
        let name = entity.map_or(String::new(), |entity| entity.name.clone());
        rows.push(row(name, &edit.before, &edit.after, "1 write".to_owned()));
    }
    for edit in &cure.patterns {
        let name = design.access_patterns[&edit.pattern].name.clone();
        let requests = match edit.requests {
            1 => "1 request".to_owned(),
            many => format!("{many} requests, one for each shard"),
        };
        rows.push(row(name, &edit.before, &edit.after, requests));
    }
    let now = key_of(report, kind).map(|key| key.hottest);
    let line = |read: f64, write: f64| {
        format!(
            "{} read units/s, {} write units/s, {} of a partition",
            short(read),
            short(write),
            percent(utilization(read, write))
        )
    };
    let now = now.map_or(String::new(), |now| line(now.read, now.write));
    view! {
        <div class="cost-scroll">
            <table class="fix-changes">
                <thead>
                    <tr>
                        <th scope="col">"Entity or access pattern"</th>
                        <th scope="col">"Before"</th>
                        <th scope="col">"After"</th>
                        <th scope="col">"Fan-out"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <dl class="cost-pairs">
            <dt>"Hottest key now"</dt>
            <dd>{now}</dd>
            <dt>"Hottest shard"</dt>
            <dd>{line(cure.read, cure.write)}</dd>
        </dl>
    }
    .into_any()
}

fn row(name: String, before: &str, after: &str, requests: String) -> AnyView {
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td>
                <code class="before">{before.to_owned()}</code>
            </td>
            <td>
                <code class="after">{after.to_owned()}</code>
            </td>
            <td>{requests}</td>
        </tr>
    }
    .into_any()
}

/// The command that adds the shards: the templates, the access patterns that follow, and their traffic.
fn command(design: &Design, cure: &Cure) -> Command {
    let mut commands = Vec::new();
    for edit in &cure.templates {
        commands.push(Command::SetTemplate {
            entity: edit.entity,
            index: cure.index,
            part: KeyPart::Partition,
            text: Some(edit.after.clone()),
        });
    }
    for followed in cure.follow(design) {
        let id = followed.pattern;
        commands.push(Command::Pattern(PatternEdit::Update {
            id,
            pattern: Box::new(followed.after),
            field: "partition key".into(),
        }));
        commands.push(Command::Workload(WorkloadEdit::Traffic {
            id,
            traffic: Box::new(followed.traffic),
            field: "average rate".into(),
        }));
    }
    Command::Together {
        label: "add shards",
        commands,
    }
}
