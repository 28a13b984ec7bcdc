//! A secondary index: its key, projection, capacity and entities.

use super::capacity::{Insights, Throughput, UnitPair};
use super::delete_button::DeleteButton;
use super::edit;
use super::edit::{edit_index, focus_last_soon, options, set_index};
use super::index_key::IndexKey;
use super::section::Section;
use crate::ui::dom::tints::tint;
use crate::ui::reactive::erased::{For, Show, memo};
use crate::ui::state::store::{EntityNode, IndexNode, use_store};
use crate::ui::widgets::field::{Select, TextArea, TextField, Toggle};
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::template_text::TemplateText;
use keyfold_app::badge::badge;
use keyfold_app::{Command, Refused, suggest};
use keyfold_core::model::{
    Billing, CardId, EntityId, IndexId, IndexKind, MaxRequestUnits, Projection,
    ProvisionedThroughput, WarmThroughput, in_order,
};
use leptos::prelude::*;

/// The inspector of one secondary index.
#[component]
pub fn IndexInspector(
    /// The index.
    id: IndexId,
) -> impl IntoView {
    let store = use_store();
    let node = store.index(id)?;
    let name = edit::index(&node, |index| index.name.clone());
    let kind = node.index.with_untracked(|index| index.kind);
    Some(view! {
        <header class="inspector-head">
            <span class="kind">{kind.label()}</span>
            <h2>{move || name.get()}</h2>
        </header>
        <div class="section-body first">
            <TextField
                label="Index name"
                mono=true
                value=name
                commit=set_index(
                    store,
                    id,
                    "name",
                    |index, name| {
                        index.name = name;
                        Ok(())
                    },
                )
            />
            <TextArea
                label="Description"
                placeholder="What it is for"
                value=edit::index(&node, |index| index.description.clone())
                commit=set_index(
                    store,
                    id,
                    "description",
                    |index, text| {
                        index.description = text;
                        Ok(())
                    },
                )
            />
        </div>
        <IndexKey node=node.clone() />
        <Members node=node.clone() />
        <ProjectionEditor node=node.clone() />
        {(kind == IndexKind::Gsi).then(|| view! { <IndexCapacity node=node /> })}
        <footer class="inspector-foot">
            <DeleteButton card=CardId::Index(id) label="Delete index" />
        </footer>
    })
}

#[component]
fn Members(node: IndexNode) -> impl IntoView {
    let store = use_store();
    let id = node.id;
    let split = move |inside: bool| {
        memo(move |_| {
            (store.entity_ids.get().into_iter())
                .filter_map(|entity| store.entity(entity))
                .filter(|node| node.entity.with(|e| e.keys.contains_key(&id)) == inside)
                .map(|node| node.id)
                .collect::<Vec<EntityId>>()
        })
    };
    let (members, others) = (split(true), split(false));
    let choices = memo(move |_| {
        (others.get().into_iter())
            .filter_map(|entity| store.entity(entity))
            .map(|node| {
                (
                    node.id.to_string(),
                    node.entity.with(|entity| entity.name.clone()),
                )
            })
            .collect::<Vec<_>>()
    });
    let select: NodeRef<leptos::html::Select> = NodeRef::new();
    let add = move |_| {
        let chosen = select.get_untracked().map(|select| select.value());
        if let Some(Ok(entity)) = chosen.map(|text| text.parse::<EntityId>()) {
            let entry = store.with(|design| suggest::index_entry(design, entity, id));
            store.complain_if_refused(store.run(Command::JoinIndex(entity, id, entry)));
        }
    };
    view! {
        <Section
            title="Entities"
            open=true
            summary=Signal::derive(move || members.with(|members| members.len().to_string()))
        >
            <div class="member-list">
                <For each=move || members.get() key=|id| *id let:entity>
                    {store.entity(entity).map(|node| view! { <Member node=node index=id /> })}
                </For>
            </div>
            <Show when=move || choices.with(|choices| !choices.is_empty())>
                <div class="action-row">
                    <select node_ref=select aria-label="Entity to add to index">
                        <For each=move || choices.get() key=|option| option.clone() let:option>
                            <option value=option.0>{option.1}</option>
                        </For>
                    </select>
                    <button type="button" class="button small" on:click=add>
                        <Icon glyph=Glyph::Plus />
                        "Add entity"
                    </button>
                </div>
            </Show>
        </Section>
    }
}

/// An entity in the index, with its templates; a click selects it.
#[component]
fn Member(node: EntityNode, index: IndexId) -> impl IntoView {
    let store = use_store();
    let id = node.id;
    let entity = node.entity;
    let content = move || {
        entity.with(|entity| {
            let entry = entity.keys.get(&index);
            let templates: Vec<String> = entry
                .map(|entry| entry.partition.iter().chain(&entry.sort).cloned().collect())
                .unwrap_or_default();
            view! {
                <span class=format!("badge hue-{}", entity.hue) aria-hidden="true">
                    {badge(&entity.name)}
                </span>
                <span class="member-name">{entity.name.clone()}</span>
                <span class="member-templates">
                    {templates
                        .into_iter()
                        .map(|text| view! { <TemplateText text=text /> })
                        .collect_view()}
                </span>
            }
        })
    };
    view! {
        <button type="button" class="member" on:click=move |_| store.select(CardId::Entity(id))>
            {content}
        </button>
    }
}

#[component]
fn ProjectionEditor(node: IndexNode) -> impl IntoView {
    let store = use_store();
    let id = node.id;
    let projection = edit::index(&node, |index| index.projection.clone());
    let word = memo(move |_| {
        projection.with(|projection| match projection {
            Projection::All => "all",
            Projection::KeysOnly => "keys",
            Projection::Include(_) => "include",
        })
    });
    let included = memo(move |_| {
        projection.with(|projection| match projection {
            Projection::Include(names) => names.clone(),
            _ => Vec::new(),
        })
    });
    let amount = memo(move |_| included.with(Vec::len));
    let set_included = move |change: &dyn Fn(&mut Vec<String>)| {
        edit_index(store, id, "projection", |index| {
            if let Projection::Include(names) = &mut index.projection {
                change(names);
                let mut seen = keyfold_core::model::SortedSet::new();
                if let Some(twice) = names.iter().find(|name| !seen.insert(*name)) {
                    return Err(Refused(format!("`{twice}` is already in the list")));
                }
            }
            Ok(())
        })
    };
    // The entities' attributes that are not in the list.
    let offered = memo(move |_| {
        let names = (store.entity_ids.get().into_iter())
            .filter_map(|entity| store.entity(entity))
            .filter(|node| node.entity.with(|e| e.keys.contains_key(&id)))
            .flat_map(|node| {
                node.entity.with(|e| {
                    e.attributes
                        .iter()
                        .map(|a| a.name.clone())
                        .collect::<Vec<_>>()
                })
            })
            .filter(|name| included.with(|included| !included.contains(name)));
        let mut names = in_order(names);
        names.dedup();
        names
    });
    let row = move |at: usize| {
        let name = memo(move |_| included.with(|names| names.get(at).cloned().unwrap_or_default()));
        view! {
            <div class="value-row">
                <TextField
                    label=format!("Included attribute {}", at + 1)
                    bare=true
                    mono=true
                    value=name
                    commit=Callback::new(move |text: String| {
                        set_included(
                            &|names| {
                                if let Some(name) = names.get_mut(at) {
                                    name.clone_from(&text);
                                }
                            },
                        )
                    })
                />
                <button
                    type="button"
                    class="icon-button"
                    aria-label=move || format!("Remove {}", name.get())
                    title="Remove"
                    on:click=move |_| {
                        store.complain_if_refused(set_included(&|names| drop(names.remove(at))));
                    }
                >
                    <Icon glyph=Glyph::Close />
                </button>
            </div>
        }
    };
    let add = move |_| {
        let done = set_included(&|names| {
            let name = suggest::free_name("attribute", |name| names.iter().any(|n| n == name));
            names.push(name);
        });
        store.complain_if_refused(done);
        focus_last_soon(".projection .value-row input".into());
    };
    view! {
        <Section title="Projection" open=true>
            <Select
                label="Attributes"
                value=Signal::derive(move || word.get().to_owned())
                options=options(
                    &[
                        ("all", "All"),
                        ("keys", "Keys only"),
                        ("include", "Include: keys and listed attributes"),
                    ],
                )
                commit=set_index(
                    store,
                    id,
                    "projection",
                    |index, word| {
                        index.projection = match word.as_str() {
                            "keys" => Projection::KeysOnly,
                            "include" => Projection::Include(Vec::new()),
                            _ => Projection::All,
                        };
                        Ok(())
                    },
                )
            />
            <Show when=move || word.get() == "include">
                <div class="projection" role="group" aria-label="Included attributes">
                    <For each=move || 0..amount.get() key=|at| *at let:at>
                        {row(at)}
                    </For>
                    <div class="template-chips" role="group" aria-label="Entity attributes">
                        <For each=move || offered.get() key=|name| name.clone() let:name>
                            {
                                let added = name.clone();
                                let class = format!("chip {}", tint(&name));
                                let label = format!("Include {name}");
                                view! {
                                    <button
                                        type="button"
                                        class=class
                                        data-follow=name.clone()
                                        aria-label=label
                                        on:click=move |_| {
                                            store
                                                .complain_if_refused(
                                                    set_included(&|names| names.push(added.clone())),
                                                );
                                        }
                                    >
                                        {name.clone()}
                                    </button>
                                }
                            }
                        </For>
                    </div>
                    <button type="button" class="button small add" on:click=add>
                        <Icon glyph=Glyph::Plus />
                        "Add attribute"
                    </button>
                </div>
            </Show>
        </Section>
    }
}

#[component]
fn IndexCapacity(node: IndexNode) -> impl IntoView {
    let store = use_store();
    let id = node.id;
    let table_provisioned = edit::table(store, |table| {
        matches!(table.billing, Billing::Provisioned(_))
    });
    let own = edit::index(&node, |index| index.provisioned.clone());
    let has_own = memo(move |_| own.with(Option::is_some));
    let limits = edit::index(&node, |index| index.max_request_units.unwrap_or_default());
    let warm = edit::index(&node, |index| index.warm_throughput.unwrap_or_default());
    let set_own = move |own: Option<ProvisionedThroughput>| {
        edit_index(store, id, "capacity", |index| {
            index.provisioned = own;
            Ok(())
        })
    };
    let limit_fields = move || {
        view! {
            <UnitPair
                names=("Max read request units", "Max write request units")
                empty="table's limit"
                value=Signal::derive(move || (limits.get().read, limits.get().write))
                set=Callback::new(move |(read, write): (Option<u64>, Option<u64>)| {
                    edit_index(
                        store,
                        id,
                        "limits",
                        |index| {
                            index.max_request_units = (read.or(write))
                                .map(|_| MaxRequestUnits { read, write });
                            Ok(())
                        },
                    )
                })
            />
        }
    };
    view! {
        <Section title="Index capacity">
            <Show when=move || table_provisioned.get() fallback=limit_fields>
                <Toggle
                    label="Custom capacity"
                    on=has_own
                    commit=Callback::new(move |on: bool| {
                        store.complain_if_refused(set_own(on.then(ProvisionedThroughput::default)));
                    })
                />
                <Show
                    when=move || has_own.get()
                    fallback=|| {
                        view! {
                            <p class="hint">
                                "The index gets its own capacity units, with the same values as the table."
                            </p>
                        }
                    }
                >
                    <Throughput
                        value=memo(move |_| own.get().unwrap_or_default())
                        set=Callback::new(move |throughput| set_own(Some(throughput)))
                    />
                </Show>
            </Show>
            <UnitPair
                names=("Warm read units/s", "Warm write units/s")
                empty="default"
                value=Signal::derive(move || (warm.get().read, warm.get().write))
                set=Callback::new(move |(read, write): (Option<u64>, Option<u64>)| {
                    edit_index(
                        store,
                        id,
                        "warm throughput",
                        |index| {
                            index.warm_throughput = (read.or(write))
                                .map(|_| WarmThroughput { read, write });
                            Ok(())
                        },
                    )
                })
            />
            <Insights
                value=edit::index(&node, |index| index.contributor_insights)
                set=Callback::new(move |insights| {
                    edit_index(
                        store,
                        id,
                        "Contributor Insights",
                        |index| {
                            index.contributor_insights = insights;
                            Ok(())
                        },
                    )
                })
            />
        </Section>
    }
}
