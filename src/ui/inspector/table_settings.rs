//! The table's settings besides keys and capacity: streams, protection, operation, tags.

use super::capacity::{Insights, UnitPair};
use super::edit;
use super::edit::{edit_table, focus_last_soon, options, set_table, switch_table};
use super::section::Section;
use crate::ui::reactive::erased::{For, Show, memo};
use crate::ui::state::store::use_store;
use crate::ui::widgets::field::{Select, TextArea, TextField, Toggle};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::{Refused, field_input, suggest};
use keyfold_core::model::{
    Encryption, KinesisStream, Recovery, StreamView, WarmThroughput, limits,
};
use leptos::prelude::*;

/// The options of the stream view.
const STREAMS: &[(&str, &str, Option<StreamView>)] = &[
    ("off", "Off", None),
    ("keys", "Keys only", Some(StreamView::KeysOnly)),
    ("new", "New image", Some(StreamView::NewImage)),
    ("old", "Old image", Some(StreamView::OldImage)),
    (
        "both",
        "New and old images",
        Some(StreamView::NewAndOldImages),
    ),
];

/// TTL and streams.
#[component]
pub fn DataSettings() -> impl IntoView {
    let store = use_store();
    let streams: Vec<(&str, &str)> = STREAMS
        .iter()
        .map(|(word, text, _)| (*word, *text))
        .collect();
    let kinesis = edit::table(store, |table| table.kinesis.clone());
    let has_kinesis = memo(move |_| kinesis.get().is_some());
    view! {
        <Section title="TTL and streams">
            <TextField
                label="TTL attribute"
                mono=true
                placeholder="off"
                value=edit::table(store, |table| table.ttl_attribute.clone().unwrap_or_default())
                commit=set_table(
                    store,
                    "TTL",
                    |table, name| {
                        table.ttl_attribute = field_input::optional_attribute(&name)?;
                        Ok(())
                    },
                )
            />
            <Select
                label="DynamoDB stream"
                value=edit::table(
                    store,
                    |table| {
                        let word = STREAMS.iter().find(|(_, _, view)| *view == table.stream);
                        word.map(|(word, _, _)| (*word).to_owned()).unwrap_or_default()
                    },
                )
                options=options(&streams)
                commit=set_table(
                    store,
                    "stream",
                    |table, word| {
                        let found = STREAMS.iter().find(|(other, _, _)| *other == word);
                        table.stream = found.and_then(|(_, _, view)| *view);
                        Ok(())
                    },
                )
            />
            <TextField
                label="Kinesis data stream"
                mono=true
                placeholder="ARN, or none"
                value=Signal::derive(move || kinesis.get().map(|k| k.arn).unwrap_or_default())
                commit=set_table(
                    store,
                    "Kinesis data stream",
                    |table, arn| {
                        let microseconds = table.kinesis.as_ref().is_some_and(|k| k.microseconds);
                        table.kinesis = field_input::optional(&arn)
                            .map(|arn| KinesisStream { arn, microseconds });
                        Ok(())
                    },
                )
                warning=Signal::derive(move || {
                    kinesis
                        .get()
                        .filter(|kinesis| !kinesis.arn.starts_with("arn:"))
                        .map(|_| "enter an ARN that starts with arn:aws:kinesis:".to_owned())
                })
            />
            <Show when=move || has_kinesis.get()>
                <Toggle
                    label="Microsecond timestamps"
                    on=Signal::derive(move || kinesis.get().is_some_and(|k| k.microseconds))
                    commit=switch_table(
                        store,
                        "Kinesis precision",
                        |table, on| {
                            if let Some(kinesis) = &mut table.kinesis {
                                kinesis.microseconds = on;
                            }
                        },
                    )
                />
            </Show>
        </Section>
    }
}

/// Recovery, encryption, deletion protection, resource policy.
#[component]
pub fn Protection() -> impl IntoView {
    let store = use_store();
    let recovery = edit::table(store, |table| table.recovery);
    let recovers = memo(move |_| recovery.get().is_some());
    let encryption = edit::table(store, |table| table.encryption.clone());
    let customer = memo(move |_| match encryption.get() {
        Encryption::CustomerManaged(key) => Some(key),
        _ => None,
    });
    let has_customer = memo(move |_| customer.get().is_some());
    let policy = edit::table(store, |table| table.resource_policy.clone());
    view! {
        <Section title="Protection">
            <Toggle
                label="Deletion protection"
                on=edit::table(store, |table| table.deletion_protection)
                commit=switch_table(
                    store,
                    "deletion protection",
                    |table, on| table.deletion_protection = on,
                )
            />
            <Toggle
                label="Point-in-time recovery"
                on=recovers
                commit=switch_table(
                    store,
                    "recovery",
                    |table, on| table.recovery = on.then(Recovery::default),
                )
            />
            <Show when=move || recovers.get()>
                <TextField
                    label="Recovery period (days)"
                    numeric=true
                    placeholder="35"
                    value=Signal::derive(move || {
                        let days = recovery.get().and_then(|recovery| recovery.days);
                        days.map(|days| days.to_string()).unwrap_or_default()
                    })
                    commit=set_table(
                        store,
                        "recovery days",
                        |table, text| {
                            let (least, most) = limits::RECOVERY_DAYS.into_inner();
                            let days = field_input::optional_whole_number(
                                &text,
                                least.into()..=most.into(),
                            )?;
                            table.recovery = Some(Recovery {
                                days: days.map(|days| days as u8),
                            });
                            Ok(())
                        },
                    )
                />
            </Show>
            <Select
                label="Encryption key"
                value=Signal::derive(move || {
                    match encryption.get() {
                        Encryption::AwsOwned => "owned",
                        Encryption::AwsManaged => "managed",
                        Encryption::CustomerManaged(_) => "customer",
                    }
                        .to_owned()
                })
                options=options(
                    &[
                        ("owned", "AWS owned"),
                        ("managed", "AWS managed"),
                        ("customer", "Customer managed"),
                    ],
                )
                commit=set_table(
                    store,
                    "encryption",
                    |table, choice| {
                        table.encryption = match choice.as_str() {
                            "managed" => Encryption::AwsManaged,
                            "customer" => Encryption::CustomerManaged("alias/table".into()),
                            _ => Encryption::AwsOwned,
                        };
                        Ok(())
                    },
                )
            />
            <Show when=move || has_customer.get()>
                <TextField
                    label="KMS key"
                    mono=true
                    placeholder="Key ID, ARN or alias"
                    value=Signal::derive(move || customer.get().unwrap_or_default())
                    commit=set_table(
                        store,
                        "KMS key",
                        |table, key| {
                            if key.trim().is_empty() {
                                let wanted = "enter a key ID, an ARN or an alias";
                                return Err(Refused(wanted.into()));
                            }
                            table.encryption = Encryption::CustomerManaged(key);
                            Ok(())
                        },
                    )
                />
            </Show>
            <TextArea
                label="Resource policy"
                mono=true
                rows=4
                placeholder="JSON policy document, or none"
                value=Signal::derive(move || policy.get().unwrap_or_default())
                commit=set_table(
                    store,
                    "resource policy",
                    |table, text| {
                        table.resource_policy = field_input::optional(&text);
                        Ok(())
                    },
                )
                warning=Signal::derive(move || {
                    policy.with(|policy| policy.as_deref().and_then(field_input::policy_problem))
                })
            />
        </Section>
    }
}

/// Warm throughput, contributor insights.
#[component]
pub fn Operations() -> impl IntoView {
    let store = use_store();
    let warm = edit::table(store, |table| table.warm_throughput.unwrap_or_default());
    view! {
        <Section title="Warm throughput and insights">
            <UnitPair
                names=("Warm read units/s", "Warm write units/s")
                empty="default"
                value=Signal::derive(move || (warm.get().read, warm.get().write))
                set=Callback::new(move |(read, write): (Option<u64>, Option<u64>)| {
                    edit_table(
                        store,
                        "warm throughput",
                        |table| {
                            table.warm_throughput = (read.or(write))
                                .map(|_| WarmThroughput { read, write });
                            Ok(())
                        },
                    )
                })
            />
            <Insights
                value=edit::table(store, |table| table.contributor_insights)
                set=Callback::new(move |insights| {
                    edit_table(
                        store,
                        "Contributor Insights",
                        |table| {
                            table.contributor_insights = insights;
                            Ok(())
                        },
                    )
                })
            />
        </Section>
    }
}

/// Tags, a row each.
#[component]
pub fn Tags() -> impl IntoView {
    let store = use_store();
    let keys = edit::table(store, |table| {
        table.tags.keys().cloned().collect::<Vec<_>>()
    });
    let rows = memo(move |old: Option<&Vec<field_input::NamedRow>>| {
        keys.with(|keys| field_input::match_rows(old.map_or(&[], |old| old), keys))
    });
    let key_of = move |row: u32| {
        rows.with(|rows| {
            rows.iter()
                .find(|(id, _)| *id == row)
                .map(|(_, key)| key.clone())
        })
        .unwrap_or_default()
    };
    let add = move |_| {
        let done = edit_table(store, "tags", |table| {
            let key = suggest::free_name("tag", |name| table.tags.contains_key(name));
            table.tags.insert(key, String::new());
            Ok(())
        });
        store.complain_if_refused(done);
        focus_last_soon(".tag-row .field:first-child input".into());
    };
    let row_view = move |row: u32| {
        let key = memo(move |_| key_of(row));
        let value = memo(move |_| {
            let key = key.get();
            store
                .table
                .with(|table| table.tags.get(&key).cloned().unwrap_or_default())
        });
        let rename = set_table(store, "tag key", move |table, new| {
            let old = key.get_untracked();
            if new.is_empty() || (new != old && table.tags.contains_key(&new)) {
                return Err(Refused(match new.as_str() {
                    "" => "enter a tag key".into(),
                    _ => format!("another tag has the key `{new}`"),
                }));
            }
            let value = table.tags.remove(&old).unwrap_or_default();
            table.tags.insert(new, value);
            Ok(())
        });
        let set_value = set_table(store, "tag value", move |table, value| {
            table.tags.insert(key.get_untracked(), value);
            Ok(())
        });
        let remove = move |_| {
            let key = key.get_untracked();
            store.complain_if_refused(edit_table(store, "tags", |table| {
                table.tags.remove(&key);
                Ok(())
            }));
        };
        view! {
            <div class="tag-row">
                <TextField label="Tag key" bare=true mono=true value=key commit=rename />
                <TextField
                    label="Tag value"
                    bare=true
                    placeholder="value"
                    value=value
                    commit=set_value
                />
                <button
                    type="button"
                    class="icon-button"
                    aria-label=move || format!("Remove tag {}", key.get())
                    title="Remove"
                    on:click=remove
                >
                    <Icon glyph=Glyph::Close />
                </button>
            </div>
        }
    };
    view! {
        <Section title="Tags" summary=Signal::derive(move || count(keys.with(Vec::len)))>
            <For each=move || rows.get() key=|(id, _)| *id let:row>
                {row_view(row.0)}
            </For>
            <button type="button" class="button small add" on:click=add>
                <Icon glyph=Glyph::Plus />
                "Add tag"
            </button>
        </Section>
    }
}

/// Returns a count to show beside a title; empty for 0.
pub fn count(number: usize) -> String {
    match number {
        0 => String::new(),
        number => number.to_string(),
    }
}
