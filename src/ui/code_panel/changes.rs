//! What changed in a file since it was taken away last.

use super::{Exporting, Files, file_at};
use crate::app::export::{Mark, diff_pieces};
use crate::ui::designs::use_designs;
use crate::ui::parts::erased::{Memo, RwSignal, memo};
use leptos::prelude::*;

/// A file that is shown and as what it was taken away last. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Changed {
    exporting: Exporting,
    files: Files,
    /// The time and the text; both are empty if it was never taken away.
    last: Memo<(String, String)>,
    differs: Memo<bool>,
}

/// The file that is shown of these, compared with what is remembered under this name.
pub fn since_last(exporting: Exporting, files: Files, name: Memo<String>) -> Changed {
    let designs = use_designs();
    let last = memo(move |_| {
        exporting.taken.track();
        designs.last_export(&name.get()).unwrap_or_default()
    });
    let differs = memo(move |_| {
        last.with(|(time, text)| {
            let shown = |files: &Vec<_>| {
                let file = file_at(files, exporting.file.get());
                file.is_some_and(|file| file.code.text != *text)
            };
            !time.is_empty() && files.with(shown)
        })
    });
    Changed {
        exporting,
        files,
        last,
        differs,
    }
}

impl Changed {
    /// What is shown of the changes; `None` if there are none, or they are not asked for.
    pub fn pieces(self, on: RwSignal<bool>) -> Option<Vec<AnyView>> {
        if !on.get() || !self.differs.get() {
            return None;
        }
        let at = self.exporting.file.get();
        let pieces = self.files.with(|files| {
            let new = file_at(files, at)?;
            Some((self.last).with(|(_, old)| diff_pieces(old, &new.code.text)))
        });
        let view = |(mark, text)| match mark {
            Mark::Same => view! { <span>{text}</span> }.into_any(),
            Mark::Added => view! { <ins>{text}</ins> }.into_any(),
            Mark::Removed => view! { <del>{text}</del> }.into_any(),
        };
        Some(pieces?.into_iter().map(view).collect())
    }
}

/// When the file was taken away last, and a way to see what changed since.
#[component]
pub fn ChangesBar(
    /// The file.
    changed: Changed,
    /// Whether the changes are shown.
    on: RwSignal<bool>,
) -> impl IntoView {
    let text = move || {
        changed.last.with(|(time, _)| match time.is_empty() {
            true => String::new(),
            false => match changed.differs.get() {
                true => ["Changed since ", time].concat(),
                false => ["As exported ", time].concat(),
            },
        })
    };
    view! {
        <span class="code-last" role="status">
            {text}
        </span>
        <button
            class="button small"
            hidden=move || !changed.differs.get()
            title="Show what changed since the last export"
            aria-pressed=move || on.get().to_string()
            on:click=move |_| on.update(|on| *on = !*on)
        >
            "Changes"
        </button>
    }
}
