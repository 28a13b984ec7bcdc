//! The exports, live: every change of the design shows in the text at once.

use super::parts::icon::{Glyph, Icon};
use super::store::use_store;
use crate::domain::export::Tag;
use crate::domain::export::{Code, Format};
use crate::domain::model::file_stem;
use crate::platform::{clipboard, download};
use crate::ui::parts::erased::memo;
use leptos::prelude::*;
use leptos::task::spawn_local;

/// The exports.
#[component]
pub fn CodePanel() -> impl IntoView {
    let store = use_store();
    let format = RwSignal::new(Format::CloudFormation);
    let code = memo(move |_| {
        store.revision.track();
        store.with(|design| format.get().export(design))
    });
    let file_name = move || {
        let stem = store.with(|design| file_stem(&design.table.name));
        format.get_untracked().file_name(&stem)
    };
    let copy = move |_| {
        let text = code.with_untracked(|code| code.text.clone());
        spawn_local(async move {
            match clipboard::copy(&text).await {
                Ok(()) => store.notices.say("Copied."),
                Err(_) => store.notices.error(
                    "The browser did not allow copying. Select the text and copy it, or use Download.",
                ),
            }
        });
    };
    view! {
        <div class="code-panel">
            <div class="code-bar">
                <div class="segmented" role="group" aria-label="Export format">
                    {Format::ALL
                        .into_iter()
                        .map(|choice| {
                            let chosen = move || format.get() == choice;
                            view! {
                                <button
                                    aria-pressed=move || chosen().to_string()
                                    on:click=move |_| format.set(choice)
                                >
                                    {choice.label()}
                                </button>
                            }
                        })
                        .collect_view()}
                </div>
                <span class="spring"></span>
                <button class="button small" title="Copy the whole text" on:click=copy>
                    <Icon glyph=Glyph::Copy />
                    "Copy"
                </button>
                <button
                    class="button small"
                    title="Download as a file"
                    on:click=move |_| {
                        code.with_untracked(|code| download::text(&file_name(), &code.text));
                    }
                >
                    <Icon glyph=Glyph::Download />
                    "Download"
                </button>
            </div>
            <pre class="code" tabindex="0" aria-label=move || format.get().label()>
                <code>{move || code.with(highlighted)}</code>
            </pre>
        </div>
    }
}

fn highlighted(code: &Code) -> Vec<AnyView> {
    let mut pieces = Vec::with_capacity(code.spans.len() * 2 + 1);
    let mut at = 0;
    let plain = |text: &str| text.to_owned().into_any();
    for (span, tag) in &code.spans {
        pieces.push(plain(&code.text[at..span.start]));
        let text = code.text[span.clone()].to_owned();
        pieces.push(view! { <span class=class(*tag)>{text}</span> }.into_any());
        at = span.end;
    }
    pieces.push(plain(&code.text[at..]));
    pieces
}

fn class(tag: Tag) -> &'static str {
    match tag {
        Tag::Comment => "c-comment",
        Tag::Keyword => "c-keyword",
        Tag::Type => "c-type",
        Tag::Function => "c-function",
        Tag::Key => "c-key",
        Tag::Text => "c-text",
        Tag::Number => "c-number",
    }
}
