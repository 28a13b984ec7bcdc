//! The exports, live: every change of the design shows in the text or the picture at once. Beside the text are the
//! choices that a format has, and what changed since it was taken away last.

mod changes;
mod choices;
mod picture;
mod plan;

use super::designs::{Designs, use_designs};
use super::desk::use_desk;
use super::parts::icon::{Glyph, Icon};
use super::store::{Store, use_store};
use crate::app::export::{everything, export_name, version_text, zip};
use crate::app::picture::Options;
use crate::app::session::Detail;
use crate::domain::export::{Code, FORMATS, File, Format, Tag};
use crate::domain::model::file_stem;
use crate::platform::download;
use crate::ui::clipboard;
use crate::ui::parts::erased::{Memo, RwSignal, memo};
use changes::ChangesBar;
use choices::Choices;
use leptos::prelude::*;
use picture::{Chosen, PictureBar, PicturePreview};
use plan::{Earlier, PlanView};

/// What the panel shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Text.
    Format(Format),
    /// The picture of the canvas.
    Picture,
    /// The updates from an earlier version.
    Plan,
}

impl Shown {
    /// All of them, in the order of the list.
    pub fn all() -> impl Iterator<Item = Shown> {
        (FORMATS.iter().map(|format| Shown::Format(*format))).chain([Shown::Picture, Shown::Plan])
    }

    /// What it is called.
    pub fn label(self) -> &'static str {
        match self {
            Shown::Format(format) => format.label,
            Shown::Picture => "Picture",
            Shown::Plan => "Change plan",
        }
    }

    /// Other words for it.
    pub fn also(self) -> &'static str {
        match self {
            Shown::Format(_) => "code",
            Shown::Picture => "image SVG PNG",
            Shown::Plan => "migration diff",
        }
    }
}

/// What the panel remembers while the page is open. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Exporting {
    shown: RwSignal<Shown>,
    /// Which of its files.
    file: RwSignal<usize>,
    /// Whether what changed since the last export is shown instead of the text.
    changes: RwSignal<bool>,
    /// Counts what is taken away.
    taken: RwSignal<u64>,
    picture: Chosen,
    earlier: Earlier,
}

impl Exporting {
    /// The panel as it first opens.
    pub fn new() -> Self {
        Exporting {
            shown: RwSignal::new(Shown::Format(FORMATS[0])),
            file: RwSignal::new(0),
            changes: RwSignal::new(false),
            taken: RwSignal::new(0),
            picture: Chosen(RwSignal::new(None)),
            earlier: Earlier::new(),
        }
    }

    /// Shows another one.
    pub fn choose(self, shown: Shown) {
        self.file.set(0);
        self.shown.set(shown);
    }

    /// Remembers that these files were taken away.
    fn remember(self, store: Store, designs: Designs, format: Format, files: &[File]) {
        for file in files {
            designs.remember_export(&export_name(format, file), &file.code.text);
        }
        self.remember_version(store, designs, format);
        self.taken.update(|count| *count += 1);
    }

    /// With a template, what a change plan needs of the design.
    fn remember_version(self, store: Store, designs: Designs, format: Format) {
        if format.name.starts_with("cloudformation") {
            designs.remember_export(plan::VERSION, &store.with(version_text));
        }
    }
}

/// The exports.
#[component]
pub fn CodePanel() -> impl IntoView {
    let (store, designs, desk) = (use_store(), use_designs(), use_desk());
    let exporting = desk.exporting;
    let shown = exporting.shown;
    let choice = move |choice: Shown| {
        view! {
            <button
                aria-pressed=move || (shown.get() == choice).to_string()
                on:click=move |_| exporting.choose(choice)
            >
                {choice.label()}
            </button>
        }
    };
    let choices = Shown::all().map(choice).collect_view();
    let save_all = move |_| {
        let options = Options {
            dark: desk.theme.get_untracked().is_dark(),
            detail: Detail::All,
            groups: desk.canvas.groups.get_untracked(),
        };
        let files = store.with(|design| {
            everything(design, options, &mut |format, file| {
                designs.remember_export(&export_name(format, file), &file.code.text);
            })
        });
        exporting.remember(store, designs, FORMATS[0], &[]);
        save_zip(store, "exports", &files);
    };
    view! {
        <div class="code-panel">
            <div class="code-formats">
                <div class="segmented" role="group" aria-label="Export format">
                    {choices}
                </div>
                <button
                    class="button small"
                    title="Download all formats, the picture, the samples and the design in one zip file"
                    on:click=save_all
                >
                    <Icon glyph=Glyph::Download />
                    "All as zip"
                </button>
            </div>
            <div class="code-shown">
                {move || match shown.get() {
                    Shown::Format(format) => view! { <FormatView format=format /> }.into_any(),
                    Shown::Plan => view! { <PlanView earlier=exporting.earlier /> }.into_any(),
                    Shown::Picture => {
                        view! {
                            <div class="code-bar">
                                <span class="spring"></span>
                                <PictureBar chosen=exporting.picture />
                            </div>
                            <PicturePreview chosen=exporting.picture />
                        }
                            .into_any()
                    }
                }}
            </div>
        </div>
    }
}

/// Offers files as one archive, in a folder of its name.
fn save_zip(store: Store, what: &str, files: &[File]) {
    let stem = store.with(|design| file_stem(&design.table.name));
    let folder = [&stem, "-", what].concat();
    match zip(&folder, files) {
        Ok(archive) => download::zip(&[&folder, ".zip"].concat(), &archive),
        Err(error) => store.notices.error(error.to_string()),
    }
}

/// The files that are shown. Subscribes to the design.
type Files = Memo<Vec<File>>;

/// What the file of this place holds, or the first where there are fewer now.
fn file_at(files: &[File], at: usize) -> Option<&File> {
    files.get(at).or(files.first())
}

#[component]
fn FormatView(format: Format) -> impl IntoView {
    let (store, designs) = (use_store(), use_designs());
    let exporting = use_desk().exporting;
    let files: Files = memo(move |_| {
        store.revision.track();
        store.with(|design| format.files(design))
    });
    let name = move || {
        files.with(|files| Some(export_name(format, file_at(files, exporting.file.get())?)))
    };
    let taken = move |files: &[File]| exporting.remember(store, designs, format, files);
    let changed = changes::since_last(exporting, files, memo(move |_| name().unwrap_or_default()));
    view! {
        <div class="code-bar code-head">
            <Choices format=format />
            <div class="code-take">
                <ChangesBar changed=changed on=exporting.changes />
                <TakeButtons
                    files=files
                    folder=format.is_folder()
                    what=format.name
                    taken=Box::new(taken)
                />
            </div>
        </div>
        {format.is_folder().then(|| view! { <FileChoice files=files /> })}
        <pre class="code" tabindex="0" aria-label=format.label>
            <code>
                {move || match changed.pieces(exporting.changes) {
                    Some(pieces) => pieces,
                    None => shown_text(files, exporting.file),
                }}
            </code>
        </pre>
    }
}

/// What is done with files that were taken away.
type Taken = Box<dyn Fn(&[File]) + Send + Sync>;

/// Copies the file that is shown; downloads it, or the whole folder.
#[component]
fn TakeButtons(files: Files, folder: bool, what: &'static str, taken: Taken) -> impl IntoView {
    let store = use_store();
    let exporting = use_desk().exporting;
    let taken = StoredValue::new(taken);
    let copy_file = move |_| {
        let at = exporting.file.get_untracked();
        let file = files.with_untracked(|files| file_at(files, at).cloned());
        if let Some(file) = file {
            let text = file.code.text.clone();
            // The file is one of this design, whatever is open once the browser has answered.
            let then = store.in_this_design(move || {
                let _ = taken.try_with_value(|taken| taken(&[file]));
            });
            clipboard::copy(store.notices, text, clipboard::BY_HAND, then);
        }
    };
    let save = move |_| {
        files.with_untracked(|files| match files.as_slice() {
            [file] if !folder => download::text(&file.name, &file.code.text),
            files => save_zip(store, what, files),
        });
        files.with_untracked(|files| taken.with_value(|taken| taken(files)));
    };
    let title = match folder {
        true => "Download all files as a zip",
        false => "Download as a file",
    };
    view! {
        <button class="button small" title="Copy the whole text" on:click=copy_file>
            <Icon glyph=Glyph::Copy />
            "Copy"
        </button>
        <button class="button small" title=title on:click=save>
            <Icon glyph=Glyph::Download />
            "Download"
        </button>
    }
}

/// Which of several files is shown.
#[component]
fn FileChoice(files: Files) -> impl IntoView {
    let file = use_desk().exporting.file;
    let names = memo(move |_| {
        let name = |file: &File| file.name.clone();
        files.with(|files| files.iter().map(name).collect::<Vec<_>>())
    });
    let choice = move |(at, name): (usize, String)| {
        view! {
            <button
                aria-pressed=move || (file.get() == at).to_string()
                on:click=move |_| file.set(at)
            >
                {name}
            </button>
        }
    };
    view! {
        <div class="code-bar">
            <div class="segmented" role="group" aria-label="File">
                {move || names.get().into_iter().enumerate().map(choice).collect_view()}
            </div>
        </div>
    }
}

/// The text of the file that is shown.
fn shown_text(files: Files, at: RwSignal<usize>) -> Vec<AnyView> {
    files.with(|files| {
        let file = file_at(files, at.get());
        file.map_or_else(Vec::new, |file| highlighted(&file.code))
    })
}

/// A text with its pieces coloured.
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
