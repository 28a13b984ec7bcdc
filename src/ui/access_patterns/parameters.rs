//! The parameters of an access pattern with their values, and the read as PartiQL.

use super::form_row::Edited;
use crate::ui::reactive::erased::{For, Memo, Show, memo};
use crate::ui::widgets::field::{Commit, Select, TextField, unique_id};
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::late_text::LateText;
use keyfold_app::Refused;
use keyfold_app::patterns::{key_condition_offers, parameter_values};
use keyfold_core::proof::partiql::{read_statement, write_statement};
use keyfold_core::proof::{self, Parameter, Source};
use leptos::prelude::*;
use web_sys::HtmlTextAreaElement;

/// The parameters with their values and sources, and the sample that fills them.
#[component]
pub fn ParameterTable(
    /// What it belongs to.
    edited: Edited,
) -> impl IntoView {
    let store = edited.store;
    // Values come from samples, so they are bound again when those change.
    let bound = memo(move |_| {
        store.samples_changed.track();
        let pattern = edited.pattern.get();
        store.with(|design| {
            let bound = proof::bind(design, &pattern).parameters;
            let with_words = |parameter: Parameter| {
                let words = parameter_values::source_text(design, parameter.source);
                (parameter, words)
            };
            bound.into_iter().map(with_words).collect::<Vec<_>>()
        })
    });
    let samples = memo(move |_| {
        store.samples_changed.track();
        let pattern = edited.pattern.get();
        let mut options = vec![(String::new(), "First match".to_owned())];
        let all = store.with(|design| parameter_values::samples(design, &pattern));
        options.extend(all.into_iter().map(|(id, text)| (id.to_string(), text)));
        options
    });
    let sample = memo(move |_| {
        let sample = edited.pattern.with(|pattern| pattern.sample);
        sample.map_or(String::new(), |id| id.to_string())
    });
    let set_sample = Commit::new(move |value: String| {
        edited.change("sample", &|pattern| {
            pattern.sample = value.parse().ok();
            Ok(())
        })
    });
    let each = move || bound.get().into_iter().map(|(parameter, _)| parameter.name);
    view! {
        <Show when=move || bound.with(|bound| !bound.is_empty())>
            <div class="pattern-parameters" role="group" aria-label="Parameters">
                <h3>"Parameters"</h3>
                <Select label="Sample" value=sample options=samples commit=set_sample />
                <For each=each key=|name| name.clone() let:name>
                    <ParameterField edited=edited bound=bound name=name />
                </For>
            </div>
        </Show>
    }
}

#[component]
fn ParameterField(
    edited: Edited,
    bound: Memo<Vec<(Parameter, String)>>,
    name: String,
) -> impl IntoView {
    let store = edited.store;
    let own = StoredValue::new(name.clone());
    let find = move || {
        bound.with(|bound| {
            let is_own = |(parameter, _): &&(Parameter, String)| {
                own.with_value(|own| parameter.name == *own)
            };
            bound.iter().find(is_own).cloned()
        })
    };
    let now = memo(move |_| find());
    let value = memo(move |_| {
        now.with(|now| {
            let value = now
                .as_ref()
                .and_then(|(parameter, _)| parameter.value.as_ref());
            value.map_or(String::new(), |value| value.to_text())
        })
    });
    let set = move |typed: String| {
        let Some((parameter, _)) = now.get_untracked() else {
            return Err(Refused("this parameter no longer exists".into()));
        };
        let field = own.with_value(|own| format!("parameter {own}"));
        edited.change(&field, &|pattern| {
            store.with(|design| parameter_values::type_value(design, pattern, &parameter, &typed))
        })
    };
    let typed =
        move || now.with(|now| now.as_ref().is_some_and(|(p, _)| p.source == Source::Typed));
    let words = move || now.with(|now| now.as_ref().map(|(_, words)| words.clone()));
    let nowhere = move || now.with(|now| now.as_ref().is_some_and(|(p, _)| p.value.is_none()));
    let again = format!("Use the sample's {name}");
    view! {
        <div class="parameter" class:warned=nowhere>
            <TextField label=name value=value mono=true commit=Commit::new(set) />
            <span class="parameter-source">{words}</span>
            <Show when=typed>
                <button
                    class="icon-button"
                    aria-label=again.clone()
                    title="Use the value of the sample"
                    on:click=move |_| {
                        store.complain_if_refused(set(String::new()));
                    }
                >
                    <Icon glyph=Glyph::Undo />
                </button>
            </Show>
        </div>
    }
}

/// The read as a PartiQL statement; an entered one is parsed when the field loses the focus.
#[component]
pub fn PartiqlField(
    /// What it belongs to.
    edited: Edited,
) -> impl IntoView {
    let store = edited.store;
    let stored = move || {
        let pattern = edited.pattern.get();
        store.track_keys();
        store
            .with(|design| write_statement(design, &pattern.operation))
            .unwrap_or_default()
    };
    let read = Commit::new(move |typed: String| {
        edited.change("PartiQL", &|pattern| {
            let read = store.with(|design| {
                let read = read_statement(design, &typed);
                read.map(|read| {
                    key_condition_offers::with_options(design, &pattern.operation, read)
                })
            });
            pattern.operation = read.map_err(|error| Refused(error.to_string()))?;
            Ok(())
        })
    });
    let late = LateText::new(stored, read);
    let id = unique_id("partiql");
    let error_id = format!("{id}-error");
    view! {
        <div class="field tall" class:invalid=move || late.reason().is_some()>
            <label for=id.clone()>"PartiQL"</label>
            <textarea
                id=id
                class="mono"
                rows="2"
                spellcheck="false"
                placeholder="SELECT * FROM ..."
                data-draft=move || late.draft()
                aria-describedby=error_id.clone()
                prop:value=move || late.text()
                on:input=move |event| late.typed(event_target_value(&event))
                on:change=move |event| {
                    if let Some((shown, _)) = late.left(event_target_value(&event)) {
                        event_target::<HtmlTextAreaElement>(&event).set_value(&shown);
                    }
                }
            ></textarea>
            <div class="field-error" id=error_id aria-live="polite">
                {move || late.reason().map(|message| view! { <p>{message}</p> })}
            </div>
        </div>
    }
}
