//! The files of an export: generated in slices, shown one at a time, copied and downloaded.

use super::panel_state::use_exports;
use crate::platform::download;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{Memo, RwSignal, memo};
use crate::ui::reactive::live_output::LiveOutput;
use crate::ui::state::clipboard_notices;
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::export::{Listing, NameTooLong, zip_in_slices};
use keyfold_core::export::File;
use keyfold_core::model::{Design, file_stem};
use keyfold_core::slices::Slices;
use leptos::prelude::*;
use std::sync::Arc;

/// The name of the folder for exports of a design.
pub fn folder_of(design: &Design, what: &str) -> String {
    [&file_stem(&design.table.name), "-", what].concat()
}

/// Downloads files as one zip archive, in a folder of this name.
pub fn save_zip(store: Store, folder: String, files: Vec<File>) {
    let name = [&folder, ".zip"].concat();
    let work = Slices::new(async move { zip_in_slices(&folder, &files).await });
    let done = move |archive: Result<Vec<u8>, NameTooLong>| match archive {
        Ok(archive) => download::zip(&name, &archive),
        Err(error) => store.notices.error(error.to_string()),
    };
    store.view.in_slices(work, done);
}

/// A file ready to be shown.
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Its text.
    pub listing: ByPtr<Listing>,
}

impl Listed {
    /// The file as exported.
    pub fn file(&self) -> File {
        File {
            name: self.name.clone(),
            code: self.listing.code.clone(),
        }
    }
}

/// Prepares files to be shown.
pub async fn listed(files: Vec<File>) -> Vec<Listed> {
    let mut listed = Vec::new();
    for File { name, code } in files {
        let listing = ByPtr(Arc::new(Listing::new(code).await));
        listed.push(Listed { name, listing });
    }
    listed
}

/// The shown files. They follow the design.
pub type Files = LiveOutput<Vec<Listed>>;

/// The file at this position, or the first if there are fewer files now.
pub fn file_at(files: &[Listed], at: usize) -> Option<&Listed> {
    files.get(at).or(files.first())
}

/// The content of the chosen file.
pub fn chosen(files: Files, at: RwSignal<usize>) -> Memo<Option<ByPtr<Listing>>> {
    memo(move |_| {
        let listing = |files: &ByPtr<Vec<Listed>>| Some(file_at(files, at.get())?.listing.clone());
        files.made.with(|files| files.as_ref().and_then(listing))
    })
}

/// A callback for files once they are generated.
pub type Then = Box<dyn FnOnce(&[Listed])>;

/// A callback for copied or downloaded files.
pub type Taken = Box<dyn Fn(&[File]) + Send + Sync>;

/// The buttons that copy the shown file, and download it or the whole folder.
#[component]
pub fn TakeButtons(files: Files, folder: bool, what: &'static str, taken: Taken) -> impl IntoView {
    let store = use_store();
    let exporting = use_exports();
    let taken = StoredValue::new(taken);
    // A request waits until the files are generated, and is dropped if another design is open by then.
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
            // The file belongs to this design, whichever design is open when the browser answers.
            let then = store.in_this_design(move || {
                let _ = taken.try_with_value(|taken| taken(&[file]));
            });
            clipboard_notices::copy(store.notices, text, clipboard_notices::BY_HAND, then);
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
        <button class="button small" title="Copy all text" on:click=copy_file>
            <Icon glyph=Glyph::Copy />
            "Copy"
        </button>
        <button class="button small" title=title on:click=save>
            <Icon glyph=Glyph::Download />
            "Download"
        </button>
    }
}

/// The choice of the shown file.
#[component]
pub fn FileChoice(files: Files) -> impl IntoView {
    let file = use_exports().file;
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
