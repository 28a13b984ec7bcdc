//! Files that the page reads and writes: designs and samples.

use crate::platform::download;
use crate::ui::state::store::Store;
use keyfold_core::export;
use keyfold_core::model::{EntityId, file_stem};
use keyfold_core::persist;
use leptos::html::Input;
use leptos::prelude::*;

/// Opens the browser's file dialog for a design file.
pub fn choose_file(field: NodeRef<Input>) {
    if let Some(field) = field.get_untracked() {
        field.click();
    }
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
    let (name, text) = store.with(|design| {
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
    });
    download::text(&name, &text);
}
