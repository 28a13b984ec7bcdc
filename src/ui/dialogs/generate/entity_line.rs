//! A line of the dialog for generating samples: an entity, its count and its parent.

use super::form::GenerateForm;
use crate::ui::reactive::erased::{Memo, memo};
use crate::ui::widgets::field::{Commit, Select, TextField};
use crate::ui::widgets::in_code::sentence_in_code;
use keyfold_app::badge::badge;
use keyfold_app::field_input;
use keyfold_core::engine::generate::{MAX_ROWS, Request};
use keyfold_core::model::EntityId;
use leptos::prelude::*;
use std::sync::Arc;

/// A line of the form, by its position.
#[component]
pub(super) fn EntityLine(
    form: GenerateForm,
    at: usize,
    request: Memo<Request>,
    rows: Memo<Vec<u64>>,
) -> impl IntoView {
    let Some(line) = form.lines.with_untracked(|lines| lines.get(at).cloned()) else {
        return ().into_any();
    };
    let (id, name) = (line.amount.entity, Arc::<str>::from(line.name.as_str()));
    let amount = memo(move |_| {
        form.lines
            .with(|lines| lines.get(at).map(|line| line.amount))
    });
    let chosen = memo(move |_| {
        form.lines
            .with(|lines| lines.get(at).is_some_and(|l| l.chosen))
    });
    let made = move || {
        // The amounts are in the order of the entities' ids.
        let place = request.with(|r| r.amounts.binary_search_by_key(&id, |amount| amount.entity));
        let made = rows.with(|rows| rows.get(place.ok()?).copied());
        made.map_or(String::new(), |made| made.to_string())
    };
    let parents: Vec<(String, String)> = std::iter::once((String::new(), "In total".to_owned()))
        .chain((line.parents.iter()).map(|(id, name)| (id.to_string(), format!("Per {name}"))))
        .collect();
    let has_parents = !line.parents.is_empty();
    let is_able = line.obstacle.is_none();
    let fields = is_able.then(|| {
        view! {
            <TextField
                label=format!("Samples of {name}")
                bare=true
                numeric=true
                value=Signal::derive(move || {
                    amount.get().map_or(0, |amount| amount.count).to_string()
                })
                commit=Commit::new(move |text: String| {
                    let count = field_input::whole_number(&text, 0..=MAX_ROWS)? as u32;
                    form.change(
                        at,
                        &|line| {
                            line.amount.count = count;
                            line.chosen = true;
                        },
                    );
                    Ok(())
                })
            />
            {if has_parents {
                view! {
                    <Select
                        label=format!("Parent of {name}")
                        bare=true
                        value=Signal::derive(move || {
                            let per = amount.get().and_then(|amount| amount.per);
                            per.map_or(String::new(), |per| per.to_string())
                        })
                        options=Signal::stored(parents)
                        commit=Commit::new(move |text: String| {
                            let per = text.parse::<EntityId>().ok();
                            form.change(
                                at,
                                &|line| {
                                    line.amount.per = per;
                                    line.chosen = true;
                                },
                            );
                            Ok(())
                        })
                    />
                }
                    .into_any()
            } else {
                view! { <span class="generate-fixed">"In total"</span> }.into_any()
            }}
            <span class="generate-rows">{made}</span>
        }
    });
    view! {
        <div class="generate-line" class:chosen=move || chosen.get() data-entity=line.name.clone()>
            <label class="toggle">
                <input
                    type="checkbox"
                    disabled=!is_able
                    prop:checked=move || chosen.get()
                    on:change=move |event| {
                        let chosen = event_target_checked(&event);
                        form.change(at, &|line| line.chosen = chosen);
                    }
                />
                <span class=format!("badge hue-{}", line.hue) aria-hidden="true">
                    {badge(&line.name)}
                </span>
                <span class="generate-name">{line.name.clone()}</span>
            </label>
            {fields}
            {line
                .obstacle
                .map(|obstacle| {
                    view! { <p class="generate-obstacle">{sentence_in_code(&obstacle)}</p> }
                })}
        </div>
    }
    .into_any()
}
