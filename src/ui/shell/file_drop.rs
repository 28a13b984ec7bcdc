//! Files dropped on the page: a Keyfold file opens as a new design, a sample file opens in the import dialog. Otherwise
//! the browser would leave the page to show the file.

use super::app_context::AppContext;
use crate::ui::widgets::file_picker::read_file;
use leptos::ev;
use leptos::prelude::*;
use web_sys::{DataTransfer, DragEvent};

/// File name extensions of sample files.
const SAMPLES: [&str; 4] = [".csv", ".tsv", ".jsonl", ".ndjson"];

/// Accepts dropped files until the reactive owner is disposed.
pub fn bind(app: AppContext) {
    let allow = |event: &DragEvent| {
        let files = event.data_transfer().filter(has_files);
        if let Some(transfer) = &files {
            event.prevent_default();
            transfer.set_drop_effect("copy");
        }
        files
    };
    let over = window_event_listener(ev::dragover, move |event| {
        allow(&event);
    });
    let dropped = window_event_listener(ev::drop, move |event| {
        let files = allow(&event).and_then(|transfer| transfer.files());
        let Some(files) = files else { return };
        for file in (0..files.length()).filter_map(|at| files.get(at)) {
            let take = move |name, text| take(app, name, text);
            read_file(app.store.view, file, Box::new(take));
        }
    });
    on_cleanup(move || {
        over.remove();
        dropped.remove();
    });
}

fn has_files(transfer: &DataTransfer) -> bool {
    let types = transfer.types();
    types
        .iter()
        .any(|kind| kind.as_string().as_deref() == Some("Files"))
}

fn take(app: AppContext, name: String, text: Option<String>) {
    let lower = name.to_lowercase();
    match text {
        Some(text) if SAMPLES.iter().any(|ending| lower.ends_with(ending)) => {
            app.importing.open_with(name, text);
        }
        text => app.designs.open_file(&name, text),
    }
}
