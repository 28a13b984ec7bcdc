//! The total of a month, what is missing from it, the four modes side by side, and the findings.

use super::bars::table;
use super::sections::{Shown, WORKLOAD, go_to};
use crate::ui::reactive::erased::RwSignal;
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::in_code::in_code;
use keyfold_core::lint::Finding;
use keyfold_cost::Report;
use keyfold_cost::bill::{Bill, Mode, dollars};
use keyfold_cost::report::signed;
use leptos::prelude::*;
use std::sync::Arc;
use web_sys::HtmlInputElement;

/// The most months ahead.
const MOST_MONTHS: u32 = 60;

/// The overview.
#[component]
pub fn Overview(report: Shown, months: RwSignal<u32>) -> impl IntoView {
    let total = move || report.with(|report| report.as_ref().map(|report| total(report)));
    let missing = move || report.with(|report| report.as_ref().map(|report| missing(report)));
    let assumed = move || {
        report.with(|report| {
            let model = &report.as_ref()?.model;
            let (assumed, all) = model.assumptions.assumed(&model.design);
            Some(match assumed {
                0 => format!("All {all} figures of the workload are set. "),
                _ => format!(
                    "{assumed} of {all} figures are assumed: rates are fixed assumptions, the rest follows from the samples. "
                ),
            })
        })
    };
    let then = move || {
        report.with(|report| {
            let last = report.as_ref()?.ahead.last()?;
            Some(format!("{last} a month"))
        })
    };
    let modes = move || report.with(|report| report.as_ref().map(|report| modes(report)));
    let findings = move || report.with(|report| report.as_ref().map(|report| findings(report)));
    view! {
        <section aria-labelledby="cost-overview">
            <h2 id="cost-overview" tabindex="-1">
                "Overview"
            </h2>
            {total}
            {missing}
            <p>
                {assumed} <button class="cost-link" on:click=move |_| go_to(WORKLOAD)>
                    "Change the workload"
                </button>
            </p>
            <p class="cost-months">
                <label>
                    "Months ahead "
                    <input
                        type="number"
                        min="0"
                        max=MOST_MONTHS.to_string()
                        value=months.get_untracked().to_string()
                        on:input=move |event| {
                            if let Ok(number) = event_target_value(&event).parse::<f64>() {
                                months.set((number as u32).min(MOST_MONTHS));
                            }
                        }
                        on:change=move |event| {
                            let input: HtmlInputElement = event_target(&event);
                            input.set_value(&months.get_untracked().to_string());
                        }
                    />
                </label>
                " Bill by then, with the growth of the data: "
                <b class="cost-then">{then}</b>
            </p>
            {findings}
        </section>
        <section aria-labelledby="cost-modes">
            <h2 id="cost-modes">"Capacity modes and table classes"</h2>
            {modes}
        </section>
    }
}

fn total(report: &Report) -> AnyView {
    let bill = report.bill();
    let total = &bill.total;
    let least = match total.is_complete() {
        true => "",
        false if total.is_unknown() => "Unknown",
        false => "At least ",
    };
    let sum = (!total.is_unknown()).then(|| {
        view! {
            <b>{dollars(total.dollars)}</b>
            " a month"
            {total.throttled.then_some(", throttled")}
        }
    });
    let about = format!("{}, {}", bill.mode.label(), report.prices.region);
    let date = match report.prices.date.is_empty() {
        true => format!(
            "There is no price list for {}. Enter the prices.",
            report.prices.region
        ),
        false => format!(
            "Prices of {}, in US dollars, without taxes and data transfer.",
            report.prices.date
        ),
    };
    view! {
        <p class="cost-total" aria-live="polite">
            {least}
            {sum}
        </p>
        <p class="hint">{about} ". " {date}</p>
    }
    .into_any()
}

/// What the total lacks, one sentence each.
fn missing(report: &Report) -> AnyView {
    let bill = report.bill();
    let mut sentences = Vec::new();
    for line in &bill.total.missing {
        sentences.push(format!(
            "There is no price for {}: enter one in the bill.",
            line.label()
        ));
    }
    sentences.extend(report.shortages());
    let model = &report.model;
    for (id, found) in &model.patterns {
        if let Err(reason) = found {
            let name = &model.design.access_patterns[id].name;
            sentences.push(format!("{name} is not counted: {reason}."));
        }
    }
    sentences.extend(report.guesses());
    sentences.extend(report.faults());
    let sentence = |text: String| view! { <li>{in_code(&text)}</li> }.into_any();
    let sentences: Vec<AnyView> = sentences.into_iter().map(sentence).collect();
    view! { <ul class="cost-missing">{sentences}</ul> }.into_any()
}

fn modes(report: &Report) -> AnyView {
    let own = Mode::of(&report.model);
    let now = &report.bill().total;
    let row = |bill: &Bill| {
        let is_own = bill.mode == own;
        let total = &bill.total;
        let difference = match (is_own, now.is_complete() && total.is_complete()) {
            (true, _) => "this design".to_owned(),
            (false, true) => signed(total.dollars - now.dollars),
            (false, false) => "unknown".to_owned(),
        };
        let missing: Vec<&str> = total.missing.iter().map(|line| line.label()).collect();
        let missing = match missing.is_empty() {
            true => String::new(),
            false => format!("No price: {}", missing.join("; ")),
        };
        view! {
            <tr class:own=is_own>
                <th scope="row">{bill.mode.label()} <span class="hint">{missing}</span></th>
                <td class="number">{total.to_string()}</td>
                <td class="number">{difference}</td>
            </tr>
        }
        .into_any()
    };
    let rows: Vec<AnyView> = report.bills.iter().map(row).collect();
    let note = |text: String| view! { <p class="hint">{text}</p> }.into_any();
    let notes: Vec<AnyView> = report.even().into_iter().map(note).collect();
    let heads = [("Mode", false), ("A month", true), ("Difference", true)];
    view! {
        {table("Capacity modes and table classes", &heads, rows.into_any())}
        {notes}
    }
    .into_any()
}

fn findings(report: &Report) -> AnyView {
    let one = |finding: &Arc<Finding>| {
        view! {
            <li>
                <Icon glyph=Glyph::Warning />
                <span>
                    <span class="cost-code">{finding.code}</span>
                    " "
                    {in_code(&finding.message)}
                </span>
            </li>
        }
        .into_any()
    };
    let all: Vec<AnyView> = report.open_findings().map(one).collect();
    view! { <ul class="cost-findings">{all}</ul> }.into_any()
}
