//! The table: its name, primary key, delimiter, and all its CloudFormation properties.

use super::capacity::TableCapacity;
use super::edit;
use super::edit::options;
use super::replicas::Replicas;
use super::section::Section;
use super::table_settings::{DataSettings, Operations, Protection, Tags};
use crate::ui::reactive::erased::Show;
use crate::ui::state::store::use_store;
use crate::ui::widgets::after_paint::AfterPaint;
use crate::ui::widgets::field::{Commit, Select, TextArea, TextField, Toggle};
use keyfold_app::{Command, field_input};
use keyfold_core::model::{DelimiterPolicy, KeyAttribute, KeyType, OnDelimiter, Table};
use leptos::prelude::*;

/// The options of a select for the type of a key attribute.
pub fn key_types() -> Signal<Vec<(String, String)>> {
    options(&[("S", "String"), ("N", "Number"), ("B", "Binary")])
}

/// Returns the key type of a select's option.
pub fn key_type(letter: &str) -> KeyType {
    let found = KeyType::ALL
        .into_iter()
        .find(|kind| kind.letter() == letter);
    found.unwrap_or_default()
}

/// The inspector of the table.
#[component]
pub fn TableInspector() -> impl IntoView {
    let store = use_store();
    let name = edit::table(store, |table| table.name.clone());
    view! {
        <header class="inspector-head">
            <span class="kind">"Table"</span>
            <h2>{move || name.get()}</h2>
        </header>
        <Section title="Table" open=true>
            <TextField
                label="Table name"
                mono=true
                value=name
                commit=edit::set_table(
                    store,
                    "name",
                    |table, name| {
                        table.name = name;
                        Ok(())
                    },
                )
            />
            <TextArea
                label="Design description"
                placeholder="What this design is for"
                value=store.description
                commit=Commit::new(move |text: String| store.run(Command::DescribeDesign(text)))
            />
        </Section>
        <PrimaryKey />
        <AfterPaint>
            <TableCapacity />
            <DataSettings />
            <Protection />
            <Operations />
            <Tags />
            <Replicas />
        </AfterPaint>
    }
}

#[component]
fn PrimaryKey() -> impl IntoView {
    let store = use_store();
    let has_sort = edit::table(store, |table| !table.key.sort.is_empty());
    let optional = |text: &Option<String>| text.clone().unwrap_or_default();
    view! {
        <Section title="Keys" open=true>
            <KeyField
                name="Partition key"
                read=|table| table.key.partition.first()
                write=|table| table.key.partition.first_mut()
            />
            <Toggle
                label="Has sort key"
                on=has_sort
                commit=edit::switch_table(
                    store,
                    "sort key",
                    |table, on| {
                        table.key.sort = match on {
                            true => vec![KeyAttribute::text(free_sort_name(table))],
                            false => Vec::new(),
                        };
                    },
                )
            />
            <Show when=move || has_sort.get()>
                <KeyField
                    name="Sort key"
                    read=|table| table.key.sort.first()
                    write=|table| table.key.sort.first_mut()
                />
            </Show>
            <TextField
                label="Type attribute"
                mono=true
                placeholder="none"
                value=edit::table(store, move |table| optional(&table.type_attribute))
                commit=edit::set_table(
                    store,
                    "type attribute",
                    |table, name| {
                        table.type_attribute = field_input::optional_attribute(&name)?;
                        Ok(())
                    },
                )
            />
            <Delimiter />
        </Section>
    }
}

fn free_sort_name(table: &Table) -> &'static str {
    let partition = table.key.partition.first().map(|key| key.name.as_str());
    match partition {
        Some("SK") => "SK2",
        Some(name) if name.chars().all(|c| !c.is_uppercase()) && name != "sk" => "sk",
        _ => "SK",
    }
}

/// Name and type of one attribute of the primary key.
#[component]
fn KeyField(
    name: &'static str,
    read: fn(&Table) -> Option<&KeyAttribute>,
    write: fn(&mut Table) -> Option<&mut KeyAttribute>,
) -> impl IntoView {
    let store = use_store();
    let text = move |show: fn(&KeyAttribute) -> &str| {
        edit::table(store, move |table| {
            read(table).map(show).unwrap_or_default().to_owned()
        })
    };
    view! {
        <div class="pair">
            <TextField
                label=name
                mono=true
                value=text(|key| &key.name)
                commit=edit::set_table(
                    store,
                    "key",
                    move |table, name| {
                        if let Some(key) = write(table) {
                            key.name = name;
                        }
                        Ok(())
                    },
                )
            />
            <Select
                label=format!("{name} type")
                bare=true
                value=text(|key| key.kind.letter())
                options=key_types()
                commit=edit::set_table(
                    store,
                    "key type",
                    move |table, letter| {
                        if let Some(key) = write(table) {
                            key.kind = key_type(&letter);
                        }
                        Ok(())
                    },
                )
            />
        </div>
    }
}

#[component]
fn Delimiter() -> impl IntoView {
    let store = use_store();
    let change = move |change: &dyn Fn(&mut DelimiterPolicy)| {
        let mut policy = store.with(|design| DelimiterPolicy::clone(&design.delimiter));
        change(&mut policy);
        store.run(Command::SetDelimiter(policy))
    };
    view! {
        <TextField
            label="Delimiter"
            mono=true
            placeholder="none"
            value=Signal::derive(move || store.delimiter.with(|policy| policy.delimiter.clone()))
            commit=Commit::new(move |text: String| {
                change(&|policy| policy.delimiter.clone_from(&text))
            })
        />
        <Select
            label="Delimiter in values"
            value=Signal::derive(move || {
                let policy = store.delimiter.with(|policy| policy.on_conflict);
                if policy == OnDelimiter::Reject { "reject" } else { "encode" }.to_owned()
            })
            options=options(&[("reject", "Report an error"), ("encode", "Percent-encode it")])
            commit=Commit::new(move |choice: String| {
                change(
                    &|policy| {
                        policy.on_conflict = match choice.as_str() {
                            "encode" => OnDelimiter::PercentEncode,
                            _ => OnDelimiter::Reject,
                        };
                    },
                )
            })
        />
    }
}
