//! What each access pattern and each index takes of the bill, what one write costs in all, and what more traffic costs.

use super::bars::{amount, table};
use super::rows::{Cell, cells, named, rows};
use super::sections::{Shown, made};
use crate::ui::dom::focus::focus_if_lost;
use crate::ui::reactive::erased::{RwSignal, Show, memo};
use crate::ui::state::navigate::show_pattern;
use crate::ui::state::page_state::{PageState, use_page};
use crate::ui::state::store::{Store, use_store};
use keyfold_core::model::{AccessPatternId, IndexId};
use keyfold_cost::Report;
use keyfold_cost::bill::{IndexShare, PatternShare};
use keyfold_cost::report::{percent, short, signed, whole};
use leptos::prelude::*;

/// The access patterns that are shown at first.
const MOST: usize = 12;

/// The shares.
#[component]
pub fn Shares(report: Shown) -> impl IntoView {
    let store = use_store();
    let page = use_page();
    let all = RwSignal::new(false);
    let writes = memo(move |_| {
        report.with(|report| {
            report
                .as_ref()
                .is_some_and(|report| writes(report).next().is_some())
        })
    });
    let most = move || if all.get() { usize::MAX } else { MOST };
    let patterns = patterns(store, page, report, most);
    let writes = move || match writes.get() {
        false => view! { <p class="hint">"No access pattern writes."</p> }.into_any(),
        true => write_rows(report, most),
    };
    let indexes = indexes(report);
    let overloading = move || {
        let note = |text: String| view! { <p class="hint">{text}</p> }.into_any();
        made(report, |report| {
            let notes = report.overloading().into_iter().map(note);
            notes.collect::<Vec<AnyView>>()
        })
    };
    let count = move || made(report, |report| report.patterns.len());
    view! {
        <section aria-labelledby="cost-shares">
            <h2 id="cost-shares" tabindex="-1">
                "Shares"
            </h2>
            <p class="hint">
                "Requests and storage at on-demand prices, with all replicas. The last column shows how much the monthly bill grows if the rate grows by 10%."
            </p>
            {patterns}
            <Show when=move || MOST < count() && !all.get()>
                <button
                    class="button small"
                    on:click=move |_| {
                        all.set(true);
                        focus_if_lost("#cost-shares");
                    }
                >
                    {move || format!("Show all {} access patterns", count())}
                </button>
            </Show>
            <h3>"Table and indexes"</h3>
            {indexes}
            {overloading}
        </section>
        <section aria-labelledby="cost-writes">
            <h2 id="cost-writes">"What one write costs"</h2>
            {writes}
        </section>
    }
}

/// The bar and the percentage of a part.
fn share(part: Option<f64>, all: f64) -> Cell {
    let share = part.filter(|_| all > 0.0).map(|part| part / all);
    let text = share.map_or("unknown".to_owned(), percent);
    Cell::share(share.unwrap_or(0.0), text)
}

fn patterns(
    store: Store,
    page: PageState,
    report: Shown,
    most: impl Fn() -> usize + Send + Sync + 'static,
) -> AnyView {
    let row = |report: &Report, one: &PatternShare, sum: f64| {
        let name = report.model.design.access_patterns[&one.pattern]
            .name
            .clone();
        let more = one.sensitivity.map_or("unknown".to_owned(), signed);
        let cells = vec![
            share(one.amount, sum),
            Cell::Number(amount(one.amount)),
            Cell::Number(more),
        ];
        (one.pattern, (name, cells))
    };
    let all = move || {
        let most = most();
        made(report, |report| {
            let amounts = report.patterns.iter().filter_map(|share| share.amount);
            let sum: f64 = amounts.sum();
            let shown = report.patterns.iter().take(most);
            shown.map(|one| row(report, one, sum)).collect()
        })
    };
    let show = move |id: AccessPatternId, row: RwSignal<(String, Vec<Cell>)>| {
        let row = move || {
            row.with(|(name, others)| {
                view! {
                    <tr>
                        <th scope="row">
                            <button
                                class="cost-link"
                                title="Show this access pattern"
                                on:click=move |_| show_pattern(store, page, id)
                            >
                                {name.clone()}
                            </button>
                        </th>
                        {cells(others)}
                    </tr>
                }
                .into_any()
            })
        };
        row.into_any()
    };
    let heads = [
        ("Access pattern", false),
        ("Share", false),
        ("A month", true),
        ("+10% of its rate", true),
    ];
    table("Shares of the access patterns", &heads, rows(all, show))
}

fn indexes(report: Shown) -> AnyView {
    let row = |report: &Report, one: &IndexShare, sum: f64| {
        let name = report.model.design.index_name(one.index).to_owned();
        let cells = vec![
            share(one.amount, sum),
            Cell::Number(amount(one.amount)),
            Cell::Number(whole(one.read_units)),
            Cell::Number(whole(one.write_units)),
            Cell::Number(short(one.gb)),
        ];
        (one.index, (name, cells))
    };
    let all = move || {
        made(report, |report| {
            let sum: f64 = report.indexes.iter().filter_map(|share| share.amount).sum();
            report
                .indexes
                .iter()
                .map(|one| row(report, one, sum))
                .collect()
        })
    };
    let heads = [
        ("Table or index", false),
        ("Share", false),
        ("A month", true),
        ("Read units", true),
        ("Write units", true),
        ("GB", true),
    ];
    table("Shares of the table and indexes", &heads, rows(all, named))
}

/// Each access pattern that writes, with its write units in the table and in all, and the second by the first.
fn writes(report: &Report) -> impl Iterator<Item = (&PatternShare, [f64; 3])> {
    report.patterns.iter().filter_map(|one| {
        let times = one.amplification?;
        let units = &report
            .model
            .patterns
            .get(&one.pattern)?
            .as_ref()
            .ok()?
            .units;
        let table = units.write.get(&IndexId::PRIMARY).copied()?;
        Some((one, [table, units.writes(), times]))
    })
}

/// Each access pattern that writes: the units of one request in the table and in the indexes.
fn write_rows(report: Shown, most: impl Fn() -> usize + Send + Sync + 'static) -> AnyView {
    let all = move || {
        let most = most();
        made(report, |report| {
            let design = &report.model.design;
            let row = |(one, [table, all, times]): (&PatternShare, [f64; 3])| {
                let cells = vec![
                    Cell::Number(short(table)),
                    Cell::Number(short(all - table)),
                    Cell::Number(short(all)),
                    Cell::Number(format!("{times:.2} ×")),
                    Cell::Number(amount(one.million)),
                ];
                let name = design.access_patterns[&one.pattern].name.clone();
                (one.pattern, (name, cells))
            };
            writes(report).take(most).map(row).collect()
        })
    };
    let heads = [
        ("Access pattern", false),
        ("Units in the table", true),
        ("In indexes", true),
        ("In all", true),
        ("Amplification", true),
        ("A million writes", true),
    ];
    table("What one write costs", &heads, rows(all, named))
}
