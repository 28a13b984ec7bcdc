//! The conditions for an entity's items to be in a sparse index.

use super::edit::{Edited, focus_last_soon};
use super::value_fields::{ValueField, ValueList, Weighted};
use crate::ui::reactive::erased::{For, Memo, memo};
use crate::ui::state::store::{EntityNode, use_store};
use crate::ui::widgets::field::{Commit, Select};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::sparse_condition::{self, Operator};
use keyfold_app::{Command, Refused};
use keyfold_core::model::{Condition, IndexId, Test, Value};
use leptos::prelude::*;

/// The editor of one entry's conditions.
#[component]
pub fn Conditions(
    /// The entity.
    node: EntityNode,
    /// The index.
    index: IndexId,
) -> impl IntoView {
    let store = use_store();
    let id = node.id;
    let entity = node.entity.clone();
    let conditions = memo({
        let entity = entity.clone();
        move |_| {
            entity.with(|entity| {
                let entry = entity.keys.get(&index);
                entry.map(|entry| entry.when.clone()).unwrap_or_default()
            })
        }
    });
    let amount = memo(move |_| conditions.with(Vec::len));
    let add = {
        let entity = entity.clone();
        move |_| {
            let mut all = conditions.get_untracked();
            let Some(first) =
                entity.with_untracked(|entity| sparse_condition::first_condition(entity))
            else {
                let reason = "add an attribute first: a condition needs one";
                return store.complain_if_refused(Err(Refused(reason.into())));
            };
            all.push(first);
            store.complain_if_refused(store.run(Command::SetConditions(id, index, all)));
            focus_last_soon(format!(
                "[data-block=\"{id}-{index}\"] .condition-word + .field select"
            ));
        }
    };
    view! {
        <div class="conditions">
            <For each=move || 0..amount.get() key=|at| *at let:at>
                <ConditionRow node=node.clone() index=index conditions=conditions at=at />
            </For>
            <button type="button" class="button small add" on:click=add>
                <Icon glyph=Glyph::Plus />
                "Add condition"
            </button>
        </div>
    }
}

#[component]
fn ConditionRow(
    node: EntityNode,
    index: IndexId,
    conditions: Memo<Vec<Condition>>,
    at: usize,
) -> impl IntoView {
    let store = use_store();
    let id = node.id;
    let entity = node.entity;
    let current = memo(move |last: Option<&Condition>| {
        let found = conditions.with(|all| all.get(at).cloned());
        found.or_else(|| last.cloned()).unwrap_or(Condition {
            attribute: String::new(),
            test: Test::Exists,
        })
    });
    let set = move |condition: Condition| -> Edited {
        let mut all = conditions.get_untracked();
        if let Some(slot) = all.get_mut(at) {
            *slot = condition;
        }
        store.run(Command::SetConditions(id, index, all))
    };
    let set_test = move |test: Test| {
        set(Condition {
            test,
            ..current.get_untracked()
        })
    };
    let attribute = memo(move |_| current.with(|current| current.attribute.clone()));
    let attributes = {
        let entity = entity.clone();
        memo(move |_| {
            let mut names: Vec<String> =
                entity.with(|entity| entity.attributes.iter().map(|a| a.name.clone()).collect());
            let chosen = attribute.get();
            if !names.contains(&chosen) {
                names.push(chosen);
            }
            names
                .into_iter()
                .map(|name| (name.clone(), name))
                .collect::<Vec<_>>()
        })
    };
    let kind = memo(move |_| {
        entity.with(|entity| attribute.with(|name| sparse_condition::kind_of(entity, name)))
    });
    let operator = memo(move |_| current.with(|current| Operator::of(&current.test)));
    let operators: Vec<(String, String)> = (Operator::ALL.iter())
        .map(|operator| (operator.label().to_owned(), operator.label().to_owned()))
        .collect();
    let values = memo(move |_| {
        current.with(|current| {
            let values = sparse_condition::values(&current.test);
            values
                .iter()
                .map(|value| (value.clone(), 1))
                .collect::<Vec<_>>()
        })
    });
    let choose_attribute = Commit::new(move |name: String| {
        let condition = current.get_untracked();
        set(store.with(|design| sparse_condition::with_attribute(design, id, &condition, name)))
    });
    let choose_operator = Commit::new(move |label: String| {
        let Some(operator) = Operator::ALL.into_iter().find(|o| o.label() == label) else {
            return Ok(());
        };
        let condition = current.get_untracked();
        let first =
            store.with(|design| sparse_condition::first_value(design, id, &condition.attribute));
        set_test(operator.test(&condition.test, first))
    });
    let remove = move |_| {
        let mut all = conditions.get_untracked();
        if at < all.len() {
            all.remove(at);
        }
        store.complain_if_refused(store.run(Command::SetConditions(id, index, all)));
    };
    let set_values = Callback::new(move |values: Vec<Weighted>| {
        let values = values.into_iter().map(|(value, _)| value).collect();
        set_test(sparse_condition::with_values(
            &current.get_untracked().test,
            values,
        ))
    });
    let fields = move || match operator.get() {
        Operator::Exists | Operator::Missing => ().into_any(),
        Operator::OneOf => {
            view! { <ValueList name="value" kind=kind values=values set=set_values /> }.into_any()
        }
        Operator::Equals | Operator::NotEquals => view! {
            <ValueField
                label="Condition value"
                bare=true
                kind=kind
                value=Signal::derive(move || {
                    values.with(|all| all.first().map_or(Value::Null, |(value, _)| value.clone()))
                })
                set=Callback::new(move |value| set_values.run(vec![(value, 1)]))
            />
        }
        .into_any(),
    };
    view! {
        <div class="condition-row" role="group" aria-label="Condition">
            <span class="condition-word">{if at == 0 { "when" } else { "and" }}</span>
            <Select
                label="Condition attribute"
                bare=true
                value=attribute
                options=attributes
                commit=choose_attribute
            />
            <Select
                label="Condition operator"
                bare=true
                value=Signal::derive(move || operator.get().label().to_owned())
                options=Signal::stored(operators)
                commit=choose_operator
            />
            <div class="condition-values">{fields}</div>
            <button
                type="button"
                class="icon-button"
                aria-label="Remove condition"
                title="Remove condition"
                on:click=remove
            >
                <Icon glyph=Glyph::Close />
            </button>
        </div>
    }
}
