//! Navigation from a finding to its place.

use crate::ui::canvas::handle::{CanvasHandle, use_canvas};
use crate::ui::dom::focus::{focus_soon, scroll_to_soon};
use crate::ui::live_table::tab_memory::{Tables, use_tables};
use crate::ui::state::navigate::{focus_entry, show_pattern};
use crate::ui::state::page_state::{PageState, Pane, Tab, use_page};
use crate::ui::state::store::{Store, use_store};
use keyfold_core::lint::Place;
use keyfold_core::model::{CardId, IndexId};

/// The parts of the page that navigation needs. A handle: copying it costs nothing.
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

/// Returns the navigation of the page from the context.
pub fn use_page_handles() -> PageHandles {
    PageHandles {
        store: use_store(),
        page: use_page(),
        canvas: use_canvas(),
        tables: use_tables(),
    }
}

/// Shows a place without moving the keyboard focus: selects its card and scrolls it and its inspector field into
/// view; selects an access pattern in its list.
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
        scroll_to_soon(field(place));
    }
}

/// Goes to a place: like [`show`], and moves the keyboard focus there.
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
            // The canvas may not be mounted yet.
            store.view.next_frame(move || canvas.go_to(card));
        }
    }
}

/// Returns the selector of a place in the inspector.
fn field(place: Place) -> String {
    format!(".inspector [data-place=\"{place}\"]")
}
