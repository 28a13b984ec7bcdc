//! Throughput of the table and its indexes: billing, limits, auto scaling, warm throughput, Contributor Insights.

use super::edit;
use super::edit::{Edited, options};
use super::section::Section;
use crate::ui::reactive::erased::{Memo, Show, memo};
use crate::ui::state::store::use_store;
use crate::ui::widgets::field::{Commit, Select, TextField, Toggle};
use keyfold_app::field_input;
use keyfold_core::model::{
    Autoscaling, Billing, ContributorInsights, MaxRequestUnits, ProvisionedThroughput, TableClass,
    limits,
};
use leptos::prelude::*;

/// Minimum and maximum units of a field.
const UNITS: std::ops::RangeInclusive<u64> = 1..=u64::MAX;

/// The billing mode and the table class.
#[component]
pub fn TableCapacity() -> impl IntoView {
    let store = use_store();
    let billing = edit::table(store, |table| table.billing.clone());
    let provisioned = memo(move |_| billing.with(|b| matches!(b, Billing::Provisioned(_))));
    let class = edit::table(store, |table| match table.class {
        TableClass::Standard => "standard".to_owned(),
        TableClass::StandardInfrequentAccess => "infrequent".to_owned(),
    });
    let limits = memo(move |_| {
        billing.with(|billing| match billing {
            Billing::OnDemand(limits) => *limits,
            Billing::Provisioned(_) => MaxRequestUnits::default(),
        })
    });
    let throughput = memo(move |_| {
        billing.with(|billing| match billing {
            Billing::OnDemand(_) => ProvisionedThroughput::default(),
            Billing::Provisioned(throughput) => throughput.clone(),
        })
    });
    let set_billing = move |field: &'static str, billing: Billing| {
        edit::edit_table(store, field, |table| {
            table.billing = billing;
            Ok(())
        })
    };
    let set_limits = Callback::new(move |(read, write)| {
        let limits = MaxRequestUnits { read, write };
        set_billing("limits", Billing::OnDemand(limits))
    });
    let set_throughput =
        Callback::new(move |throughput| set_billing("capacity", Billing::Provisioned(throughput)));
    let mode = memo(move |_| {
        if provisioned.get() {
            "provisioned"
        } else {
            "onDemand"
        }
    });
    view! {
        <Section title="Capacity" open=true>
            <Select
                label="Capacity mode"
                value=Signal::derive(move || mode.get().to_owned())
                options=options(&[("onDemand", "On-demand"), ("provisioned", "Provisioned")])
                commit=Commit::new(move |mode: String| {
                    let billing = match mode.as_str() {
                        "provisioned" => Billing::Provisioned(ProvisionedThroughput::default()),
                        _ => Billing::default(),
                    };
                    set_billing("billing", billing)
                })
            />
            <Show
                when=move || provisioned.get()
                fallback=move || {
                    view! {
                        <UnitPair
                            names=("Max read request units", "Max write request units")
                            empty="no limit"
                            value=Signal::derive(move || (limits.get().read, limits.get().write))
                            set=set_limits
                        />
                    }
                }
            >
                <Throughput value=throughput set=set_throughput />
            </Show>
            <Select
                label="Table class"
                value=class
                options=options(&[("standard", "Standard"), ("infrequent", "Standard-IA")])
                commit=edit::set_table(
                    store,
                    "class",
                    |table, class| {
                        table.class = match class.as_str() {
                            "infrequent" => TableClass::StandardInfrequentAccess,
                            _ => TableClass::Standard,
                        };
                        Ok(())
                    },
                )
            />
        </Section>
    }
}

/// Two optional figures, for reads and for writes.
#[component]
pub fn UnitPair(
    /// Their labels.
    names: (&'static str, &'static str),
    /// The placeholder of an empty one.
    empty: &'static str,
    /// The figures.
    value: Signal<(Option<u64>, Option<u64>)>,
    /// Called with the changed figures.
    set: Callback<(Option<u64>, Option<u64>), Edited>,
) -> impl IntoView {
    let text = |units: Option<u64>| units.map(|units| units.to_string()).unwrap_or_default();
    view! {
        <TextField
            label=names.0
            numeric=true
            placeholder=empty
            value=Signal::derive(move || text(value.get().0))
            commit=Commit::new(move |typed: String| {
                let read = field_input::optional_whole_number(&typed, UNITS)?;
                set.run((read, value.get_untracked().1))
            })
        />
        <TextField
            label=names.1
            numeric=true
            placeholder=empty
            value=Signal::derive(move || text(value.get().1))
            commit=Commit::new(move |typed: String| {
                let write = field_input::optional_whole_number(&typed, UNITS)?;
                set.run((value.get_untracked().0, write))
            })
        />
    }
}

/// Provisioned capacity and its auto scaling.
#[component]
pub fn Throughput(
    /// The capacity.
    value: Memo<ProvisionedThroughput>,
    /// Called with the changed capacity.
    set: Callback<ProvisionedThroughput, Edited>,
) -> impl IntoView {
    let change = move |change: &dyn Fn(&mut ProvisionedThroughput)| {
        let mut throughput = value.get_untracked();
        change(&mut throughput);
        set.run(throughput)
    };
    view! {
        <TextField
            label="Read capacity units"
            numeric=true
            value=Signal::derive(move || value.with(|v| v.read.to_string()))
            commit=Commit::new(move |typed: String| {
                let units = field_input::whole_number(&typed, UNITS)?;
                change(&|throughput| throughput.read = units)
            })
        />
        <Scaling
            name="Read auto scaling"
            value=memo(move |_| value.with(|v| v.read_scaling))
            set=Callback::new(move |scaling| change(
                &|throughput| throughput.read_scaling = scaling,
            ))
        />
        <TextField
            label="Write capacity units"
            numeric=true
            value=Signal::derive(move || value.with(|v| v.write.to_string()))
            commit=Commit::new(move |typed: String| {
                let units = field_input::whole_number(&typed, UNITS)?;
                change(&|throughput| throughput.write = units)
            })
        />
        <Scaling
            name="Write auto scaling"
            value=memo(move |_| value.with(|v| v.write_scaling))
            set=Callback::new(move |scaling| {
                change(&|throughput| throughput.write_scaling = scaling)
            })
        />
    }
}

#[component]
fn Scaling(
    name: &'static str,
    value: Memo<Option<Autoscaling>>,
    set: Callback<Option<Autoscaling>, Edited>,
) -> impl IntoView {
    let store = use_store();
    let on = memo(move |_| value.get().is_some());
    let current = move || value.get().unwrap_or_default();
    let change = move |change: &dyn Fn(&mut Autoscaling)| {
        let mut scaling = value.get_untracked().unwrap_or_default();
        change(&mut scaling);
        set.run(Some(scaling))
    };
    view! {
        <fieldset class="nested">
            <legend class="visually-hidden">{name}</legend>
            <Toggle
                label=name
                on=on
                commit=Callback::new(move |on: bool| {
                    store.complain_if_refused(set.run(on.then(Autoscaling::default)));
                })
            />
            <Show when=move || on.get()>
                <div class="trio">
                    <TextField
                        label="Minimum"
                        numeric=true
                        value=Signal::derive(move || current().min.to_string())
                        commit=Commit::new(move |typed: String| {
                            let units = field_input::whole_number(&typed, UNITS)?;
                            change(&|scaling| scaling.min = units)
                        })
                        warning=Signal::derive(move || {
                            let scaling = current();
                            (scaling.min > scaling.max)
                                .then(|| "the minimum exceeds the maximum".to_owned())
                        })
                    />
                    <TextField
                        label="Maximum"
                        numeric=true
                        value=Signal::derive(move || current().max.to_string())
                        commit=Commit::new(move |typed: String| {
                            let units = field_input::whole_number(&typed, UNITS)?;
                            change(&|scaling| scaling.max = units)
                        })
                    />
                    <TextField
                        label="Target utilization (%)"
                        numeric=true
                        value=Signal::derive(move || current().target_percent.to_string())
                        commit=Commit::new(move |typed: String| {
                            let percent = field_input::whole_number(
                                &typed,
                                limits::TARGET_PERCENT,
                            )?;
                            change(&|scaling| scaling.target_percent = percent as u8)
                        })
                    />
                </div>
            </Show>
        </fieldset>
    }
}

/// CloudWatch Contributor Insights.
#[component]
pub fn Insights(
    /// The current mode; `None` if off.
    value: Memo<Option<ContributorInsights>>,
    /// Called with the chosen mode.
    set: Callback<Option<ContributorInsights>, Edited>,
) -> impl IntoView {
    view! {
        <Select
            label="Contributor Insights"
            value=Signal::derive(move || {
                match value.get() {
                    None => "off",
                    Some(ContributorInsights::AccessedAndThrottledKeys) => "all",
                    Some(ContributorInsights::ThrottledKeys) => "throttled",
                }
                    .to_owned()
            })
            options=options(
                &[
                    ("off", "Off"),
                    ("all", "Accessed and throttled keys"),
                    ("throttled", "Throttled keys"),
                ],
            )
            commit=Commit::new(move |choice: String| {
                set.run(
                    match choice.as_str() {
                        "all" => Some(ContributorInsights::AccessedAndThrottledKeys),
                        "throttled" => Some(ContributorInsights::ThrottledKeys),
                        _ => None,
                    },
                )
            })
        />
    }
}
