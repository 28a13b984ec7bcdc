//! Choosing and reading files.

use super::icon::{Glyph, Icon};
use crate::ui::reactive::later::View;
use leptos::html::Input;
use leptos::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, FileList};

/// A button for choosing a file. Calls `take` with its name and text; the text is `None` if the browser cannot read it.
#[component]
pub fn ChooseFile(
    /// The accessible name of its field.
    label: &'static str,
    /// The accepted files, as in the `accept` attribute.
    accept: &'static str,
    /// Called with the name and the text of the file.
    take: Callback<(String, Option<String>)>,
) -> impl IntoView {
    let picker: NodeRef<Input> = NodeRef::new();
    let view = View::new();
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
            on:change=move |_| read_chosen(
                view,
                picker,
                Box::new(move |name, text| take.run((name, text))),
            )
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

/// Calls `take` with the name and the text of the chosen file, if the view still exists; the text is `None` if the
/// browser cannot read it. Empties the field, so that the same file can be chosen again.
pub fn read_chosen(
    view: View,
    field: NodeRef<Input>,
    take: Box<dyn FnOnce(String, Option<String>)>,
) {
    let input = field.get_untracked();
    let chosen = input.as_ref().and_then(|input| input.files()?.get(0));
    let Some(chosen) = chosen else { return };
    read_file(
        view,
        chosen,
        Box::new(move |name, text| {
            take(name, text);
            if let Some(input) = input {
                input.set_value("");
            }
        }),
    );
}

/// Calls `take` with the name and the text of a file, if the view still exists; the text is `None` if the browser
/// cannot read it.
pub fn read_file(view: View, file: File, take: Box<dyn FnOnce(String, Option<String>)>) {
    let read = JsFuture::from(file.text());
    view.answer(read, move |text| {
        take(file.name(), text.ok().and_then(|text| text.as_string()));
    });
}
