//! From a finding to where it stands.

use crate::ui::canvas::handle::{CanvasHandle, use_canvas};
use crate::ui::dom::focus::focus_soon;
use crate::ui::live_table::tab_state::{Tables, use_tables};
use crate::ui::reactive::later::next_frame_with;
use crate::ui::state::navigate::{focus_entry, show_pattern};
use crate::ui::state::page_state::{PageState, Pane, Tab, use_page};
use crate::ui::state::store::{Store, use_store};
use keyfold_core::lint::Place;
use keyfold_core::model::{CardId, IndexId};
use leptos::prelude::*;

/// What a way to a place leads through. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct PageHandles {
    /// The open design.
    pub store: Store,
    /// The arrangement of the page.
    pub page: PageState,
    /// The canvas.
    pub canvas: CanvasHandle,
    /// The live table.
    pub tables: Tables,
}

/// The ways of the page, from the context.
pub fn use_page_handles() -> PageHandles {
    PageHandles {
        store: use_store(),
        page: use_page(),
        canvas: use_canvas(),
        tables: use_tables(),
    }
}

/// Shows a place and leaves the keyboard focus where it is: its card is selected and in view, and its field in the
/// inspector too; an access pattern is selected in its list.
pub fn show(store: Store, canvas: CanvasHandle, place: Place) {
    if let Place::Pattern(id) = place {
        store.proofs.selected.set(Some(id));
    }
    let card = place.card();
    if let Some(card) = card.filter(|card| store.with(|design| design.has_card(*card))) {
        if !(store.selection).with_untracked(|cards| cards.len() == 1 && cards.contains(&card)) {
            store.select(card);
        }
        canvas.reveal(card);
        // The inspector may only now show it.
        next_frame_with(field(place), |field| {
            if let Ok(Some(field)) = document().query_selector(&field) {
                field.scroll_into_view_with_bool(false);
            }
        });
    }
}

/// Goes to a place: as [`show`], and the keyboard focus goes along.
pub fn go(handles: PageHandles, place: Place) {
    let PageHandles {
        store,
        page,
        canvas,
        tables,
    } = handles;
    show(store, canvas, place);
    match place {
        Place::Pattern(id) => show_pattern(store, page, id),
        Place::Sample(_, sample) => {
            let column = store.findings.cell_of(place);
            tables.point_at(IndexId::PRIMARY, Some(sample), column);
            page.show(Tab::Items(IndexId::PRIMARY));
        }
        Place::Template(..) | Place::Attribute(..) => {
            page.pane.set(Pane::Inspector);
            focus_soon(format!("{} input", field(place)));
        }
        Place::Entry(entity, index) => {
            page.pane.set(Pane::Inspector);
            focus_entry(entity, index);
        }
        Place::Table | Place::Index(_) | Place::Entity(_) => {
            let card = place.card().unwrap_or(CardId::Index(IndexId::PRIMARY));
            page.pane.set(Pane::Canvas);
            // The canvas may only now have come into the page.
            store.view.next_frame(move || canvas.go_to(card));
        }
    }
}

/// Where a place is in the inspector.
fn field(place: Place) -> String {
    format!(".inspector [data-place=\"{place}\"]")
}
