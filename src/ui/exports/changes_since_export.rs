//! The changes to a file since its last export.

use super::panel_state::ExportsState;
use crate::ui::designs::use_designs;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{Memo, RwSignal, memo};
use crate::ui::reactive::live_output::LiveOutput;
use keyfold_app::export::Listing;
use keyfold_core::slices::Slices;
use leptos::prelude::*;

/// The shown file and its last export. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Changed {
    /// The time and the text of the last export; both are empty if there is none.
    last: Memo<(String, String)>,
    differs: Memo<bool>,
    /// The changes; `None` unless they are shown.
    pub listing: LiveOutput<Listing>,
}

/// Compares the shown file with its last export under this name.
pub fn since_last(
    exporting: ExportsState,
    shown: Memo<Option<ByPtr<Listing>>>,
    name: Memo<String>,
) -> Changed {
    let designs = use_designs();
    let last = memo(move |_| {
        exporting.taken.track();
        designs.last_export(&name.get()).unwrap_or_default()
    });
    let differs = memo(move |_| {
        shown.with(|shown| {
            let differs = |text: &str| shown.as_ref().is_some_and(|s| s.code.text != text);
            last.with(|(time, text)| !time.is_empty() && differs(text))
        })
    });
    let listing = LiveOutput::new(move || {
        shown.track();
        last.track();
        if !exporting.changes.get() || !differs.get() {
            return None;
        }
        let old = last.with_untracked(|(_, text)| text.clone());
        let new = shown.get_untracked()?;
        Some(Slices::new(async move {
            Listing::of_changes(&old, &new.code.text).await
        }))
    });
    Changed {
        last,
        differs,
        listing,
    }
}

/// The time of the last export, and a button that shows the changes since.
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
                false => ["Unchanged since ", time].concat(),
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
