//! Form fields of the inspector. A field shows the document's value; a value that the document refuses stays
//! in the field with the reason below it, and the document keeps the last good one.

use crate::app::Refused;
use leptos::prelude::*;
use std::cell::Cell;

/// An id for an element, unique in the page.
pub fn unique_id(stem: &str) -> String {
    thread_local! {
        static NEXT: Cell<u64> = const { Cell::new(0) };
    }
    let number = NEXT.with(|next| next.replace(next.get() + 1));
    format!("{stem}-{number}")
}

/// Takes a typed text; the error is shown at the field.
pub type Commit = Callback<String, Result<(), Refused>>;

/// A one-line text field. Every keystroke that makes a good value goes to the document.
#[component]
pub fn TextField(
    /// Its name.
    #[prop(into)]
    label: String,
    /// The document's value.
    #[prop(into)]
    value: Signal<String>,
    /// Takes each new text.
    commit: Commit,
    /// Shown while it is empty.
    #[prop(into, optional)]
    placeholder: String,
    /// Whether it holds a name or a key, shown in the monospaced font.
    #[prop(optional)]
    mono: bool,
    /// Whether its label is for screen readers only.
    #[prop(optional)]
    bare: bool,
) -> impl IntoView {
    let id = unique_id("field");
    let error_id = format!("{id}-error");
    let (draft, set_draft) = signal(None::<String>);
    let (error, set_error) = signal(None::<String>);
    // The document's value changed under a refused draft: the draft no longer means anything.
    Effect::new(move |_| {
        value.track();
        set_draft.set(None);
        set_error.set(None);
    });
    let shown = move || draft.get().unwrap_or_else(|| value.get());
    view! {
        <div class="field" class:invalid=move || error.get().is_some()>
            <label for=id.clone() class:visually-hidden=bare>
                {label}
            </label>
            <input
                id=id
                type="text"
                class:mono=mono
                spellcheck="false"
                autocomplete="off"
                placeholder=placeholder
                prop:value=shown
                aria-invalid=move || error.get().is_some().to_string()
                aria-describedby=error_id.clone()
                on:input=move |event| {
                    let text = event_target_value(&event);
                    match commit.run(text.clone()) {
                        Ok(()) => {
                            set_draft.set(None);
                            set_error.set(None);
                        }
                        Err(refused) => {
                            set_draft.set(Some(text));
                            set_error.set(Some(refused.to_string()));
                        }
                    }
                }
                on:blur=move |_| {
                    set_draft.set(None);
                    set_error.set(None);
                }
            />
            <div class="field-error" id=error_id aria-live="polite">
                {move || error.get().map(|message| view! { <p>{message}</p> })}
            </div>
        </div>
    }
}

/// A longer text.
#[component]
pub fn TextArea(
    /// Its name.
    #[prop(into)]
    label: String,
    /// The document's value.
    #[prop(into)]
    value: Signal<String>,
    /// Takes each new text.
    commit: Commit,
    /// Shown while it is empty.
    #[prop(into, optional)]
    placeholder: String,
) -> impl IntoView {
    let id = unique_id("area");
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <textarea
                id=id
                rows="2"
                placeholder=placeholder
                prop:value=value
                on:input=move |event| {
                    // Any text is a good description.
                    let _ = commit.run(event_target_value(&event));
                }
            ></textarea>
        </div>
    }
}

/// A choice from a list.
#[component]
pub fn Select(
    /// Its name.
    #[prop(into)]
    label: String,
    /// The chosen option's value.
    #[prop(into)]
    value: Signal<String>,
    /// Value and text of each option.
    #[prop(into)]
    options: Signal<Vec<(String, String)>>,
    /// Takes the new choice; a refusal is shown at the field.
    commit: Commit,
    /// Whether its label is for screen readers only.
    #[prop(optional)]
    bare: bool,
) -> impl IntoView {
    let id = unique_id("select");
    let error_id = format!("{id}-error");
    let (error, set_error) = signal(None::<String>);
    view! {
        <div class="field" class:invalid=move || error.get().is_some()>
            <label for=id.clone() class:visually-hidden=bare>
                {label}
            </label>
            <select
                id=id
                aria-describedby=error_id.clone()
                prop:value=value
                on:change=move |event| {
                    let refused = commit.run(event_target_value(&event)).err();
                    set_error.set(refused.map(|refused| refused.to_string()));
                }
            >
                {move || {
                    let chosen = value.get();
                    options
                        .get()
                        .into_iter()
                        .map(|(option, text)| {
                            let selected = option == chosen;
                            view! {
                                <option value=option selected=selected>
                                    {text}
                                </option>
                            }
                        })
                        .collect_view()
                }}
            </select>
            <div class="field-error" id=error_id aria-live="polite">
                {move || error.get().map(|message| view! { <p>{message}</p> })}
            </div>
        </div>
    }
}

/// Something that is on or off.
#[component]
pub fn Toggle(
    /// Its name.
    #[prop(into)]
    label: String,
    /// Whether it is on.
    #[prop(into)]
    on: Signal<bool>,
    /// Takes the new state.
    commit: Callback<bool>,
) -> impl IntoView {
    view! {
        <label class="toggle">
            <input
                type="checkbox"
                prop:checked=on
                on:change=move |event| commit.run(event_target_checked(&event))
            />
            <span>{label}</span>
        </label>
    }
}
