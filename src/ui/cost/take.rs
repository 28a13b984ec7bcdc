//! The report to take away: as CSV for spreadsheets and as Markdown for documents.

use super::sections::Shown;
use crate::platform::download;
use crate::ui::state::clipboard_notices;
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_core::model::file_stem;
use keyfold_cost::Report;
use leptos::prelude::*;

/// The buttons that copy and download the report.
#[component]
pub fn TakeCost(report: Shown) -> impl IntoView {
    let store = use_store();
    let text = move |write: fn(&Report) -> String| {
        report.with_untracked(|report| report.as_ref().map(|report| write(report)))
    };
    let copy = move |write: fn(&Report) -> String| {
        if let Some(text) = text(write) {
            let refused = clipboard_notices::BY_HAND;
            clipboard_notices::copy(store.notices, text, refused, Box::new(|| ()));
        }
    };
    let save = move |_| {
        if let Some(text) = text(Report::csv) {
            let stem = store.with(|design| file_stem(&design.table.name));
            download::text(&[&stem, "-cost.csv"].concat(), &text);
        }
    };
    view! {
        <div class="cost-take">
            <button
                class="button small"
                title="Copy the report for a document"
                on:click=move |_| copy(Report::markdown)
            >
                <Icon glyph=Glyph::Copy />
                "Copy Markdown"
            </button>
            <button
                class="button small"
                title="Copy the report for a spreadsheet"
                on:click=move |_| copy(Report::csv)
            >
                <Icon glyph=Glyph::Copy />
                "Copy CSV"
            </button>
            <button
                class="button small"
                title="Download the report for a spreadsheet"
                on:click=save
            >
                <Icon glyph=Glyph::Download />
                "Download CSV"
            </button>
        </div>
    }
}
