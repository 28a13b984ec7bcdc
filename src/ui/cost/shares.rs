//! What each access pattern and each index takes of the bill, what one write costs in all, and what more traffic costs.

use super::bars::{amount, bar, table};
use super::sections::Shown;
use crate::ui::dom::focus::focus_if_lost;
use crate::ui::reactive::erased::{RwSignal, Show};
use crate::ui::state::navigate::show_pattern;
use crate::ui::state::page_state::{PageState, use_page};
use crate::ui::state::store::{Store, use_store};
use keyfold_core::model::IndexId;
use keyfold_cost::Report;
use keyfold_cost::bill::{Capacity, IndexShare, Mode, PatternShare};
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
    let most = move || if all.get() { usize::MAX } else { MOST };
    let patterns = move || {
        let most = most();
        report.with(|report| Some(patterns(store, page, report.as_ref()?, most)))
    };
    let writes = move || {
        let most = most();
        report.with(|report| Some(writes(report.as_ref()?, most)))
    };
    let indexes = move || report.with(|report| Some(indexes(report.as_ref()?)));
    let overloading = move || {
        let note = |text: String| view! { <p class="hint">{text}</p> }.into_any();
        report.with(|report| {
            let notes = report.as_ref()?.overloading().into_iter().map(note);
            Some(notes.collect::<Vec<AnyView>>())
        })
    };
    let count = move || report.with(|report| report.as_ref().map_or(0, |r| r.patterns.len()));
    view! {
        <section aria-labelledby="cost-shares">
            <h2 id="cost-shares" tabindex="-1">
                "Shares"
            </h2>
            <p class="hint">
                "Requests and storage at on-demand prices. The last column is what the bill of the design grows by if the rate grows by 10 %."
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
fn share(part: Option<f64>, all: f64) -> AnyView {
    let share = part.filter(|_| all > 0.0).map(|part| part / all);
    view! {
        <td class="cost-share">
            {bar(share.unwrap_or(0.0))} <span>{share.map_or("unknown".to_owned(), percent)}</span>
        </td>
    }
    .into_any()
}

fn patterns(store: Store, page: PageState, report: &Report, most: usize) -> AnyView {
    let sum: f64 = report
        .patterns
        .iter()
        .filter_map(|share| share.amount)
        .sum();
    let design = &report.model.design;
    let row = |one: &PatternShare| {
        let id = one.pattern;
        let name = design.access_patterns[&id].name.clone();
        let more = one.sensitivity.map_or("unknown".to_owned(), signed);
        view! {
            <tr>
                <th scope="row">
                    <button
                        class="cost-link"
                        title="Show this access pattern"
                        on:click=move |_| show_pattern(store, page, id)
                    >
                        {name}
                    </button>
                </th>
                {share(one.amount, sum)}
                <td class="number">{amount(one.amount)}</td>
                <td class="number">{more}</td>
            </tr>
        }
        .into_any()
    };
    let rows = report.patterns.iter().take(most).map(row).collect();
    let heads = [
        ("Access pattern", false),
        ("Share", false),
        ("A month", true),
        ("+10 % of its rate", true),
    ];
    table("Shares of the access patterns", &heads, rows)
}

fn indexes(report: &Report) -> AnyView {
    let sum: f64 = report.indexes.iter().filter_map(|share| share.amount).sum();
    let row = |one: &IndexShare| {
        let name = report.model.design.index_name(one.index).to_owned();
        view! {
            <tr>
                <th scope="row">{name}</th>
                {share(one.amount, sum)}
                <td class="number">{amount(one.amount)}</td>
                <td class="number">{whole(one.read_units)}</td>
                <td class="number">{whole(one.write_units)}</td>
                <td class="number">{short(one.gb)}</td>
            </tr>
        }
        .into_any()
    };
    let rows = report.indexes.iter().map(row).collect();
    let heads = [
        ("Table or index", false),
        ("Share", false),
        ("A month", true),
        ("Read units", true),
        ("Write units", true),
        ("GB", true),
    ];
    table("Shares of the table and indexes", &heads, rows)
}

/// Each access pattern that writes: the units of one request in the table and in the indexes.
fn writes(report: &Report, most: usize) -> AnyView {
    let model = &report.model;
    let mode = Mode::new(Capacity::OnDemand, model.design.table.class);
    let price = report.prices.price(mode.writes());
    let row = |one: &PatternShare| {
        let times = one.amplification?;
        let units = &model.patterns.get(&one.pattern)?.as_ref().ok()?.units;
        let (all, table) = (units.writes(), units.write.get(&IndexId::PRIMARY).copied()?);
        let row = view! {
            <tr>
                <th scope="row">{model.design.access_patterns[&one.pattern].name.clone()}</th>
                <td class="number">{short(table)}</td>
                <td class="number">{short(all - table)}</td>
                <td class="number">{short(all)}</td>
                <td class="number">{format!("{times:.2} ×")}</td>
                <td class="number">{amount(price.map(|price| price * all))}</td>
            </tr>
        };
        Some(row.into_any())
    };
    let rows: Vec<AnyView> = report.patterns.iter().filter_map(row).take(most).collect();
    if rows.is_empty() {
        return view! { <p class="hint">"No access pattern writes."</p> }.into_any();
    }
    let heads = [
        ("Access pattern", false),
        ("Units in the table", true),
        ("In indexes", true),
        ("In all", true),
        ("Amplification", true),
        ("A million writes", true),
    ];
    table("What one write costs", &heads, rows)
}
