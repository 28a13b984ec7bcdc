//! The replicas of a global table.

use super::edit;
use super::edit::{edit_table, focus_last_soon, options, set_table};
use super::section::Section;
use super::table_settings::count;
use crate::ui::reactive::erased::{For, Show, memo};
use crate::ui::state::store::use_store;
use crate::ui::widgets::field::{Select, TextField};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::field_input;
use keyfold_core::model::{MultiRegionConsistency, Replica};
use leptos::prelude::*;

/// The Regions of a global table, and their consistency.
#[component]
pub fn Replicas() -> impl IntoView {
    let store = use_store();
    let replicas = edit::table(store, |table| table.replicas.clone());
    let amount = memo(move |_| replicas.with(Vec::len));
    let consistency = edit::table(store, |table| match table.multi_region_consistency {
        MultiRegionConsistency::Eventual => "eventual".to_owned(),
        MultiRegionConsistency::Strong => "strong".to_owned(),
    });
    let add = move |_| {
        let done = edit_table(store, "replicas", |table| {
            let usual = ["us-east-1", "eu-west-1", "ap-northeast-1", "eu-central-1"];
            let free = |region: &&&str| !table.replicas.iter().any(|r| r.region == ***region);
            let region = usual.iter().find(free).unwrap_or(&"us-west-2");
            table.replicas.push(Replica {
                region: (*region).into(),
                kms_key: None,
            });
            Ok(())
        });
        store.complain_if_refused(done);
        focus_last_soon(".replica-row .field:first-child input".into());
    };
    let row = move |at: usize| {
        let region = memo(move |_| {
            replicas.with(|all| all.get(at).map(|r| r.region.clone()).unwrap_or_default())
        });
        let key = memo(move |_| {
            replicas.with(|all| {
                all.get(at)
                    .and_then(|r| r.kms_key.clone())
                    .unwrap_or_default()
            })
        });
        let repeated = move || {
            replicas.with(|all| all.iter().filter(|r| r.region == region.get()).count() > 1)
        };
        let set_region = set_table(store, "replica", move |table, text| {
            let region = field_input::region(&text)?;
            if let Some(replica) = table.replicas.get_mut(at) {
                replica.region = region;
            }
            Ok(())
        });
        let set_key = set_table(store, "replica key", move |table, text| {
            if let Some(replica) = table.replicas.get_mut(at) {
                replica.kms_key = field_input::optional(&text);
            }
            Ok(())
        });
        let remove = move |_| {
            let done = edit_table(store, "replicas", |table| {
                if at < table.replicas.len() {
                    table.replicas.remove(at);
                }
                Ok(())
            });
            store.complain_if_refused(done);
        };
        view! {
            <div class="replica-row">
                <TextField
                    label="Region"
                    bare=true
                    mono=true
                    value=region
                    commit=set_region
                    warning=Signal::derive(move || {
                        repeated().then(|| "this Region is already in the list".to_owned())
                    })
                />
                <TextField
                    label="KMS key for the Region"
                    bare=true
                    mono=true
                    placeholder="KMS key"
                    value=key
                    commit=set_key
                />
                <button
                    type="button"
                    class="icon-button"
                    aria-label=move || format!("Remove replica {}", region.get())
                    title="Remove"
                    on:click=remove
                >
                    <Icon glyph=Glyph::Close />
                </button>
            </div>
        }
    };
    view! {
        <Section title="Replicas" summary=Signal::derive(move || count(amount.get()))>
            <For each=move || 0..amount.get() key=|at| *at let:at>
                {row(at)}
            </For>
            <button type="button" class="button small add" on:click=add>
                <Icon glyph=Glyph::Plus />
                "Add Region"
            </button>
            <Show when=move || { amount.get() > 0 }>
                <Select
                    label="Multi-Region consistency"
                    value=consistency
                    options=options(&[("eventual", "Eventual"), ("strong", "Strong")])
                    commit=set_table(
                        store,
                        "consistency",
                        |table, choice| {
                            table.multi_region_consistency = match choice.as_str() {
                                "strong" => MultiRegionConsistency::Strong,
                                _ => MultiRegionConsistency::Eventual,
                            };
                            Ok(())
                        },
                    )
                />
            </Show>
        </Section>
    }
}
