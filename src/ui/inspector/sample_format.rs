//! The format of an attribute's sample values: its kind and parameters.

use super::edit;
use super::edit::Edited;
use super::value_fields::{ValueField, ValueList, Weighted};
use crate::ui::reactive::erased::{Memo, memo};
use crate::ui::state::store::use_store;
use crate::ui::widgets::field::{Commit, Select, TextField};
use keyfold_app::sample_format::{FormatKind, describe};
use keyfold_app::{Refused, field_input};
use keyfold_core::engine::generate::{examples, guess};
use keyfold_core::model::{Attribute, Choice, Distribution, EntityId, Format, Value};
use leptos::prelude::*;

/// The option for a guessed format.
const GUESSED: &str = "From name and type";

/// Number of example values.
const EXAMPLES: usize = 3;

/// The editor of an attribute's format.
#[component]
pub fn FormatEditor(
    /// The entity.
    entity: EntityId,
    /// The attribute.
    attribute: Memo<Attribute>,
) -> impl IntoView {
    let store = use_store();
    let id = attribute.with_untracked(|attribute| attribute.id);
    let format = memo(move |_| attribute.with(|a| a.format.clone()));
    let kind = memo(move |_| format.with(|format| format.as_ref().map(FormatKind::of)));
    let set = Callback::new(move |format: Option<Format>| {
        edit::edit_attribute(store, entity, id, "format", |attribute| {
            attribute.format = format;
            Ok(())
        })
    });
    let kinds = memo(move |_| {
        let of = attribute.with(|attribute| attribute.kind);
        let chosen = kind.get();
        let fitting = (FormatKind::ALL.iter())
            .filter(|kind| kind.fits(of) || Some(**kind) == chosen)
            .map(|kind| kind.label());
        std::iter::once(GUESSED)
            .chain(fitting)
            .map(|label| (label.to_owned(), label.to_owned()))
            .collect::<Vec<_>>()
    });
    let choose = Commit::new(move |label: String| {
        let chosen = FormatKind::ALL.iter().find(|kind| kind.label() == label);
        let attribute = attribute.get_untracked();
        let format =
            chosen.map(|kind| store.with(|design| kind.default_format(design, entity, &attribute)));
        set.run(format)
    });
    let set_some = Callback::new(move |format: Format| set.run(Some(format)));
    let parameters = move || {
        let kind = kind.get()?;
        Some(view! { <Parameters kind=kind attribute=attribute set=set_some /> })
    };
    view! {
        <Select
            label="Sample values"
            value=Signal::derive(move || kind.get().map_or(GUESSED, FormatKind::label).to_owned())
            options=kinds
            commit=choose
        />
        {parameters}
        <Hint entity=entity attribute=attribute set=set />
    }
}

/// The guessed format if none is set, and example values.
#[component]
fn Hint(
    entity: EntityId,
    attribute: Memo<Attribute>,
    set: Callback<Option<Format>, Edited>,
) -> impl IntoView {
    let store = use_store();
    let guessed = memo(move |_| {
        store.revision.track();
        let attribute = attribute.get();
        match attribute.format {
            Some(_) => None,
            None => store.with(|design| guess(design, entity, &attribute)),
        }
    });
    let guess_words = move || {
        let format = guessed.get()?;
        let words = store.with(|design| describe(design, &format));
        let keep = move |_| store.complain_if_refused(set.run(Some(format.clone())));
        Some(view! {
            <p>
                "Guessed: " <span class="guess">{words}</span> " "
                <button
                    type="button"
                    class="link"
                    title="Sets the guess as the format, so that you can edit it"
                    on:click=keep
                >
                    "Use as format"
                </button>
            </p>
        })
    };
    let values = memo(move |_| {
        store.revision.track();
        let attribute = attribute.get();
        let values = store.with(|design| examples(design, entity, &attribute, EXAMPLES));
        let values = values?;
        let texts: Vec<String> = values.iter().map(Value::to_text).collect();
        Ok::<_, String>(texts.join(", "))
    });
    let shown = move || match values.get() {
        Ok(texts) if texts.is_empty() => None,
        Ok(texts) => Some(view! { <p class="examples">{texts}</p> }.into_any()),
        Err(why) => Some(view! { <p class="refused">"No values: " {why}</p> }.into_any()),
    };
    view! { <div class="format-hint">{guess_words} {shown}</div> }
}

/// One parameter of a format as text, and how an entered text changes it.
struct Parameter {
    label: &'static str,
    read: fn(&Format) -> Option<String>,
    write: fn(&mut Format, &str) -> Edited,
}

/// Returns the parameters that are a text field each.
fn text_parameters(kind: FormatKind) -> &'static [Parameter] {
    macro_rules! parameter {
        ($label:literal, $variant:ident . $field:ident, $parse:expr) => {
            Parameter {
                label: $label,
                read: |format| match format {
                    Format::$variant { $field, .. } => Some($field.to_string()),
                    _ => None,
                },
                write: |format, text| {
                    if let Format::$variant { $field, .. } = format {
                        let parse: fn(&str) -> Result<_, Refused> = $parse;
                        *$field = parse(text)?;
                    }
                    Ok(())
                },
            }
        };
    }
    match kind {
        FormatKind::Date => {
            const {
                &[
                    parameter!("From", Date.from, field_input::day),
                    parameter!("To", Date.to, field_input::day),
                ]
            }
        }
        FormatKind::Timestamp => {
            const {
                &[
                    parameter!("From", Timestamp.from, field_input::timestamp),
                    parameter!("To", Timestamp.to, field_input::timestamp),
                ]
            }
        }
        FormatKind::Integer => {
            const {
                &[
                    parameter!("Minimum", Integer.min, field_input::integer),
                    parameter!("Maximum", Integer.max, field_input::integer),
                ]
            }
        }
        FormatKind::Decimal => {
            const {
                &[
                    parameter!("Minimum", Decimal.min, field_input::decimal),
                    parameter!("Maximum", Decimal.max, field_input::decimal),
                    parameter!("Decimals", Decimal.places, |text| {
                        field_input::whole_number(text, 0..=38).map(|places| places as u8)
                    }),
                ]
            }
        }
        FormatKind::Sequence => {
            const {
                &[
                    parameter!("Prefix", Sequence.prefix, |text| Ok(text.to_owned())),
                    parameter!("First", Sequence.start, |text| field_input::whole_number(
                        text,
                        0..=u64::MAX
                    )),
                    parameter!("Digits", Sequence.digits, |text| {
                        field_input::whole_number(text, 1..=38).map(|digits| digits as u8)
                    }),
                ]
            }
        }
        _ => &[],
    }
}

/// Returns a warning about a range that ends before it begins.
fn range_warning(format: &Format) -> Option<String> {
    let number = |text: &str| text.parse::<keyfold_core::model::Number>().ok();
    let reversed = match format {
        Format::Date { from, to } | Format::Timestamp { from, to } => from > to,
        Format::Integer { min, max } => min > max,
        Format::Decimal { min, max, .. } => number(min) > number(max),
        _ => false,
    };
    reversed.then(|| "the range ends before it begins".to_owned())
}

#[component]
fn Parameters(
    kind: FormatKind,
    attribute: Memo<Attribute>,
    set: Callback<Format, Edited>,
) -> impl IntoView {
    let format = memo(move |last: Option<&Format>| {
        let found = attribute.with(|attribute| attribute.format.clone());
        // The last known values, while the fields of another kind are removed.
        found
            .filter(|format| FormatKind::of(format) == kind)
            .or_else(|| last.cloned())
            .unwrap_or(Format::Word)
    });
    let value_kind = memo(move |_| attribute.with(|attribute| attribute.kind));
    let warning = memo(move |_| format.with(range_warning));
    let texts = text_parameters(kind);
    let last = texts.len();
    let fields = (texts.iter().enumerate())
        .map(|(at, parameter)| {
            let (read, write) = (parameter.read, parameter.write);
            view! {
                <TextField
                    label=parameter.label
                    mono=true
                    value=Signal::derive(move || format.with(read).unwrap_or_default())
                    commit=Commit::new(move |text: String| {
                        let mut format = format.get_untracked();
                        write(&mut format, &text)?;
                        set.run(format)
                    })
                    warning=Signal::derive(move || warning.get().filter(|_| at + 1 == last))
                />
            }
        })
        .collect_view();
    let rest = match kind {
        FormatKind::OneOf => view! {
            <ValueList
                name="value"
                weighted=true
                kind=value_kind
                values=Signal::derive(move || {
                    format
                        .with(|format| match format {
                            Format::OneOf(choices) => {
                                choices.iter().map(|c| (c.value.clone(), c.weight)).collect()
                            }
                            _ => Vec::new(),
                        })
                })
                set=Callback::new(move |values: Vec<Weighted>| {
                    let choice = |(value, weight)| Choice { value, weight };
                    set.run(Format::OneOf(values.into_iter().map(choice).collect()))
                })
            />
        }
        .into_any(),
        FormatKind::Constant => view! {
            <ValueField
                label="Value"
                kind=value_kind
                value=Signal::derive(move || {
                    format
                        .with(|format| match format {
                            Format::Constant(value) => value.clone(),
                            _ => Value::Null,
                        })
                })
                set=Callback::new(move |value| set.run(Format::Constant(value)))
            />
        }
        .into_any(),
        FormatKind::Reference => view! { <Reference format=format set=set /> }.into_any(),
        _ => ().into_any(),
    };
    view! {
        {fields}
        {rest}
    }
}

#[component]
fn Reference(format: Memo<Format>, set: Callback<Format, Edited>) -> impl IntoView {
    let store = use_store();
    let current = memo(move |_| {
        format.with(|format| match format {
            Format::Reference {
                entity,
                attribute,
                distribution,
            } => Some((*entity, attribute.clone(), *distribution)),
            _ => None,
        })
    });
    let entity_id = memo(move |_| current.with(|c| c.as_ref().map(|c| c.0)));
    let name = memo(move |_| {
        current
            .with(|c| c.as_ref().map(|c| c.1.clone()))
            .unwrap_or_default()
    });
    let entities = memo(move |_| {
        (store.entity_ids.get().into_iter())
            .filter_map(|id| store.entity(id))
            .map(|node| {
                (
                    node.id.to_string(),
                    node.entity.with(|entity| entity.name.clone()),
                )
            })
            .collect::<Vec<_>>()
    });
    let attributes = memo(move |_| {
        store.entity_ids.track();
        let node = entity_id.get().and_then(|id| store.entity(id));
        let mut names: Vec<String> = node
            .map(|node| {
                node.entity
                    .with(|e| e.attributes.iter().map(|a| a.name.clone()).collect())
            })
            .unwrap_or_default();
        let chosen = name.get();
        if !names.contains(&chosen) {
            names.push(chosen);
        }
        names
            .into_iter()
            .map(|name| (name.clone(), name))
            .collect::<Vec<_>>()
    });
    let change = move |change: &dyn Fn(&mut (EntityId, String, Distribution))| {
        let Some(mut reference) = current.get_untracked() else {
            return Ok(());
        };
        change(&mut reference);
        let (entity, attribute, distribution) = reference;
        set.run(Format::Reference {
            entity,
            attribute,
            distribution,
        })
    };
    // Another entity: take its attribute of the same name, or else its first.
    let choose_entity = Commit::new(move |text: String| {
        let Ok(id) = text.parse::<EntityId>() else {
            return Ok(());
        };
        change(&|reference| {
            reference.0 = id;
            let first = store.with(|design| {
                let entity = design.entities.get(&id)?;
                let same = entity.attribute(&reference.1);
                same.or(entity.attributes.first()).map(|a| a.name.clone())
            });
            if let Some(first) = first {
                reference.1 = first;
            }
        })
    });
    view! {
        <Select
            label="Parent entity"
            value=Signal::derive(move || {
                entity_id.get().map(|id| id.to_string()).unwrap_or_default()
            })
            options=entities
            commit=choose_entity
        />
        <Select
            label="Parent attribute"
            value=name
            options=attributes
            commit=Commit::new(move |name: String| change(
                &|reference| reference.1.clone_from(&name),
            ))
        />
        <Select
            label="Distribution"
            value=Signal::derive(move || {
                let skewed = current
                    .with(|c| c.as_ref().is_some_and(|c| c.2 == Distribution::Skewed));
                if skewed { "skewed" } else { "uniform" }.to_owned()
            })
            options=edit::options(
                &[("uniform", "Uniform: all equally often"), ("skewed", "Skewed: a few very often")],
            )
            commit=Commit::new(move |choice: String| {
                change(
                    &|reference| {
                        reference.2 = match choice.as_str() {
                            "skewed" => Distribution::Skewed,
                            _ => Distribution::Uniform,
                        };
                    },
                )
            })
        />
    }
}
