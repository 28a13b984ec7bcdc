//! The bill of a month in the design's own mode, line by line.

use super::bars::amount;
use super::prices::{AllPrices, PriceField, PriceSettings};
use super::rows::rows;
use super::sections::{Shown, made};
use crate::ui::reactive::erased::{For, RwSignal, memo};
use keyfold_core::model::{IndexId, TableClass};
use keyfold_cost::Report;
use keyfold_cost::bill::{BillLine, FREE_STORAGE_GB};
use keyfold_cost::prices::Line;
use keyfold_cost::report::{short, whole};
use leptos::prelude::*;

/// The lines of the same price in the same Region.
type Group = (Line, Option<String>);

/// The bill.
#[component]
pub fn BillSection(report: Shown) -> impl IntoView {
    let groups = memo(move |_| {
        let mut groups: Vec<Group> = Vec::new();
        report.with(|report| {
            let lines = report.iter().flat_map(|report| &report.bill().lines);
            for line in lines {
                let group = (line.line, line.region.clone());
                if !groups.contains(&group) {
                    groups.push(group);
                }
            }
        });
        groups
    });
    let total = move || {
        report.with(|report| {
            report
                .as_ref()
                .map(|report| report.bill().total.to_string())
        })
    };
    let free = move || {
        report.with(|report| {
            let class = report.as_ref()?.bill().mode.class;
            (class == TableClass::Standard).then(|| {
                format!("The first {FREE_STORAGE_GB} GB of storage are free and not on the bill.")
            })
        })
    };
    let notes = move || {
        let note = |text: String| view! { <p class="hint">{text}</p> }.into_any();
        made(report, |report| {
            let notes = report.bill_notes().into_iter().map(note);
            notes.collect::<Vec<AnyView>>()
        })
    };
    view! {
        <section aria-labelledby="cost-bill">
            <h2 id="cost-bill" tabindex="-1">
                "Bill"
            </h2>
            <PriceSettings />
            <div class="cost-scroll">
                <table class="cost-bill" role="table">
                    <thead role="rowgroup">
                        <tr role="row">
                            <th role="columnheader" scope="col">
                                "Line"
                            </th>
                            <th role="columnheader" scope="col" class="number">
                                "Quantity"
                            </th>
                            <th role="columnheader" scope="col">
                                "Price"
                            </th>
                            <th role="columnheader" scope="col" class="number">
                                "Amount"
                            </th>
                        </tr>
                    </thead>
                    <For each=move || groups.get() key=|group| group.clone() let:group>
                        <GroupRows report=report group=group />
                    </For>
                    <tfoot role="rowgroup">
                        <tr role="row">
                            <th role="rowheader" scope="row" colspan="3">
                                "Monthly total"
                            </th>
                            <td role="cell" class="number">
                                {total}
                            </td>
                        </tr>
                    </tfoot>
                </table>
            </div>
            <p class="hint">{free}</p>
            {notes}
            <AllPrices />
        </section>
    }
}

/// The lines of a group, and their sum above them if there are several.
#[component]
fn GroupRows(report: Shown, group: Group) -> impl IntoView {
    let (line, region) = group.clone();
    let name = match &region {
        None => line.label().to_owned(),
        Some(region) => format!("{}, replica in {region}", line.label()),
    };
    let group = StoredValue::new(group);
    let of = move |write: fn(&Report, &[&BillLine]) -> AnyView| with(group, report, write);
    // A replica has the prices of its own Region, and those of the design only where its list has none.
    let price = match region {
        None => view! {
            <PriceField line=line />
            <span class="hint">{line.unit()}</span>
        }
        .into_any(),
        Some(_) => (move || of(listed)).into_any(),
    };
    view! {
        <tbody role="rowgroup">
            <tr role="row">
                <th role="rowheader" scope="row">
                    {name}
                    {move || of(only)}
                </th>
                <td role="cell" class="number">
                    {move || of(quantities)}
                </td>
                <td role="cell">{price}</td>
                <td role="cell" class="number">
                    {move || of(amounts)}
                </td>
            </tr>
            {rows(move || with(group, report, parts).unwrap_or_default(), part_row)}
        </tbody>
    }
}

/// What is made of the report and the lines of a group.
fn with<R>(
    group: StoredValue<Group>,
    report: Shown,
    make: fn(&Report, &[&BillLine]) -> R,
) -> Option<R> {
    made(report, |report| {
        let lines = group.with_value(|(line, region)| {
            let own = |one: &&BillLine| one.line == *line && one.region == *region;
            report.bill().lines.iter().filter(own).collect::<Vec<_>>()
        });
        Some(make(report, &lines))
    })
}

fn listed(_: &Report, lines: &[&BillLine]) -> AnyView {
    let text = lines.first().map(|line| match line.price {
        Some(price) => format!("${price} {}", line.line.unit()),
        None => "No price".to_owned(),
    });
    view! { <span>{text}</span> }.into_any()
}

/// The table or index, if the group has a single line.
fn only(report: &Report, lines: &[&BillLine]) -> AnyView {
    let index = match lines {
        [one] => one.index,
        _ => None,
    };
    let name = index.map(|index| format!(" · {}", report.model.design.index_name(index)));
    view! { <span>{name}</span> }.into_any()
}

fn quantities(_: &Report, lines: &[&BillLine]) -> AnyView {
    let sum = lines.iter().map(|line| line.quantity).sum();
    let text = lines.first().map(|line| quantity(line.line, sum));
    view! { <span>{text}</span> }.into_any()
}

fn amounts(_: &Report, lines: &[&BillLine]) -> AnyView {
    let sum: Option<f64> = lines.iter().map(|line| line.amount).sum();
    view! { <span>{amount(sum)}</span> }.into_any()
}

/// A row for each table and index, if there are several.
fn parts(report: &Report, lines: &[&BillLine]) -> Vec<(Option<IndexId>, [String; 3])> {
    let part = |line: &&BillLine| {
        let name = line
            .index
            .map(|index| report.model.design.index_name(index));
        let cells = [
            name.unwrap_or_default().to_owned(),
            quantity(line.line, line.quantity),
            amount(line.amount),
        ];
        (line.index, cells)
    };
    match lines {
        [_] => Vec::new(),
        lines => lines.iter().map(part).collect(),
    }
}

fn part_row(_: Option<IndexId>, row: RwSignal<[String; 3]>) -> AnyView {
    let show = |[name, quantity, amount]: &[String; 3]| {
        view! {
            <tr role="row" class="cost-part">
                <th role="rowheader" scope="row">
                    {name.clone()}
                </th>
                <td role="cell" class="number">
                    {quantity.clone()}
                </td>
                <td role="cell"></td>
                <td role="cell" class="number">
                    {amount.clone()}
                </td>
            </tr>
        }
        .into_any()
    };
    (move || row.with(show)).into_any()
}

/// A quantity with its unit: `1,234 units`.
fn quantity(line: Line, quantity: f64) -> String {
    match line.unit() {
        "per million units" => format!("{} units", whole(quantity)),
        "per million requests" => format!("{} requests", whole(quantity)),
        "per unit and hour" => format!("{} unit-hours", whole(quantity)),
        "per GB-month" => format!("{} GB-months", short(quantity)),
        _ => format!("{} GB", short(quantity)),
    }
}
