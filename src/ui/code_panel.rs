//! The exports, live: every change of the design shows in the text or the picture at once. Beside the text are the
//! choices that a format has, and what changed since it was taken away last.

mod changes;
mod choices;
mod making;
mod picture;
mod plan;
mod preview;

pub(super) use preview::highlighted;

use super::designs::{Designs, use_designs};
use super::desk::use_desk;
use super::parts::icon::{Glyph, Icon};
use super::store::{ByPtr, Store, use_store};
use crate::platform::download;
use crate::ui::clipboard;
use crate::ui::parts::erased::{Memo, RwSignal, memo};
use changes::ChangesBar;
use choices::Choices;
use keyfold_app::export::{
    Listing, TooLarge, all_files_in_slices, export_name, version_text, zip_in_slices,
};
use keyfold_app::picture::PictureOptions;
use keyfold_app::session::Detail;
use keyfold_core::export::{FORMATS, File, Format};
use keyfold_core::model::{Design, file_stem};
use keyfold_core::slices::Slices;
use leptos::prelude::*;
use making::Making;
use picture::{Chosen, PictureBar, PicturePreview};
use plan::{Earlier, PlanView};
use preview::Preview;
use std::sync::Arc;

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
    /// Whether the archive of everything is being made.
    zipping: RwSignal<bool>,
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
            zipping: RwSignal::new(false),
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
            designs.remember_export(&export_name(format, &file.name), &file.code.text);
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
        let options = PictureOptions {
            dark: desk.theme.get_untracked().is_dark(),
            detail: Detail::All,
            groups: desk.canvas.groups.get_untracked(),
        };
        let design = store.with(Design::clone);
        let folder = folder_of(&design, "exports");
        let opened = store.opened.get_untracked();
        // Another design may be opened meanwhile, which these are not the exports of.
        let is_open = move || store.opened.try_get_untracked() == Some(opened);
        exporting.zipping.set(true);
        let work = Slices::new(async move {
            let mut taken = |format, file: &File| {
                if is_open() {
                    designs.remember_export(&export_name(format, &file.name), &file.code.text);
                }
            };
            let files = all_files_in_slices(&design, options, &mut taken).await;
            (files, version_text(&design))
        });
        let done = move |(files, version): (Vec<File>, String)| {
            exporting.zipping.set(false);
            if is_open() {
                designs.remember_export(plan::VERSION, &version);
                exporting.taken.update(|count| *count += 1);
            }
            save_zip(store, folder, files);
        };
        store.view.in_slices(work, || true, done);
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
                    disabled=move || exporting.zipping.get()
                    aria-busy=move || exporting.zipping.get().to_string()
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

/// What a folder is called with exports of a design.
fn folder_of(design: &Design, what: &str) -> String {
    [&file_stem(&design.table.name), "-", what].concat()
}

/// Offers files as one archive, in a folder of this name.
fn save_zip(store: Store, folder: String, files: Vec<File>) {
    let name = [&folder, ".zip"].concat();
    let work = Slices::new(async move { zip_in_slices(&folder, &files).await });
    let done = move |archive: Result<Vec<u8>, TooLarge>| match archive {
        Ok(archive) => download::zip(&name, &archive),
        Err(error) => store.notices.error(error.to_string()),
    };
    store.view.in_slices(work, || true, done);
}

/// A file that is shown.
struct Listed {
    name: String,
    listing: ByPtr<Listing>,
}

impl Listed {
    fn file(&self) -> File {
        File {
            name: self.name.clone(),
            code: self.listing.code.clone(),
        }
    }
}

/// Files, ready to be shown.
async fn listed(files: Vec<File>) -> Vec<Listed> {
    let mut listed = Vec::new();
    for File { name, code } in files {
        let listing = ByPtr(Arc::new(Listing::new(code).await));
        listed.push(Listed { name, listing });
    }
    listed
}

/// The files that are shown. They follow the design.
type Files = Making<Vec<Listed>>;

/// The file of this place, or the first where there are fewer now.
fn file_at(files: &[Listed], at: usize) -> Option<&Listed> {
    files.get(at).or(files.first())
}

/// What the chosen file holds.
fn chosen(files: Files, at: RwSignal<usize>) -> Memo<Option<ByPtr<Listing>>> {
    memo(move |_| {
        let listing = |files: &ByPtr<Vec<Listed>>| Some(file_at(files, at.get())?.listing.clone());
        files.made.with(|files| files.as_ref().and_then(listing))
    })
}

#[component]
fn FormatView(format: Format) -> impl IntoView {
    let (store, designs) = (use_store(), use_designs());
    let exporting = use_desk().exporting;
    let files: Files = Making::new(move || {
        store.revision.track();
        let design = store.with(Design::clone);
        let work = async move { listed(format.files_in_slices(&design).await).await };
        Some(Slices::new(work))
    });
    let name = memo(move |_| {
        let name = |files: &ByPtr<Vec<Listed>>| {
            let file = file_at(files, exporting.file.get())?;
            Some(export_name(format, &file.name))
        };
        (files.made)
            .with(|files| files.as_ref().and_then(name))
            .unwrap_or_default()
    });
    let taken = move |files: &[File]| exporting.remember(store, designs, format, files);
    let shown = chosen(files, exporting.file);
    let changed = changes::since_last(exporting, shown, name);
    let listing = memo(move |_| {
        let plain = shown.get();
        changed.listing.made.get().or(plain)
    });
    let busy = move || files.busy.get() || changed.listing.busy.get();
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
        <Preview label=format.label listing=listing busy=Signal::derive(busy) />
    }
}

/// What is done with files once they are made.
type Then = Box<dyn FnOnce(&[Listed])>;

/// What is done with files that were taken away.
type Taken = Box<dyn Fn(&[File]) + Send + Sync>;

/// Copies the file that is shown; downloads it, or the whole folder.
#[component]
fn TakeButtons(files: Files, folder: bool, what: &'static str, taken: Taken) -> impl IntoView {
    let store = use_store();
    let exporting = use_desk().exporting;
    let taken = StoredValue::new(taken);
    // While they are being made, what is asked for waits for them; those of another design are not meant.
    let with_files = move |then: Then| {
        let opened = store.opened.get_untracked();
        files.when_made(move |files| {
            if store.opened.try_get_untracked() == Some(opened) {
                then(files);
            }
        });
    };
    let copy_file = move |_| {
        let at = exporting.file.get_untracked();
        with_files(Box::new(move |files| {
            let Some(file) = file_at(files, at).map(Listed::file) else {
                return;
            };
            let text = file.code.text.clone();
            // The file is one of this design, whatever is open once the browser has answered.
            let then = store.in_this_design(move || {
                let _ = taken.try_with_value(|taken| taken(&[file]));
            });
            clipboard::copy(store.notices, text, clipboard::BY_HAND, then);
        }));
    };
    let save = move |_| {
        with_files(Box::new(move |files| {
            let files: Vec<File> = files.iter().map(Listed::file).collect();
            let _ = taken.try_with_value(|taken| taken(&files));
            match files.as_slice() {
                [file] if !folder => download::text(&file.name, &file.code.text),
                _ => save_zip(store, store.with(|design| folder_of(design, what)), files),
            }
        }));
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
    let names = memo(move |_| -> Vec<String> {
        let names =
            |files: &ByPtr<Vec<Listed>>| files.iter().map(|file| file.name.clone()).collect();
        files
            .made
            .with(|files| files.as_ref().map(names))
            .unwrap_or_default()
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
