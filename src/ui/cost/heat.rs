//! The hottest partition keys of the table and each GSI at the peak, against what a partition serves and holds, and the
//! partitions that follow.

use super::bars::table;
use super::cure::CurePreview;
use super::rows::{Cell, cells, named, rows};
use super::sections::{Shown, made};
use crate::ui::reactive::erased::{RwSignal, memo};
use crate::ui::state::store::use_store;
use crate::ui::widgets::in_code::in_code;
use keyfold_app::moved_ids::HoldsIds;
use keyfold_core::model::IndexId;
use keyfold_core::model::limits::{PARTITION_BYTES, PARTITION_READ_UNITS, PARTITION_WRITE_UNITS};
use keyfold_cost::Report;
use keyfold_cost::heat::{IndexHeat, KeyHeat, NoShards, Simulation, needed_shards};
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
    use_store().when_moved(move |moved| {
        curing.update(|curing| {
            if let Some((index, _)) = curing {
                index.follow(moved);
            }
        });
    });
    let keys = keys(report, curing);
    let partitions = partition_table(report, partitions);
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
            {partitions}
            <p class="hint">
                "Simulated: after all splits for heat and size. At least: the minimum for any distribution of the keys."
            </p>
        </section>
    }
}

/// What the row of a kind of keys shows.
#[derive(Debug, Clone, PartialEq)]
struct KeyRow {
    template: String,
    cells: Vec<Cell>,
    /// The attribute whose number of values is assumed.
    assumed: Option<String>,
    shards: Result<u32, String>,
}

fn key_rows(report: &Report) -> Vec<(Kind, KeyRow)> {
    let mut rows = Vec::new();
    for heat in &report.heat {
        let hot = |key: &KeyHeat| key.hottest.utilization() > 1.0;
        let shown = (heat.keys.iter().enumerate()).filter(|(at, key)| *at < MOST || hot(key));
        let row = |key: &KeyHeat| ((heat.index, key.kind.clone()), key_row(report, heat, key));
        rows.extend(shown.map(|(_, key)| row(key)));
    }
    rows
}

fn key_row(report: &Report, heat: &IndexHeat, key: &KeyHeat) -> KeyRow {
    let name = report.model.design.index_name(heat.index);
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
    let size = match hottest.bytes > PARTITION_BYTES && heat.collection_too_large {
        true => format!("{} GB: over 10 GB", short(hottest.bytes / GB)),
        false => format!("{} GB", short(hottest.bytes / GB)),
    };
    let read = format!("{} of {}", short(hottest.read), whole(PARTITION_READ_UNITS));
    let write = format!(
        "{} of {}",
        short(hottest.write),
        whole(PARTITION_WRITE_UNITS)
    );
    KeyRow {
        template: key.template.clone(),
        cells: vec![
            Cell::Text(name.to_owned()),
            Cell::share(share, percent(share)),
            Cell::Number(read),
            Cell::Number(write),
            Cell::Text(throttles),
            Cell::Number(size),
        ],
        assumed: key.guessed.clone(),
        shards: needed_shards(&report.model, heat.index, key).map_err(|why| match why {
            NoShards::NotNeeded => "not needed".to_owned(),
            NoShards::NoHelp => "do not help: each read must query all shards".to_owned(),
            NoShards::Impossible(reason) => format!("not possible: {reason}"),
        }),
    }
}

/// The row of a kind of keys.
fn show_key(kind: &Kind, row: &KeyRow, curing: RwSignal<Option<Kind>>) -> AnyView {
    let shards = match &row.shards {
        Err(why) => view! { <span>{in_code(why)}</span> }.into_any(),
        Ok(shards) => {
            let kind = kind.clone();
            view! {
                <button
                    class="button small primary"
                    aria-label=format!("Add {shards} shards to {}…", row.template)
                    on:click=move |_| curing.set(Some(kind.clone()))
                >
                    {format!("Add {shards} shards…")}
                </button>
            }
            .into_any()
        }
    };
    let assumed = row.assumed.as_ref().map(|attribute| {
        let text = format!(
            "number of values of `{attribute}` assumed from the samples; set its skew, such as `even of 1000 values`"
        );
        view! { <span class="hint">{in_code(&text)}</span> }
    });
    view! {
        <tr>
            <th scope="row">
                <code>{row.template.clone()}</code>
                {assumed}
            </th>
            {cells(&row.cells)}
            <td>{shards}</td>
        </tr>
    }
    .into_any()
}

/// The table of keys.
fn keys(report: Shown, curing: RwSignal<Option<Kind>>) -> AnyView {
    let all = move || made(report, key_rows);
    let show = move |kind: Kind, row: RwSignal<KeyRow>| {
        (move || row.with(|row| show_key(&kind, row, curing))).into_any()
    };
    let heads = [
        ("Hottest partition key", false),
        ("Of", false),
        ("Share of partition limit", false),
        ("Read units/s", true),
        ("Write units/s", true),
        ("Throttles", false),
        ("Item collection", true),
        ("Shards", false),
    ];
    table("Hottest partition keys", &heads, rows(all, show))
}

/// The table of partitions.
fn partition_table(report: Shown, partitions: RwSignal<Vec<(IndexId, Simulation)>>) -> AnyView {
    let all = move || {
        made(report, |report| {
            partitions.with(|found| {
                let row = |heat: &IndexHeat| (heat.index, partition_row(report, heat, found));
                report.heat.iter().map(row).collect()
            })
        })
    };
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
    table("Partitions", &heads, rows(all, named))
}

fn partition_row(
    report: &Report,
    heat: &IndexHeat,
    partitions: &[(IndexId, Simulation)],
) -> (String, Vec<Cell>) {
    let found = partitions.iter().find(|(index, _)| *index == heat.index);
    let of = |text: fn(&Simulation) -> String| {
        found.map_or("calculating".to_owned(), |(_, one)| text(one))
    };
    let bound = &heat.bound;
    let cells = [
        short(heat.read),
        short(heat.write),
        of(|one| whole(one.partitions)),
        whole(bound.partitions),
        of(|one| percent(one.utilization)),
        percent(bound.utilization),
        of(|one| short(one.throttled)),
    ];
    let name = report.model.design.index_name(heat.index).to_owned();
    (name, cells.map(Cell::Number).to_vec())
}
