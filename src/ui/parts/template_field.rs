//! A text field for a key template: placeholders are tinted while one types, and every mistake is underlined
//! and explained below.

use super::template_text::tint;
use crate::domain::template::{self, Segment};
use leptos::html::{Div, Input};
use leptos::prelude::*;

/// An editor of one template. Every keystroke goes to `edit`; a template with mistakes is kept as typed.
#[component]
pub fn TemplateField(
    /// What it is called, such as `GSI1 partition key gsi1pk`.
    #[prop(into)]
    label: String,
    /// The visible short name, such as `gsi1pk`.
    #[prop(into)]
    short: Signal<String>,
    /// The template's text.
    #[prop(into)]
    text: Signal<String>,
    /// Takes each new text.
    edit: Callback<String>,
    /// What is wrong besides the syntax, if anything.
    #[prop(into, optional)]
    problem: Signal<Option<String>>,
) -> impl IntoView {
    let input: NodeRef<Input> = NodeRef::new();
    let backdrop: NodeRef<Div> = NodeRef::new();
    let parsed = Memo::new(move |_| template::parse(&text.get()));
    let errors = move || {
        let mut messages: Vec<String> =
            parsed.with(|parsed| parsed.errors.iter().map(|e| e.message.clone()).collect());
        messages.extend(problem.get().filter(|_| messages.is_empty()));
        messages
    };
    let invalid =
        move || parsed.with(|parsed| !parsed.errors.is_empty()) || problem.get().is_some();
    let follow_scroll = move || {
        if let (Some(input), Some(backdrop)) = (input.get_untracked(), backdrop.get_untracked()) {
            backdrop.set_scroll_left(input.scroll_left());
        }
    };
    let id = super::field::unique_id("template");
    let error_id = format!("{id}-error");
    view! {
        <div class="template-field" class:invalid=invalid>
            <label for=id.clone() class="template-label">
                {short}
            </label>
            <div class="template-box">
                <div class="template-backdrop" aria-hidden="true" node_ref=backdrop>
                    {move || highlighted(&text.get())}
                </div>
                <input
                    node_ref=input
                    id=id.clone()
                    class="template-input"
                    type="text"
                    spellcheck="false"
                    autocomplete="off"
                    autocapitalize="off"
                    aria-label=label
                    aria-invalid=move || invalid().to_string()
                    aria-describedby=error_id.clone()
                    placeholder="ENTITY#{attribute}"
                    prop:value=text
                    on:input=move |event| {
                        edit.run(event_target_value(&event));
                        follow_scroll();
                    }
                    on:scroll=move |_| follow_scroll()
                />
            </div>
            <div class="field-error" id=error_id aria-live="polite">
                {move || {
                    errors()
                        .into_iter()
                        .map(|message| view! { <p>{message}</p> })
                        .collect_view()
                }}
            </div>
        </div>
    }
}

/// The text with tinted placeholders and underlined mistakes, of exactly the same width as the text.
fn highlighted(text: &str) -> Vec<AnyView> {
    let piece = |segment: &Segment| {
        let source = text.get(segment.span()).unwrap_or_default().to_owned();
        match segment {
            Segment::Literal { .. } => view! { <span>{source}</span> }.into_any(),
            Segment::Placeholder(placeholder) => {
                view! { <mark class=tint(&placeholder.attribute)>{source}</mark> }.into_any()
            }
            Segment::Broken { .. } => view! { <span class="broken">{source}</span> }.into_any(),
        }
    };
    (template::parse(text).template.segments.iter())
        .map(piece)
        .collect()
}
