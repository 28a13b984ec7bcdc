//! The hottest partition keys of the table and each GSI at the peak, against what a partition serves and holds, and the
//! partitions that follow.

use super::bars::{bar, table};
use super::cure::CurePreview;
use super::sections::Shown;
use crate::ui::reactive::erased::{RwSignal, memo};
use keyfold_core::model::IndexId;
use keyfold_core::model::limits::{PARTITION_BYTES, PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};
use keyfold_cost::Report;
use keyfold_cost::heat::{IndexHeat, KeyHeat, Simulation};
use keyfold_cost::model::GB;
use keyfold_cost::report::{percent, short, whole};
use leptos::prelude::*;

/// The kinds of keys that are shown of the table and each index, and those that throttle.
const MOST: usize = 3;

/// A kind of partition keys of the table or a GSI.
pub type Kind = (IndexId, String);

/// The heat.
#[component]
pub fn HeatSection(
    report: Shown,
    /// The simulated partitions.
    partitions: RwSignal<Vec<(IndexId, Simulation)>>,
) -> impl IntoView {
    // The kind of keys whose shards are proposed.
    let curing: RwSignal<Option<Kind>> = RwSignal::new(None);
    let keys = move || report.with(|report| Some(keys(report.as_ref()?, curing)));
    let rows = move || {
        report.with(|report| {
            partitions.with(|partitions| Some(partition_rows(report.as_ref()?, partitions)))
        })
    };
    let cure = memo(move |_| curing.get());
    let preview = move || {
        let kind = cure.get()?;
        Some(view! { <CurePreview report=report kind=kind curing=curing /> })
    };
    let hint = format!(
        "All access patterns are at their peaks. A partition serves {} read units and {} write units per second, and holds 10 GB.",
        whole(PARTITION_READ_UNITS),
        whole(PARTITION_WRITE_UNITS)
    );
    view! {
        <section class="cost-wide" aria-labelledby="cost-heat">
            <h2 id="cost-heat" tabindex="-1">
                "Heat"
            </h2>
            <p class="hint">{hint}</p>
            {keys}
            {preview}
            <h3>"Partitions"</h3>
            {rows}
            <p class="hint">
                "Simulated: after all splits for heat and size. At least: what any distribution of the keys comes to."
            </p>
        </section>
    }
}

fn keys(report: &Report, curing: RwSignal<Option<Kind>>) -> AnyView {
    let mut rows: Vec<AnyView> = Vec::new();
    for heat in &report.heat {
        let name = report.model.design.index_name(heat.index);
        let hot = |key: &KeyHeat| key.hottest.utilization() > 1.0;
        let shown = (heat.keys.iter().enumerate()).filter(|(at, key)| *at < MOST || hot(key));
        for (_, key) in shown {
            rows.push(key_row(name, heat, key, curing));
        }
    }
    let heads = [
        ("Hottest partition key", false),
        ("Of", false),
        ("Of what a partition serves", false),
        ("Read units/s", true),
        ("Write units/s", true),
        ("Throttles", false),
        ("Item collection", true),
        ("Shards", false),
    ];
    table("Hottest partition keys", &heads, rows)
}

fn key_row(name: &str, heat: &IndexHeat, key: &KeyHeat, curing: RwSignal<Option<Kind>>) -> AnyView {
    let hottest = &key.hottest;
    let share = hottest.utilization();
    let throttles = match key.throttles_at {
        None => "no load".to_owned(),
        Some(times) if times < 1.0 => {
            format!("throttles now: it serves {} of the traffic", percent(times))
        }
        Some(times) if times < 100.0 => format!("throttles at {} times the traffic", short(times)),
        Some(times) if times < 1e6 => format!("throttles at {} times the traffic", whole(times)),
        Some(_) => "beyond a million times the traffic".to_owned(),
    };
    let kind = (heat.index, key.kind.clone());
    let template = key.template.clone();
    let shards = match key.shards {
        Some(0 | 1) => "not needed".into_any(),
        None if share > 1.0 => "do not help: each read takes all of them".into_any(),
        None => "not needed".into_any(),
        Some(shards) => view! {
            <button
                class="button small primary"
                aria-label=format!("Add {shards} shards to {template}…")
                on:click=move |_| curing.set(Some(kind.clone()))
            >
                {format!("Add {shards} shards…")}
            </button>
        }
        .into_any(),
    };
    let size = match hottest.bytes > PARTITION_BYTES && heat.collection_too_large {
        true => format!("{} GB: over 10 GB", short(hottest.bytes / GB)),
        false => format!("{} GB", short(hottest.bytes / GB)),
    };
    view! {
        <tr>
            <th scope="row">
                <code>{key.template.clone()}</code>
            </th>
            <td>{name.to_owned()}</td>
            <td class="cost-share">{bar(share)} <span>{percent(share)}</span></td>
            <td class="number">
                {format!("{} of {}", short(hottest.read), whole(PARTITION_READ_UNITS))}
            </td>
            <td class="number">
                {format!("{} of {}", short(hottest.write), whole(PARTITION_WRITE_UNITS))}
            </td>
            <td>{throttles}</td>
            <td class="number">{size}</td>
            <td>{shards}</td>
        </tr>
    }
    .into_any()
}

fn partition_rows(report: &Report, partitions: &[(IndexId, Simulation)]) -> AnyView {
    let row = |heat: &IndexHeat| {
        let found = partitions.iter().find(|(index, _)| *index == heat.index);
        let of = |text: fn(&Simulation) -> String| {
            found.map_or("calculating".to_owned(), |(_, one)| text(one))
        };
        let bound = &heat.bound;
        view! {
            <tr>
                <th scope="row">{report.model.design.index_name(heat.index).to_owned()}</th>
                <td class="number">{short(heat.read)}</td>
                <td class="number">{short(heat.write)}</td>
                <td class="number">{of(|one| whole(one.partitions))}</td>
                <td class="number">{whole(bound.partitions)}</td>
                <td class="number">{of(|one| percent(one.utilization))}</td>
                <td class="number">{percent(bound.utilization)}</td>
                <td class="number">{of(|one| short(one.throttled))}</td>
            </tr>
        }
        .into_any()
    };
    let rows: Vec<AnyView> = report.heat.iter().map(row).collect();
    let heads = [
        ("Table or index", false),
        ("Read units/s", true),
        ("Write units/s", true),
        ("Partitions, simulated", true),
        ("Partitions, at least", true),
        ("Hottest one, simulated", true),
        ("Hottest one, at least", true),
        ("Throttled units/s", true),
    ];
    table("Partitions", &heads, rows)
}
