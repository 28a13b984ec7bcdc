//! What several selected entities have in common: color, attributes, indexes. Each edit is one step for all of them.

use super::add_to_index::AddToIndex;
use super::colors::Hues;
use super::section::Section;
use crate::ui::reactive::erased::{For, RwSignal, Show, memo};
use crate::ui::state::store::{IndexNode, Store, use_store};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::{Command, Refused, attribute_list, several_entities};
use keyfold_core::model::{CardId, EntityId, IndexId};
use leptos::html::Input;
use leptos::prelude::*;
use web_sys::HtmlInputElement;

/// Shown as the color if they have several.
const MIXED: u8 = u8::MAX;

/// The selected entities.
fn selected(store: Store) -> Vec<EntityId> {
    let entity = |card: &CardId| match card {
        CardId::Entity(id) => Some(*id),
        _ => None,
    };
    (store.selection).with(|cards| cards.iter().filter_map(entity).collect())
}

/// The fields of several entities.
#[component]
pub fn SeveralEntities() -> impl IntoView {
    let store = use_store();
    let ids = memo(move |_| selected(store));
    let nodes = move || (ids.get().into_iter()).filter_map(move |id| store.entity(id));
    let hue = memo(move |_| {
        let mut hues = nodes().map(|node| node.entity.with(|entity| entity.hue));
        let first = hues.next().unwrap_or(MIXED);
        if hues.all(|hue| hue == first) {
            first
        } else {
            MIXED
        }
    });
    let run = move |command: Result<Command, Refused>| {
        let done = command.and_then(|command| store.run(command));
        let is_done = done.is_ok();
        store.complain_if_refused(done);
        is_done
    };
    view! {
        <div class="section-body first">
            <Hues
                hue=hue
                choose=Callback::new(move |hue| {
                    run(Ok(several_entities::set_hue(&ids.get_untracked(), hue)));
                })
            />
        </div>
        <Section title="Attributes of all" open=true>
            <SharedAttributes ids=Signal::derive(move || ids.get()) run=Callback::new(run) />
        </Section>
        <Section title="Indexes" open=true>
            <JoinIndex ids=Signal::derive(move || ids.get()) run=Callback::new(run) />
        </Section>
    }
}

/// Runs a command, and returns whether it was not refused.
type Run = Callback<Result<Command, Refused>, bool>;

#[component]
fn SharedAttributes(ids: Signal<Vec<EntityId>>, run: Run) -> impl IntoView {
    let store = use_store();
    let shared = memo(move |_| {
        for node in ids.get().into_iter().filter_map(|id| store.entity(id)) {
            node.entity.track();
        }
        store.with(|design| several_entities::shared_attributes(design, &ids.get()))
    });
    let typed = RwSignal::new(String::new());
    let input: NodeRef<Input> = NodeRef::new();
    let add = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let list = attribute_list::parse(&typed.get_untracked());
        let command = store
            .with(|design| several_entities::add_attributes(design, &ids.get_untracked(), &list));
        if run.run(command) {
            typed.set(String::new());
        }
        if let Some(input) = input.get_untracked() {
            let _ = input.focus();
        }
    };
    view! {
        <Show
            when=move || shared.with(|shared| !shared.is_empty())
            fallback=|| view! { <p class="hint">"No attribute is in all of them."</p> }
        >
            <ul class="shared-attributes" aria-label="Required in all">
                <For each=move || shared.get() key=|shared| shared.name.clone() let:attribute>
                    {
                        let name = StoredValue::new(attribute.name.clone());
                        let required = memo(move |_| {
                            shared
                                .with(|shared| {
                                    let mut all = shared.iter();
                                    let found = name
                                        .with_value(|name| all.find(|s| s.name == *name));
                                    found.and_then(|found| found.required)
                                })
                        });
                        let change = move |event| {
                            let on = event_target_checked(&event);
                            let command = name
                                .with_value(|name| {
                                    store
                                        .with(|design| {
                                            several_entities::require(
                                                design,
                                                &ids.get_untracked(),
                                                name,
                                                on,
                                            )
                                        })
                                });
                            run.run(command);
                            if let Some(now) = required.try_get_untracked() {
                                let input: HtmlInputElement = event_target(&event);
                                input.set_checked(now == Some(true));
                                input.set_indeterminate(now.is_none());
                            }
                        };
                        view! {
                            <li>
                                <label class="toggle">
                                    <input
                                        type="checkbox"
                                        aria-label=format!("{} is required", attribute.name)
                                        prop:checked=move || required.get() == Some(true)
                                        prop:indeterminate=move || required.get().is_none()
                                        on:change=change
                                    />
                                    <code>{attribute.name}</code>
                                    <span class="hint" aria-hidden="true">
                                        {move || match required.get() {
                                            Some(true) => "required",
                                            Some(false) => "optional",
                                            None => "required in some",
                                        }}
                                    </span>
                                </label>
                            </li>
                        }
                    }
                </For>
            </ul>
        </Show>
        <form class="action-row" on:submit=add>
            <input
                node_ref=input
                type="text"
                class="mono"
                aria-label="Attribute to add to all"
                placeholder="name type"
                spellcheck="false"
                autocomplete="off"
                data-draft=move || typed.with(|typed| !typed.is_empty()).then_some("")
                prop:value=move || typed.get()
                on:input=move |event| typed.set(event_target_value(&event))
            />
            <button
                type="submit"
                class="button small"
                disabled=move || typed.with(|typed| typed.trim().is_empty())
            >
                <Icon glyph=Glyph::Plus />
                "Add to all"
            </button>
        </form>
    }
}

#[component]
fn JoinIndex(ids: Signal<Vec<EntityId>>, run: Run) -> impl IntoView {
    let store = use_store();
    let indexes = memo(move |_| {
        let nodes = (store.index_ids.get().into_iter()).filter_map(|id| store.index(id));
        let named = |node: IndexNode| {
            let name = node.index.with(|index| index.name.clone());
            (node.id.to_string(), name)
        };
        nodes.map(named).collect::<Vec<_>>()
    });
    let join = move |choice: String| {
        if let Ok(index) = choice.parse::<IndexId>() {
            run.run(store.with(|design| {
                several_entities::add_to_index(design, &ids.get_untracked(), index)
            }));
        }
    };
    view! {
        <Show
            when=move || indexes.with(|indexes| !indexes.is_empty())
            fallback=|| view! { <p class="hint">"No secondary index. Add one to the canvas."</p> }
        >
            <AddToIndex
                label="Index to add entities to"
                options=indexes
                choose=Callback::new(join)
            />
        </Show>
    }
}
