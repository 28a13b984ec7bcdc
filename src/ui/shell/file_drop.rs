//! Files dropped on the page or pasted into it open as [`open_files`] says. Otherwise the browser would leave the page to show the file.

use super::app_context::AppContext;
use super::design_file;
use super::open_and_save::{is_own, open_files};
use crate::platform::files;
use crate::ui::widgets::file_picker::file_list;
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, DataTransfer, DragEvent};

/// Accepts dropped and pasted files until the reactive owner is disposed.
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
        let transfer = allow(&event);
        let list = transfer.as_ref().and_then(DataTransfer::files);
        let (Some(list), Some(transfer)) = (list, transfer) else {
            return;
        };
        let mut others = file_list(&list);
        // Keyfold's own files are linked to their place on the disk.
        let own = files::dropped(&transfer).into_iter();
        let own: Vec<_> = own.filter(|(file, _)| is_own(&file.name())).collect();
        if files::is_there() && !own.is_empty() {
            others.retain(|file| !is_own(&file.name()));
            design_file::open_dropped(app, own);
        }
        if !others.is_empty() {
            open_files(app, others);
        }
    });
    let pasted = window_event_listener_untyped("paste", move |event| {
        let data = event
            .dyn_ref::<ClipboardEvent>()
            .and_then(|event| event.clipboard_data());
        let files = data.filter(has_files).and_then(|data| data.files());
        let files = files.map(|files| file_list(&files)).unwrap_or_default();
        if !files.is_empty() && !event.default_prevented() {
            event.prevent_default();
            open_files(app, files);
        }
    });
    on_cleanup(move || {
        over.remove();
        dropped.remove();
        pasted.remove();
    });
}

fn has_files(transfer: &DataTransfer) -> bool {
    let types = transfer.types();
    types
        .iter()
        .any(|kind| kind.as_string().as_deref() == Some("Files"))
}
