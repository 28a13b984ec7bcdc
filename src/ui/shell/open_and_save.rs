//! Files that the page reads and writes: designs and samples.

use super::app_context::AppContext;
use crate::platform::download;
use crate::ui::reactive::on_demand::{on_demand, when_loaded};
use crate::ui::state::store::Store;
use crate::ui::widgets::file_picker::read_file;
use keyfold_core::export;
use keyfold_core::model::{Design, EntityId, file_stem};
use keyfold_core::{persist, text};
use leptos::html::Input;
use leptos::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

/// Opens the browser's file dialog for a design file.
pub fn choose_file(field: NodeRef<Input>) {
    if let Some(field) = field.get_untracked() {
        field.click();
    }
}

/// Opens files: each of Keyfold's own as a new design, and all others together in the dialog that makes designs of them or
/// adds their items to the open design.
pub fn open_files(app: AppContext, files: Vec<File>) {
    when_loaded(app.store.view, opener(), move |open| match open {
        Ok(open) => open(app, files),
        Err(error) => app
            .store
            .notices
            .error(format!("The file was not opened: {error}.")),
    });
}

on_demand!(menus, opener: fn(AppContext, Vec<File>) = open_now);

/// Opens a pasted text: one in the language as a new design, another in the dialog that makes designs of it.
pub fn open_pasted(app: AppContext, text: String) {
    when_loaded(app.store.view, paster(), move |open| match open {
        Ok(open) => open(app, text),
        Err(error) => app
            .store
            .notices
            .error(format!("The text was not pasted: {error}.")),
    });
}

on_demand!(menus, paster: fn(AppContext, String) = |app, text| match text::is_text(&text) {
    true => app.designs.open_text("the pasted text", text, || ()),
    false => app.importing_design.open_with_text(&text),
});

fn open_now(app: AppContext, files: Vec<File>) {
    let mut others = Vec::new();
    for file in files {
        let name = file.name().to_lowercase();
        if is_own(&name) {
            open_own(app, file);
        } else {
            others.push(file);
        }
    }
    if others.len() != 1 {
        if !others.is_empty() {
            app.importing_design.open_with(others);
        }
        return;
    }
    // Keyfold's own file under another name.
    let head = others[0].slice_with_i32_and_i32(0, persist::HEAD as i32);
    let read = async move { JsFuture::from(head.ok()?.text()).await.ok()?.as_string() };
    (app.store.view).answer(read, move |head: Option<String>| {
        let head = head.unwrap_or_default();
        for file in others {
            if persist::is_design_file(&head) {
                open_own(app, file);
            } else if text::is_text(&head) {
                let take = move |name: String, text: Result<String, String>| match text {
                    Ok(text) => app.designs.open_text(&name, text, || ()),
                    Err(why) => app.designs.open_file(&name, Err(why)),
                };
                read_file(app.store.view, file, Box::new(take));
            } else {
                app.importing_design.open_with(vec![file]);
            }
        }
    });
}

/// Whether a file is one of Keyfold's own, by its name.
pub fn is_own(name: &str) -> bool {
    let name = name.to_lowercase();
    name.ends_with(".keyfold") || name.ends_with(".keyfold.json")
}

/// Opens one of Keyfold's own files as a new design.
pub(super) fn open_own(app: AppContext, file: File) {
    let take = move |name: String, text| app.designs.open_file(&name, text);
    read_file(app.store.view, file, Box::new(take));
}

/// Downloads the open design as a file.
pub fn save_file(store: Store) {
    let (name, text) = store.with(|design| (design.name.clone(), persist::to_json(design)));
    download::text(&format!("{}.keyfold.json", file_stem(&name)), &text);
}

/// The formats of sample files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// CSV.
    Csv,
    /// DynamoDB JSON, one item per line.
    Json,
}

/// Downloads the samples of an entity, or all samples, as a file.
pub fn download(store: Store, entity: Option<EntityId>, kind: Kind) {
    when_loaded(store.view, samples_writer(), move |write| match write {
        Ok(write) => {
            let (name, text) = store.with(|design| write(design, entity, kind));
            download::text(&name, &text);
        }
        Err(error) => {
            (store.notices).error(format!("The samples were not downloaded: {error}."));
        }
    });
}

on_demand!(tools, samples_writer: fn(&Design, Option<EntityId>, Kind) -> (String, String) = samples_file);

/// The name and the text of a file with samples.
fn samples_file(design: &Design, entity: Option<EntityId>, kind: Kind) -> (String, String) {
    let of = entity.and_then(|id| design.entities.get(&id));
    let name = match of {
        Some(entity) => [&design.name, " ", &entity.name].concat(),
        None => [&design.name, " samples"].concat(),
    };
    let (text, ending) = match kind {
        Kind::Csv => (export::samples::csv(design, entity), "csv"),
        Kind::Json => (export::samples::dynamodb_json(design, entity), "jsonl"),
    };
    ([&file_stem(&name), ".", ending].concat(), text)
}
