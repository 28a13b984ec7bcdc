//! Fields for attribute values: one value by its type, or a list of them.

use super::edit::{Edited, focus_last_soon, options};
use crate::ui::reactive::erased::{For, Memo, memo};
use crate::ui::state::store::use_store;
use crate::ui::widgets::field::{Commit, Select, TextField, unique_id};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::{Refused, sparse_condition};
use keyfold_core::model::{AttributeType, Value};
use leptos::prelude::*;

/// A value and its weight.
pub type Weighted = (Value, u32);

/// A field for one value of a type.
#[component]
pub fn ValueField(
    /// Its name.
    #[prop(into)]
    label: Signal<String>,
    /// The type.
    kind: Memo<AttributeType>,
    /// The value.
    #[prop(into)]
    value: Signal<Value>,
    /// Called with the changed value.
    set: Callback<Value, Edited>,
    /// Whether only screen readers get its label.
    #[prop(optional)]
    bare: bool,
) -> impl IntoView {
    let text = memo(move |_| value.with(Value::to_text));
    let commit = Commit::new(move |text: String| {
        let value = Value::from_text(kind.get_untracked(), &text).map_err(Refused)?;
        set.run(value)
    });
    // The value is from before the attribute's type changed.
    let warning = Signal::derive(move || {
        let (is, wanted) = (value.with(Value::kind), kind.get());
        (is != wanted).then(|| format!("the value has type {is}, the attribute has type {wanted}"))
    });
    let is_flag = memo(move |_| kind.get() == AttributeType::Bool);
    move || {
        match is_flag.get() {
        true => view! {
            <Select
                label=label
                bare=bare
                value=text
                options=options(&[("true", "true"), ("false", "false")])
                commit=commit
            />
        }
        .into_any(),
        false => view! { <TextField label=label bare=bare mono=true value=text commit=commit warning=warning /> }
        .into_any(),
    }
    }
}

/// Fields for several values of a type, with optional weights.
#[component]
pub fn ValueList(
    /// The label of one value.
    name: &'static str,
    /// The type.
    kind: Memo<AttributeType>,
    /// Each value and its weight.
    #[prop(into)]
    values: Signal<Vec<Weighted>>,
    /// Called with the changed list.
    set: Callback<Vec<Weighted>, Edited>,
    /// Whether the weights are shown.
    #[prop(optional)]
    weighted: bool,
) -> impl IntoView {
    let store = use_store();
    let amount = memo(move |_| values.with(Vec::len));
    let list = unique_id("values");
    let last_field = format!("#{list} .value-row .field:first-child :is(input, select)");
    let change = move |change: &dyn Fn(&mut Vec<Weighted>)| {
        let mut all = values.get_untracked();
        change(&mut all);
        set.run(all)
    };
    let row = move |at: usize| {
        let value = Signal::derive(move || {
            values.with(|all| all.get(at).map_or(Value::Null, |(value, _)| value.clone()))
        });
        let weight = Signal::derive(move || {
            values.with(|all| {
                all.get(at)
                    .map(|(_, weight)| weight.to_string())
                    .unwrap_or_default()
            })
        });
        view! {
            <div class="value-row">
                <ValueField
                    label=format!("{name} {}", at + 1)
                    bare=true
                    kind=kind
                    value=value
                    set=Callback::new(move |new: Value| {
                        change(
                            &|all| {
                                if let Some((value, _)) = all.get_mut(at) {
                                    value.clone_from(&new);
                                }
                            },
                        )
                    })
                />
                {weighted
                    .then(|| {
                        view! {
                            <TextField
                                label=format!("Weight of {name} {}", at + 1)
                                bare=true
                                numeric=true
                                value=weight
                                commit=Commit::new(move |text: String| {
                                    let new = keyfold_app::field_input::whole_number(
                                        &text,
                                        1..=1_000_000,
                                    )?;
                                    change(
                                        &|all| {
                                            if let Some((_, weight)) = all.get_mut(at) {
                                                *weight = new as u32;
                                            }
                                        },
                                    )
                                })
                            />
                        }
                    })}
                <button
                    type="button"
                    class="icon-button"
                    aria-label=format!("Remove {name} {}", at + 1)
                    title="Remove"
                    disabled=move || amount.get() < 2
                    on:click=move |_| store.complain_if_refused(change(&|all| drop(all.remove(at))))
                >
                    <Icon glyph=Glyph::Close />
                </button>
            </div>
        }
    };
    let add = move |_| {
        let done = change(&|all| {
            all.push((sparse_condition::default_value(kind.get_untracked()), 1));
        });
        store.complain_if_refused(done);
        focus_last_soon(last_field.clone());
    };
    view! {
        <div class="value-list" id=list>
            <For each=move || 0..amount.get() key=|at| *at let:at>
                {row(at)}
            </For>
            <button type="button" class="button small add" on:click=add>
                <Icon glyph=Glyph::Plus />
                "Add value"
            </button>
        </div>
    }
}
