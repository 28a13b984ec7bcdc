//! A text field for a key template: placeholders are tinted and completed while the user types, and every error is
//! underlined and explained below.

use super::completion_list::{Completion, Completions};
use super::field::use_field_host;
use super::in_code::in_code;
use crate::ui::dom::element::target_of;
use crate::ui::dom::tints::tint;
use crate::ui::reactive::erased::{For, RwSignal, Show, effect, memo};
use crate::ui::reactive::later::View;
use crate::ui::state::finding_mark::FieldMark;
use keyfold_app::template_completion::{insert as insert_name, is_unfinished};
use keyfold_core::model::capital;
use keyfold_core::template::{self, Parsed, Segment};
use leptos::ev;
use leptos::html::{Div, Input};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::ops::Range;
use web_sys::{Element, HtmlElement, HtmlInputElement};

/// An editor of one template. Every keystroke calls `edit`, except while a placeholder is unfinished: then the text
/// stays in the field until the placeholder is finished or the field is left. A template with errors is stored as
/// typed.
#[component]
pub fn TemplateField(
    /// Its accessible name, such as `GSI1 partition key gsi1pk`.
    #[prop(into)]
    label: Signal<String>,
    /// Its visible label, such as `gsi1pk`.
    #[prop(into)]
    short: Signal<String>,
    /// The template's text.
    #[prop(into)]
    text: Signal<String>,
    /// Stores each new text.
    edit: Callback<String>,
    /// A problem other than the syntax, if any.
    #[prop(into, optional)]
    problem: Signal<Option<String>>,
    /// The findings of the field.
    #[prop(into, optional)]
    found: Signal<Option<FieldMark>>,
    /// The attributes offered as placeholders below the field.
    #[prop(into, optional)]
    attributes: Signal<Vec<String>>,
    /// Whether they are shown.
    #[prop(into, optional)]
    offering: Signal<bool>,
    /// Called when the field is entered.
    #[prop(into, optional)]
    on_enter: Option<Callback<()>>,
) -> impl IntoView {
    let input: NodeRef<Input> = NodeRef::new();
    let backdrop: NodeRef<Div> = NodeRef::new();
    let chips: NodeRef<Div> = NodeRef::new();
    let design = use_field_host().design;
    let stored = memo(move |_| text.get());
    // The text with an unfinished placeholder, and its design.
    let draft: RwSignal<Option<(String, u64)>> = RwSignal::new(None);
    effect(move || {
        stored.track();
        draft.set(None);
    });
    let text = memo(move |_| match draft.get() {
        Some((typed, _)) => typed,
        None => stored.get(),
    });
    let parsed = memo(move |_| text.with(|text| template::parse(text)));
    let completion = Completion::new(attributes);
    let is_draft = memo(move |_| draft.with(Option::is_some));
    // Unfinished placeholders are not reported.
    let errors = memo(move |_| match is_draft.get() {
        true => Vec::new(),
        false => parsed.with(|parsed| {
            let said = parsed.errors.iter();
            said.map(|error| error.message.clone()).collect::<Vec<_>>()
        }),
    });
    let write = move |text: String, caret: u32| match is_unfinished(&text, caret) {
        true => draft.set(Some((text, design.get_untracked()))),
        false => {
            draft.set(None);
            edit.run(text);
        }
    };
    // Stores the draft as typed.
    let give = move || {
        let typed = draft.try_update(Option::take).flatten();
        if let Some((text, opened)) = typed
            && design.try_get_untracked() == Some(opened)
        {
            edit.run(text);
        }
    };
    let unload = window_event_listener(ev::beforeunload, move |_| give());
    on_cleanup(move || {
        unload.remove();
        give();
    });
    let broken = move || !errors.with(Vec::is_empty);
    let problem = memo(move |_| problem.get());
    let messages = move || match problem.get() {
        Some(problem) if !broken() => vec![problem],
        _ => errors.get().iter().map(|error| capital(error)).collect(),
    };
    let follow_scroll = move || {
        if let (Some(input), Some(backdrop)) = (input.get_untracked(), backdrop.get_untracked()) {
            backdrop.set_scroll_left(input.scroll_left());
        }
    };
    // The browser scrolls the input to its caret after the event.
    let view = View::new();
    let follow_scroll_soon = move || view.next_frame(follow_scroll);
    let insert = move |name: &str| {
        let Some(input) = input.get_untracked() else {
            return;
        };
        let inserted = insert_name(&input.value(), selection(&input), name);
        completion.close();
        input.set_value(&inserted.text);
        let Range { start, end } = inserted.selection;
        write(inserted.text, end);
        let _ = input.focus();
        let _ = input.set_selection_range(start, end);
        follow_scroll_soon();
    };
    let typed = move || {
        if let Some(input) = input.get_untracked() {
            let text = input.value();
            let caret = selection(&input).end;
            completion.typed(&text, caret);
            write(text, caret);
            follow_scroll_soon();
        }
    };
    let id = super::field::unique_id("template");
    let (error_id, list_id) = (format!("{id}-error"), format!("{id}-offers"));
    view! {
        <div
            class="template-field"
            class:invalid=broken
            class:warned=move || !broken() && problem.with(Option::is_some)
        >
            <label for=id.clone() class="template-label">
                {short}
            </label>
            <div class="template-box">
                <div class="template-backdrop" aria-hidden="true" node_ref=backdrop>
                    {move || {
                        let found = found.get();
                        text.with(|text| {
                            parsed
                                .with(|parsed| {
                                    highlighted(text, parsed, found.as_ref(), is_draft.get())
                                })
                        })
                    }}
                </div>
                <input
                    node_ref=input
                    id=id.clone()
                    class="template-input"
                    type="text"
                    spellcheck="false"
                    autocomplete="off"
                    autocapitalize="off"
                    role="combobox"
                    aria-label=label
                    aria-autocomplete="list"
                    aria-expanded=move || completion.is_open().to_string()
                    aria-controls=list_id.clone()
                    aria-activedescendant={
                        let list_id = list_id.clone();
                        move || completion.option(&list_id)
                    }
                    aria-invalid=move || broken().to_string()
                    aria-describedby=error_id.clone()
                    title=move || found.with(|found| Some(found.as_ref()?.mark.title.clone()))
                    placeholder="ENTITY#{attribute}"
                    prop:value=move || text.get()
                    on:focus=move |_| {
                        if let Some(on_enter) = on_enter {
                            on_enter.run(());
                        }
                    }
                    on:input=move |_| typed()
                    on:blur=move |_| {
                        completion.close();
                        give();
                    }
                    on:pointerdown=move |_| completion.close()
                    on:keydown=move |event| {
                        let command = event.ctrl_key() || event.meta_key();
                        match event.key().as_str() {
                            "Escape" => give(),
                            "z" | "Z" | "y" | "Y" if command => give(),
                            _ => {}
                        }
                        let to_chips = || {
                            let chips = chips.get_untracked();
                            event.key() == "ArrowDown"
                                && chips.is_some_and(|chips| focus(chips.first_element_child()))
                        };
                        if completion.key(&event, insert) || to_chips() {
                            event.prevent_default();
                        }
                    }
                    on:scroll=move |_| follow_scroll()
                />
            </div>
            <Completions
                completion=completion
                id=list_id
                take=Callback::new(move |name: String| insert(&name))
            />
            <div class="field-error" id=error_id aria-live="polite">
                {move || {
                    messages()
                        .into_iter()
                        .map(|message| view! { <p>{in_code(&message)}</p> })
                        .collect_view()
                }}
            </div>
            <Show when=move || offering.get() && attributes.with(|names| !names.is_empty())>
                <div
                    class="template-chips"
                    role="group"
                    aria-label="Insert attribute"
                    title="Insert attribute at the caret (Arrow down)"
                    node_ref=chips
                    // The field keeps its caret, also after a press between them.
                    on:mousedown=|event| event.prevent_default()
                    on:keydown=move |event| walk(&event, input)
                >
                    <For each=move || attributes.get() key=|name| name.clone() let:name>
                        {
                            let first = {
                                let name = name.clone();
                                move || attributes.with(|names| names.first() == Some(&name))
                            };
                            let inserted = name.clone();
                            let class = format!("chip {}", tint(&name));
                            view! {
                                <button
                                    type="button"
                                    class=class
                                    data-follow=name.clone()
                                    tabindex=move || if first() { "0" } else { "-1" }
                                    on:click=move |_| insert(&inserted)
                                >
                                    {name.clone()}
                                </button>
                            }
                        }
                    </For>
                </div>
            </Show>
        </div>
    }
}

/// The selection in the field, in UTF-16 code units; the end of the text if the browser does not report it.
fn selection(input: &HtmlInputElement) -> Range<u32> {
    let end = input.value().encode_utf16().count() as u32;
    let at = |place: Result<Option<u32>, _>| place.ok().flatten().unwrap_or(end);
    at(input.selection_start())..at(input.selection_end())
}

/// Moves the focus among the chips, and back to the field.
fn walk(event: &ev::KeyboardEvent, input: NodeRef<Input>) {
    let chip = target_of(event);
    let Some(chip) = chip else { return };
    let moved = match event.key().as_str() {
        "ArrowRight" => focus(chip.next_element_sibling()),
        "ArrowLeft" => focus(chip.previous_element_sibling()),
        "ArrowUp" | "Escape" => focus(input.get_untracked().map(|input| input.into())),
        _ => false,
    };
    if moved {
        event.prevent_default();
    }
}

fn focus(element: Option<Element>) -> bool {
    let element = element.and_then(|element| element.dyn_into::<HtmlElement>().ok());
    element.is_some_and(|element| element.focus().is_ok())
}

/// The text with tinted placeholders and underlined errors and findings, of exactly the same width as the text.
fn highlighted(
    text: &str,
    parsed: &Parsed,
    found: Option<&FieldMark>,
    is_draft: bool,
) -> Vec<AnyView> {
    let piece = |segment: &Segment| {
        let source = text.get(segment.span()).unwrap_or_default().to_owned();
        let found = found.map_or("", |found| found.class(segment.span()));
        match segment {
            Segment::Literal { .. } => view! { <span class=found>{source}</span> }.into_any(),
            Segment::Placeholder(placeholder) => {
                let name = placeholder.attribute.clone();
                let class = [&tint(&name), " ", found].concat();
                view! {
                    <mark class=class data-follow=name>
                        {source}
                    </mark>
                }
                .into_any()
            }
            Segment::Broken { .. } => {
                let class = if is_draft { "" } else { "broken" };
                view! { <span class=class>{source}</span> }.into_any()
            }
        }
    };
    (parsed.template.segments.iter()).map(piece).collect()
}
