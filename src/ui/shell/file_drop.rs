//! Files dropped on the page open as [`open_files`] says. Otherwise the browser would leave the page to show the file.

use super::app_context::AppContext;
use super::open_and_save::open_files;
use crate::ui::widgets::file_picker::file_list;
use leptos::ev;
use leptos::prelude::*;
use web_sys::{DataTransfer, DragEvent};

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
        open_files(app, file_list(&files));
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
