//! Prices: a field for each, kept with the design where it differs from the list of the Region.

use super::figure_field::FigureField;
use crate::ui::dom::focus::focus_if_lost;
use crate::ui::reactive::erased::{For, RwSignal, Show, memo};
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::field::{Commit, Select, TextField, unique_id};
use keyfold_app::workload::figures;
use keyfold_app::{Command, Refused, WorkloadEdit};
use keyfold_core::model::Workload;
use keyfold_cost::prices::{DEFAULT_REGION, Line, Origin, Prices, regions};
use leptos::prelude::*;

/// A price that can be edited.
#[component]
pub fn PriceField(line: Line) -> impl IntoView {
    let store = use_store();
    let price = memo(move |_| {
        store.workload.with(|workload| {
            let prices = Prices::of(workload);
            (prices.price(line), prices.origin(line))
        })
    });
    let text = move || {
        let price = price.with(|(price, _)| *price);
        price.map_or(String::new(), |price| price.to_string())
    };
    let is_own = move || price.with(|(_, origin)| *origin == Some(Origin::Design));
    let label = format!("Price of {}, US dollars {}", line.label(), line.unit());
    let label = StoredValue::new(label);
    let id = unique_id("price");
    let field = StoredValue::new(format!("#{id}"));
    view! {
        <span class="cost-price">
            "$"
            <FigureField
                store=store
                id=id
                decimal=true
                label=move || label.get_value()
                stored=text
                placeholder=|| Some("No price: enter one".to_owned())
                set=move |typed| set_price(store, line, typed)
            /> <Show when=is_own>
                <Reset line=line field=field />
            </Show>
        </span>
    }
}

/// Resets a price. The focus goes to the field if it was on the button, or on its way there, when the button goes.
#[component]
fn Reset(
    line: Line,
    /// The selector of the field.
    field: StoredValue<String>,
) -> impl IntoView {
    let store = use_store();
    let label = format!("Reset the price of {}", line.label());
    let field = field.get_value();
    on_cleanup(move || focus_if_lost(field));
    view! {
        <button
            class="button small"
            title=label.clone()
            aria-label=label
            on:click=move |_| store.complain_if_refused(set_price(store, line, ""))
        >
            "Reset"
        </button>
    }
}

/// Sets a price from typed text; an empty one, and one that is the listed price, is that of the Region.
fn set_price(store: Store, line: Line, typed: &str) -> Result<(), Refused> {
    let typed = typed.trim().trim_start_matches('$').trim();
    change(store, &format!("price of {}", line.label()), |workload| {
        let region = workload.region.as_deref().unwrap_or(DEFAULT_REGION);
        let listed = Prices::list(region).price(line);
        let price = match typed {
            "" => None,
            text => Some(figures::number(text)?).filter(|price| Some(*price) != listed),
        };
        match price {
            None => workload.prices.remove(line.name()),
            Some(price) => workload.prices.insert(line.name().to_owned(), price),
        };
        Ok(())
    })
}

/// Changes what the workload says on prices. `field` says what changes in the words of undo.
fn change(
    store: Store,
    field: &str,
    change: impl FnOnce(&mut Workload) -> Result<(), Refused>,
) -> Result<(), Refused> {
    let mut workload = store.with(|design| Workload::clone(&design.workload));
    change(&mut workload)?;
    if store.with(|design| *design.workload == workload) {
        return Ok(());
    }
    store.run(Command::Workload(WorkloadEdit::Prices {
        workload: Box::new(workload),
        field: field.to_owned(),
    }))
}

/// The Region whose prices count, and what is on the bill besides requests and items.
#[component]
pub fn PriceSettings() -> impl IntoView {
    let store = use_store();
    let region = move || {
        let region = store.workload.with(|workload| workload.region.clone());
        region.unwrap_or_else(|| DEFAULT_REGION.to_owned())
    };
    let options = move || {
        let (mut all, own) = (regions(), region());
        if !all.contains(&own) {
            all.push(own);
        }
        let option = |region: String| (region.clone(), region);
        all.into_iter().map(option).collect::<Vec<_>>()
    };
    let choose = Commit::new(move |region: String| {
        change(store, "Region", |workload| {
            workload.region = (region != DEFAULT_REGION).then_some(region);
            Ok(())
        })
    });
    let gb = move |label: &'static str, place: fn(&mut Workload) -> &mut Option<f64>| {
        let value = move || {
            store.workload.track();
            let mut workload = store.with(|design| Workload::clone(&design.workload));
            place(&mut workload).map_or(String::new(), |gb| gb.to_string())
        };
        let commit = Commit::new(move |text: String| {
            change(store, label, |workload| {
                *place(workload) = match text.trim() {
                    "" => None,
                    text => Some(figures::number(text)?),
                };
                Ok(())
            })
        });
        view! {
            <TextField
                label=label
                value=Signal::derive(value)
                commit=commit
                placeholder="0"
                numeric=true
            />
        }
    };
    view! {
        <div class="cost-settings">
            <Select
                label="Region"
                value=Signal::derive(region)
                options=Signal::derive(options)
                commit=choose
            />
            {gb("Backups kept, GB", |workload| &mut workload.backup_gb)}
            {gb("Exports to S3 a month, GB", |workload| &mut workload.export_gb)}
        </div>
    }
}

/// Every price of the Region, also those of other modes.
#[component]
pub fn AllPrices() -> impl IntoView {
    let open = RwSignal::new(false);
    let lines = move || {
        if open.get() {
            Line::ALL.to_vec()
        } else {
            Vec::new()
        }
    };
    view! {
        <details
            class="cost-prices"
            on:toggle=move |event| {
                open.set(event_target::<web_sys::HtmlDetailsElement>(&event).open());
            }
        >
            <summary>"All prices"</summary>
            <div class="cost-scroll">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">"Line"</th>
                            <th scope="col">"US dollars"</th>
                            <th scope="col">"Per"</th>
                        </tr>
                    </thead>
                    <tbody>
                        <For each=lines key=|line| *line let:line>
                            <tr>
                                <th scope="row">{line.label()}</th>
                                <td>
                                    <PriceField line=line />
                                </td>
                                <td>{line.unit()}</td>
                            </tr>
                        </For>
                    </tbody>
                </table>
            </div>
        </details>
    }
}
