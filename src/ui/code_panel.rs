//! The exports, live: every change of the design shows in the text or the picture at once.

mod picture;

use super::parts::icon::{Glyph, Icon};
use super::store::{Store, use_store};
use crate::domain::export::Tag;
use crate::domain::export::{Code, Format};
use crate::domain::model::file_stem;
use crate::platform::{clipboard, download};
use crate::ui::parts::erased::memo;
use leptos::prelude::*;
use leptos::task::spawn_local;
use picture::{Chosen, PictureBar, PicturePreview};

/// The exports.
#[component]
pub fn CodePanel() -> impl IntoView {
    // No format of code: the picture.
    let format = RwSignal::new(Some(Format::CloudFormation));
    let picture = Chosen(RwSignal::new(None));
    let choice = move |choice: Option<Format>| {
        view! {
            <button
                aria-pressed=move || (format.get() == choice).to_string()
                on:click=move |_| format.set(choice)
            >
                {choice.map_or("Picture", Format::label)}
            </button>
        }
    };
    view! {
        <div class="code-panel">
            <div class="code-bar">
                <div class="segmented" role="group" aria-label="Export format">
                    {Format::ALL.map(|format| choice(Some(format))).into_iter().collect_view()}
                    {choice(None)}
                </div>
                <span class="spring"></span>
                {move || match format.get() {
                    Some(format) => view! { <CodeBar format=format /> }.into_any(),
                    None => view! { <PictureBar chosen=picture /> }.into_any(),
                }}
            </div>
            {move || match format.get() {
                Some(format) => view! { <CodeText format=format /> }.into_any(),
                None => view! { <PicturePreview chosen=picture /> }.into_any(),
            }}
        </div>
    }
}

/// Copies a text, and says how it went.
pub(super) fn copy(store: Store, text: String) {
    spawn_local(async move {
        match clipboard::copy(&text).await {
            Ok(()) => store.notices.say("Copied."),
            Err(_) => store.notices.error(
                "The browser did not allow copying. Select the text and copy it, or use Download.",
            ),
        }
    });
}

#[component]
fn CodeBar(format: Format) -> impl IntoView {
    let store = use_store();
    let text = move || store.with(|design| format.export(design).text);
    let save = move |_| {
        let stem = store.with(|design| file_stem(&design.table.name));
        download::text(&format.file_name(&stem), &text());
    };
    view! {
        <button
            class="button small"
            title="Copy the whole text"
            on:click=move |_| copy(store, text())
        >
            <Icon glyph=Glyph::Copy />
            "Copy"
        </button>
        <button class="button small" title="Download as a file" on:click=save>
            <Icon glyph=Glyph::Download />
            "Download"
        </button>
    }
}

#[component]
fn CodeText(format: Format) -> impl IntoView {
    let store = use_store();
    let code = memo(move |_| {
        store.revision.track();
        store.with(|design| format.export(design))
    });
    view! {
        <pre class="code" tabindex="0" aria-label=format.label()>
            <code>{move || code.with(highlighted)}</code>
        </pre>
    }
}

pub(super) fn highlighted(code: &Code) -> Vec<AnyView> {
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
