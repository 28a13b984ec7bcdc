//! The editor of the selected access pattern.

use super::condition_offers::Offered;
use super::form_row::{Edited, FormRow};
use super::parameters::{ParameterTable, PartiqlField};
use super::traffic::TrafficSection;
use crate::ui::dom::focus::focus_soon;
use crate::ui::reactive::erased::{For, Memo, RwSignal, Show, memo};
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::badge::badge;
use keyfold_app::patterns::form::{self, FieldInput, FieldRow, FormField, OPERATIONS};
use keyfold_app::patterns::{add_part, choose_entity, remove_part};
use keyfold_core::model::{AccessPattern, AccessPatternId, EntityId, Operation};
use leptos::prelude::*;
use std::sync::Arc;

/// The editor of one access pattern.
#[component]
pub fn Editor(
    /// Which.
    id: AccessPatternId,
) -> impl IntoView {
    let store = use_store();
    let pattern = memo(move |last: Option<&Arc<AccessPattern>>| {
        let found = store.access_patterns.with(|all| all.get(&id).cloned());
        found.or_else(|| last.cloned()).unwrap_or_else(|| {
            let operation = Operation::Scan {
                index: keyfold_core::model::IndexId::PRIMARY,
                limit: None,
                read: Default::default(),
            };
            Arc::new(keyfold_app::patterns::key_condition_offers::new_pattern(
                String::new(),
                operation,
            ))
        })
    });
    let names = memo(move |_| {
        let intended = pattern.with(|pattern| pattern.entities.clone());
        let mut names: Vec<String> = Vec::new();
        for node in store
            .entity_ids
            .get()
            .into_iter()
            .filter_map(|id| store.entity(id))
        {
            if !intended.is_empty() && !intended.contains(&node.id) {
                continue;
            }
            node.entity.with(|entity| {
                for attribute in &entity.attributes {
                    if !names.contains(&attribute.name) {
                        names.push(attribute.name.clone());
                    }
                }
            });
        }
        names.truncate(40);
        names
    });
    let edited = Edited {
        store,
        id,
        pattern,
        names,
        entered: RwSignal::new(None),
    };
    let rows = memo(move |_| {
        store.track_keys();
        store.entity_ids.track();
        let pattern = pattern.get();
        store.with(|design| form::rows(design, &pattern.operation))
    });
    let fixed = |slot, label: &str, input| FieldRow {
        slot,
        label: label.to_owned(),
        short: label.to_owned(),
        input,
        part: None,
    };
    let kinds = OPERATIONS
        .map(|kind| (kind.to_owned(), kind.to_owned()))
        .to_vec();
    let kind = fixed(
        FormField::Kind,
        "Operation",
        FieldInput::Choice(kinds.clone()),
    );
    let parts = memo(move |_| {
        rows.with(|rows| {
            let mut parts: Vec<Option<usize>> = Vec::new();
            for row in rows {
                if parts.last() != Some(&row.part) {
                    parts.push(row.part);
                }
            }
            parts
        })
    });
    // Operations with a PartiQL statement.
    let states = memo(move |_| {
        let is_batch = |operation: &Operation| {
            matches!(
                operation,
                Operation::BatchGetItem { .. } | Operation::TransactGetItems { .. }
            )
        };
        pattern.with(|p| p.operation.index().is_some() && !is_batch(&p.operation))
    });
    let reads = memo(move |_| {
        pattern.with(|p| {
            matches!(
                p.operation,
                Operation::Query { .. } | Operation::GetItem { .. }
            )
        })
    });
    view! {
        <section class="pattern-editor" aria-label="Access pattern">
            <h2 class="visually-hidden">{move || pattern.with(|pattern| pattern.name.clone())}</h2>
            <FormRow edited=edited row=fixed(FormField::Name, "Name", FieldInput::Text) />
            <Meant edited=edited />
            <FormRow edited=edited row=kind options=Signal::stored(kinds) />
            <Show when=move || reads.get()>
                <Offered edited=edited />
            </Show>
            <For each=move || parts.get() key=|part| *part let:part>
                <Part edited=edited rows=rows part=part />
            </For>
            <AddPart edited=edited />
            <FormRow
                edited=edited
                row=fixed(FormField::Description, "Description", FieldInput::Area)
            />
            <FormRow edited=edited row=fixed(FormField::Rate, "Peak rate", FieldInput::Number) />
            <TrafficSection edited=edited />
            <ParameterTable edited=edited />
            <Show when=move || states.get()>
                <PartiqlField edited=edited />
            </Show>
        </section>
    }
}

/// The fields of one key or action, or those of neither.
#[component]
fn Part(edited: Edited, rows: Memo<Vec<FieldRow>>, part: Option<usize>) -> impl IntoView {
    let is_scan = move || {
        let none = edited.store.entity_ids.with(Vec::is_empty);
        none || (edited.pattern).with(|p| matches!(p.operation, Operation::Scan { .. }))
    };
    let own = move || {
        rows.with(|rows| {
            // The condition of a query chooses what it reads.
            let is_shown =
                |row: &&FieldRow| row.part == part && (row.slot != FormField::Index || is_scan());
            rows.iter().filter(is_shown).cloned().collect::<Vec<_>>()
        })
    };
    let several =
        move || rows.with(|rows| rows.iter().any(|row| row.part.is_some_and(|at| at > 0)));
    let remove = move |at: usize| {
        edited.change_or_say("part", &|pattern| {
            remove_part(pattern, at);
            Ok(())
        });
    };
    view! {
        <div
            class="pattern-part"
            class:framed=part.is_some()
            role="group"
            aria-label=part.map_or("Operation".to_owned(), |at| format!("Part {}", at + 1))
        >
            {part
                .map(|at| {
                    view! {
                        <Show when=several>
                            <button
                                class="icon-button"
                                aria-label=format!("Remove part {}", at + 1)
                                title="Remove"
                                on:click=move |_| remove(at)
                            >
                                <Icon glyph=Glyph::Close />
                            </button>
                        </Show>
                    }
                })}
            <For
                each=own
                key=|row| (row.slot, row.label.clone(), matches!(row.input, FieldInput::Template))
                let:row
            >
                {
                    let slot = row.slot;
                    let options = memo(move |_| {
                        rows.with(|rows| {
                            let row = rows.iter().find(|row| row.slot == slot && row.part == part);
                            match row.map(|row| &row.input) {
                                Some(FieldInput::Choice(options)) => options.clone(),
                                _ => Vec::new(),
                            }
                        })
                    });
                    view! { <FormRow edited=edited row=row options=options /> }
                }
            </For>
        </div>
    }
}

/// The button that adds a key or an action.
#[component]
fn AddPart(edited: Edited) -> impl IntoView {
    let what = memo(move |_| {
        edited.pattern.with(|pattern| match &pattern.operation {
            Operation::BatchGetItem { .. } | Operation::TransactGetItems { .. } => "Add key",
            Operation::TransactWriteItems { .. } => "Add action",
            _ => "",
        })
    });
    let add = move |_| {
        let store = edited.store;
        edited.change_or_say("part", &|pattern| {
            store.with(|design| add_part(design, pattern))
        });
    };
    view! {
        <Show when=move || !what.get().is_empty()>
            <button class="button small add" on:click=add>
                <Icon glyph=Glyph::Plus />
                {move || what.get()}
            </button>
        </Show>
    }
}

/// Number of entities offered at first, after the intended ones.
const OFFERED: usize = 12;

/// The entities that the access pattern intends to return or write.
#[component]
fn Meant(edited: Edited) -> impl IntoView {
    let store = edited.store;
    let offers_all = RwSignal::new(false);
    // Entities chosen or removed meanwhile keep their position.
    let first = untrack(|| edited.pattern.with(|pattern| pattern.entities.clone()));
    let most = first.len() + OFFERED;
    let toggle = move |id: EntityId| {
        let guess = store.proofs.guess.get_value();
        store.proofs.guess.set_value(None);
        let guess = guess.filter(|(of, _)| *of == edited.id).map(|(_, it)| it);
        edited.change_or_say("entities", &|pattern| {
            store.with(|design| choose_entity(design, pattern, id, guess));
            Ok(())
        });
    };
    let count = move || store.entity_ids.with(Vec::len);
    let all = move || {
        let ids = store.entity_ids.get();
        let are_few = ids.len() <= most;
        let (first, others): (Vec<_>, Vec<_>) =
            (ids.into_iter()).partition(|id| are_few || first.contains(id));
        let offered = if offers_all.get() {
            others.len()
        } else {
            OFFERED
        };
        let ids = first.into_iter().chain(others.into_iter().take(offered));
        let nodes = ids.filter_map(|id| store.entity(id));
        let named = nodes.map(|node| {
            let (name, hue) = node.entity.with(|entity| (entity.name.clone(), entity.hue));
            (node.id, name, hue)
        });
        named.collect::<Vec<_>>()
    };
    view! {
        <div class="field" role="group" aria-label="Intended entities">
            <span class="field-label">"Intended entities"</span>
            <div class="pattern-entities">
                <For each=all key=|entity| entity.clone() let((id, name, hue))>
                    <button
                        class=format!("pattern-entity hue-{hue}")
                        aria-pressed=move || {
                            edited
                                .pattern
                                .with(|pattern| pattern.entities.contains(&id))
                                .to_string()
                        }
                        on:click=move |_| toggle(id)
                    >
                        <span class="badge" aria-hidden="true">
                            {badge(&name)}
                        </span>
                        {name.clone()}
                    </button>
                </For>
                <Show when=move || !offers_all.get() && most < count()>
                    <button
                        class="button small quiet"
                        on:click=move |_| {
                            offers_all.set(true);
                            focus_soon(format!(".pattern-entity:nth-child({})", most + 1));
                        }
                    >
                        {move || format!("All {} entities", count())}
                    </button>
                </Show>
            </div>
        </div>
    }
}
