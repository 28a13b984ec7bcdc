//! Choosing and reading files.

use super::icon::{Glyph, Icon};
use crate::ui::reactive::later::View;
use keyfold_core::import::{MAX_BYTES, too_large};
use leptos::html::Input;
use leptos::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, FileList};

/// What the text of a file is, or why it cannot be read.
pub type FileText = Result<String, String>;

/// A button for choosing a file.
#[component]
pub fn ChooseFile(
    /// The accessible name of its field.
    label: &'static str,
    /// The accepted files, as in the `accept` attribute.
    accept: &'static str,
    /// Called with the file.
    take: Callback<File>,
) -> impl IntoView {
    let picker: NodeRef<Input> = NodeRef::new();
    view! {
        <button
            type="button"
            class="button import-choose"
            on:click=move |_| {
                if let Some(picker) = picker.get_untracked() {
                    picker.click();
                }
            }
        >
            <Icon glyph=Glyph::Upload />
            "Choose a file…"
        </button>
        <input
            node_ref=picker
            type="file"
            aria-label=label
            accept=accept
            hidden=true
            on:change=move |_| {
                for file in chosen_files(picker) {
                    take.run(file);
                }
            }
        />
    }
}

/// The files of a list.
pub fn file_list(files: &FileList) -> Vec<File> {
    (0..files.length()).filter_map(|at| files.get(at)).collect()
}

/// The files that were chosen in a field. Empties the field, so that they can be chosen again.
pub fn chosen_files(field: NodeRef<Input>) -> Vec<File> {
    let Some(field) = field.get_untracked() else {
        return Vec::new();
    };
    let files = field.files().map(|files| file_list(&files));
    field.set_value("");
    files.unwrap_or_default()
}

/// Calls `take` with the name and the text of a file, if the view still exists. A file that is too large is not read.
pub fn read_file(view: View, file: File, take: Box<dyn FnOnce(String, FileText)>) {
    if file.size() > MAX_BYTES as f64 {
        return take(file.name(), Err(too_large()));
    }
    let read = JsFuture::from(file.text());
    view.answer(read, move |text| {
        let text = text.ok().and_then(|text| text.as_string());
        let text = text.ok_or_else(|| "the browser could not read it".to_owned());
        take(file.name(), text);
    });
}
