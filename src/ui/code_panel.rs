//! The exports, live: every change of the design shows in the text or the picture at once.

mod picture;

use super::parts::icon::{Glyph, Icon};
use super::store::{Store, use_store};
use crate::domain::export::{Code, FORMATS, File, Format, Tag};
use crate::platform::{clipboard, download};
use crate::ui::parts::erased::memo;
use leptos::prelude::*;
use leptos::task::spawn_local;
use picture::{Chosen, PictureBar, PicturePreview};

/// The exports.
#[component]
pub fn CodePanel() -> impl IntoView {
    // No format of code: the picture.
    let format = RwSignal::new(Some(FORMATS[0]));
    let picture = Chosen(RwSignal::new(None));
    let shown = Shown(RwSignal::new(0));
    let choice = move |choice: Option<Format>| {
        view! {
            <button
                aria-pressed=move || (format.get() == choice).to_string()
                on:click=move |_| {
                    shown.0.set(0);
                    format.set(choice);
                }
            >
                {choice.map_or("Picture", |format| format.label)}
            </button>
        }
    };
    view! {
        <div class="code-panel">
            <div class="code-bar">
                <div class="segmented" role="group" aria-label="Export format">
                    {FORMATS.map(|format| choice(Some(format))).into_iter().collect_view()}
                    {choice(None)}
                </div>
                <span class="spring"></span>
                {move || match format.get() {
                    Some(format) => view! { <CodeBar format=format shown=shown /> }.into_any(),
                    None => view! { <PictureBar chosen=picture /> }.into_any(),
                }}
            </div>
            {move || match format.get() {
                Some(format) => view! { <CodeText format=format shown=shown /> }.into_any(),
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

/// Which of a format's files is shown.
#[derive(Clone, Copy)]
struct Shown(RwSignal<usize>);

/// The file of this place, or the first where there are fewer now.
fn file_at(mut files: Vec<File>, at: usize) -> Option<File> {
    let at = if at < files.len() { at } else { 0 };
    (!files.is_empty()).then(|| files.swap_remove(at))
}

#[component]
fn CodeBar(format: Format, shown: Shown) -> impl IntoView {
    let store = use_store();
    let file = move || {
        let files = store.with(|design| format.files(design));
        file_at(files, shown.0.get_untracked())
    };
    let copy_file = move |_| {
        if let Some(file) = file() {
            copy(store, file.code.text);
        }
    };
    let save = move |_| {
        if let Some(file) = file() {
            // A browser saves a file, not a folder of files.
            download::text(&file.name.replace('/', "-"), &file.code.text);
        }
    };
    view! {
        <button class="button small" title="Copy the whole text" on:click=copy_file>
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
fn CodeText(format: Format, shown: Shown) -> impl IntoView {
    let store = use_store();
    let files = memo(move |_| {
        store.revision.track();
        store.with(|design| format.files(design))
    });
    let names = memo(move |_| {
        let name = |file: &File| file.name.clone();
        files.with(|files| files.iter().map(name).collect::<Vec<_>>())
    });
    let choice = move |(at, name): (usize, String)| {
        view! {
            <button
                aria-pressed=move || (shown.0.get() == at).to_string()
                on:click=move |_| shown.0.set(at)
            >
                {name}
            </button>
        }
    };
    let choices = move || {
        format.is_folder().then(|| {
            view! {
                <div class="code-bar">
                    <div class="segmented" role="group" aria-label="File">
                        {names.get().into_iter().enumerate().map(choice).collect_view()}
                    </div>
                </div>
            }
        })
    };
    let text = move || {
        let at = shown.0.get();
        files.with(|files| {
            let file = files.get(at).or(files.first());
            file.map_or_else(Vec::new, |file| highlighted(&file.code))
        })
    };
    view! {
        {choices}
        <pre class="code" tabindex="0" aria-label=format.label>
            <code>{text}</code>
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
