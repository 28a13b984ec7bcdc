//! Shortcuts to a key condition: which entity's items, from which table or index, how much of the sort key is known.
//! If no key serves the access pattern yet: which attributes are known.

use super::form_row::Edited;
use crate::ui::dom::tints::tint;
use crate::ui::reactive::erased::{For, Memo, RwSignal, Show, memo};
use crate::ui::reactive::follow_ids::follow_signal;
use crate::ui::widgets::field::{Commit, Select};
use keyfold_app::patterns::key_condition_offers::{self, Offer};
use keyfold_app::patterns::requirements;
use keyfold_core::model::{EntityId, IndexId};
use keyfold_core::proof;
use leptos::prelude::*;

/// The value of the option that stands for no key.
const WISH: &str = "wish";

/// The three choices.
#[component]
pub fn Offered(
    /// What it belongs to.
    edited: Edited,
) -> impl IntoView {
    let store = edited.store;
    let pattern = edited.pattern;
    // Everything that decides the options.
    let follow = move || {
        store.delimiter.track();
        store.track_keys();
    };
    let picked = RwSignal::new(None::<EntityId>);
    store.when_moved(move |moved| follow_signal(picked, moved));
    let entities = memo(move |_| {
        let nodes = store
            .entity_ids
            .get()
            .into_iter()
            .filter_map(|id| store.entity(id));
        let options = nodes.map(|node| {
            let name = node.entity.with(|entity| entity.name.clone());
            (node.id.to_string(), name)
        });
        options.collect::<Vec<_>>()
    });
    let entity = memo(move |_| {
        let ids = store.entity_ids.get();
        let intended = pattern.with(|pattern| pattern.entities.clone());
        let picked = picked
            .get()
            .filter(|id| intended.is_empty() || intended.contains(id));
        let first = intended.first().or(ids.first()).copied();
        picked.or(first).filter(|id| ids.contains(id))
    });
    let is_wish =
        memo(move |_| pattern.with(|pattern| proof::is_read_requirement(&pattern.operation)));
    let through = memo(move |_| match is_wish.get() {
        true => WISH.to_owned(),
        false => {
            let index = pattern.with(|pattern| pattern.operation.index());
            index.map_or(String::new(), |index| index.to_string())
        }
    });
    let indexes = memo(move |_| {
        follow();
        let id = entity.get()?;
        store.entity(id)?.entity.track();
        let mut options = store.with(|design| {
            let all = key_condition_offers::indexes_of(design, id).into_iter();
            let named = |index: IndexId| (index.to_string(), design.index_name(index).to_owned());
            all.map(named).collect::<Vec<_>>()
        });
        let now = through.get();
        if now != WISH && !options.iter().any(|(value, _)| *value == now) {
            let name = store.with(|design| {
                let index: Option<IndexId> = now.parse().ok();
                index.map_or(String::new(), |index| design.index_name(index).to_owned())
            });
            options.push((now, format!("{name} (does not contain the entity)")));
        }
        options.push((
            WISH.to_owned(),
            "No key yet: choose known attributes".to_owned(),
        ));
        Some(options)
    });
    let index = memo(move |_| pattern.with(|pattern| pattern.operation.index()));
    let all = memo(move |_| -> Vec<Offer> {
        follow();
        let (Some(id), Some(index)) = (entity.get(), index.get()) else {
            return Vec::new();
        };
        if let Some(node) = store.entity(id) {
            node.entity.track();
        }
        store.with(|design| key_condition_offers::offers(design, id, index))
    });
    let given = memo(move |_| {
        let at = all.with(|all| {
            pattern.with(|pattern| {
                let now = key_condition_offers::bare(&pattern.operation);
                all.iter().position(|offer| offer.operation == now)
            })
        });
        at.map_or(String::new(), |at| at.to_string())
    });
    let givens = memo(move |_| {
        let mut options: Vec<(String, String)> = all.with(|all| {
            let texts = all.iter().enumerate();
            texts
                .map(|(at, offer)| (at.to_string(), offer.text.clone()))
                .collect()
        });
        if given.with(String::is_empty) {
            options.insert(0, (String::new(), "Custom".to_owned()));
        }
        options
    });
    let take = move |id: EntityId, offer: &Offer| {
        edited.change("condition", &|pattern| {
            *pattern =
                store.with(|design| key_condition_offers::with_offer(design, pattern, id, offer));
            Ok(())
        })
    };
    let set_entity = Commit::new(move |value: String| {
        let Ok(id) = value.parse::<EntityId>() else {
            return Ok(());
        };
        picked.set(Some(id));
        edited.change("entities", &|pattern| {
            if !pattern.entities.contains(&id) {
                pattern.entities = vec![id];
                // A wish cannot use another entity's attributes.
                if proof::is_read_requirement(&pattern.operation) {
                    return store
                        .with(|design| requirements::require(design, id, &[], None, pattern));
                }
            }
            Ok(())
        })
    });
    let set_index = Commit::new(move |value: String| {
        let Some(id) = entity.get_untracked() else {
            return Ok(());
        };
        if value == WISH {
            return edited.change("condition", &|pattern| {
                store.with(|design| requirements::require(design, id, &[], None, pattern))
            });
        }
        let Ok(index) = value.parse::<IndexId>() else {
            return Ok(());
        };
        let offers = store.with(|design| key_condition_offers::offers(design, id, index));
        // The most likely choice for the table or an index: its own items.
        let begins = (offers.iter()).find(|offer| offer.text.contains(" begins with "));
        match begins.or(offers.first()) {
            Some(offer) => take(id, offer),
            None => Ok(()),
        }
    });
    let set_given = Commit::new(move |value: String| {
        let at = value.parse::<usize>().ok();
        let offer = at.and_then(|at| all.with_untracked(|all| all.get(at).cloned()));
        match (entity.get_untracked(), offer) {
            (Some(id), Some(offer)) => take(id, &offer),
            _ => Ok(()),
        }
    });
    view! {
        <Show when=move || entity.get().is_some()>
            <div
                class="pattern-offer"
                role="group"
                aria-label="Condition from the entity's templates"
            >
                <Select
                    label="Entity"
                    value=Signal::derive(move || {
                        entity.get().map_or(String::new(), |id| id.to_string())
                    })
                    options=entities
                    commit=set_entity
                />
                <Select
                    label="Table or index"
                    value=through
                    options=Signal::derive(move || indexes.get().unwrap_or_default())
                    commit=set_index
                />
                <Show
                    when=move || is_wish.get()
                    fallback=move || {
                        view! {
                            <Select
                                label="Key condition"
                                value=given
                                options=givens
                                commit=set_given
                            />
                        }
                    }
                >
                    <Known edited=edited entity=entity />
                </Show>
            </div>
        </Show>
    }
}

/// What is known of the items if no key serves the access pattern yet: attributes equal to a parameter, and one that
/// orders them.
#[component]
fn Known(edited: Edited, entity: Memo<Option<EntityId>>) -> impl IntoView {
    let store = edited.store;
    let names = memo(move |_| {
        let node = entity.get().and_then(|id| store.entity(id));
        node.map_or_else(Vec::new, |node| {
            node.entity.with(|entity| {
                let names = entity.attributes.iter().map(|a| a.name.clone());
                names.collect::<Vec<_>>()
            })
        })
    });
    let known = memo(move |_| {
        let filter = edited
            .pattern
            .with(|pattern| requirements::filter_of(&pattern.operation).to_owned());
        names.with(|names| {
            let is_known = |name: &&String| requirements::is_equal_in(&filter, name);
            names
                .iter()
                .filter(is_known)
                .cloned()
                .collect::<Vec<String>>()
        })
    });
    let range = memo(move |_| {
        let filter = edited
            .pattern
            .with(|pattern| requirements::filter_of(&pattern.operation).to_owned());
        names.with(|names| {
            let is_ranged = |name: &&String| requirements::is_range_in(&filter, name);
            names.iter().find(is_ranged).cloned().unwrap_or_default()
        })
    });
    let set = move |known: Vec<String>, range: String| {
        edited.change("known attributes", &|pattern| {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let range = (!range.is_empty()).then_some(range.as_str());
            let Some(id) = entity.get_untracked() else {
                return Ok(());
            };
            store.with(|design| requirements::require(design, id, &known, range, pattern))
        })
    };
    let toggle = move |name: &str| {
        let mut all = known.get_untracked();
        match all.iter().position(|other| other == name) {
            Some(at) => drop(all.remove(at)),
            None => all.push(name.to_owned()),
        }
        store.complain_if_refused(set(all, range.get_untracked()));
    };
    let orders = memo(move |_| {
        let mut options = vec![(String::new(), "None".to_owned())];
        names.with(|names| {
            options.extend(names.iter().map(|n| (n.clone(), n.clone())));
        });
        options
    });
    let set_range = Commit::new(move |name: String| set(known.get_untracked(), name));
    view! {
        <div class="field" role="group" aria-label="Known attributes">
            <span class="field-label">"Known attributes"</span>
            <div class="pattern-entities">
                <For each=move || names.get() key=|name| name.clone() let:name>
                    {
                        let own = name.clone();
                        let typed = name.clone();
                        view! {
                            <button
                                class=format!("chip known {}", tint(&name))
                                data-follow=name.clone()
                                aria-pressed=move || {
                                    known.with(|known| known.contains(&own)).to_string()
                                }
                                on:click=move |_| toggle(&typed)
                            >
                                {name.clone()}
                            </button>
                        }
                    }
                </For>
            </div>
        </div>
        <Select label="Range" value=range options=orders commit=set_range />
    }
}
