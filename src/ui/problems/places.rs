//! From a finding to where it stands.

use super::super::desk::{Desk, Pane, Tab};
use super::super::inspector::focus_entry;
use super::super::parts::focus::focus_soon;
use super::super::patterns::show_pattern;
use super::super::store::Store;
use crate::ui::parts::later::next_frame_with;
use keyfold_core::lint::Place;
use keyfold_core::model::{CardId, IndexId};
use leptos::prelude::*;

/// Shows a place and leaves the keyboard focus where it is: its card is selected and in view, and its field in the
/// inspector too; an access pattern is selected in its list.
pub fn show(store: Store, desk: Desk, place: Place) {
    if let Place::Pattern(id) = place {
        store.proofs.selected.set(Some(id));
    }
    let card = place.card();
    if let Some(card) = card.filter(|card| store.with(|design| design.has_card(*card))) {
        if !(store.selection).with_untracked(|cards| cards.len() == 1 && cards.contains(&card)) {
            store.select(card);
        }
        desk.canvas.reveal(card);
        // The inspector may only now show it.
        next_frame_with(field(place), |field| {
            if let Ok(Some(field)) = document().query_selector(&field) {
                field.scroll_into_view_with_bool(false);
            }
        });
    }
}

/// Goes to a place: as [`show`], and the keyboard focus goes along.
pub fn go(store: Store, desk: Desk, place: Place) {
    show(store, desk, place);
    match place {
        Place::Pattern(id) => show_pattern(store, desk, id),
        Place::Sample(_, sample) => {
            let column = store.findings.cell_of(place);
            desk.tables.point_at(IndexId::PRIMARY, Some(sample), column);
            desk.show(Tab::Items(IndexId::PRIMARY));
        }
        Place::Template(..) | Place::Attribute(..) => {
            desk.pane.set(Pane::Inspector);
            focus_soon(format!("{} input", field(place)));
        }
        Place::Entry(entity, index) => {
            desk.pane.set(Pane::Inspector);
            focus_entry(entity, index);
        }
        Place::Table | Place::Index(_) | Place::Entity(_) => {
            let card = place.card().unwrap_or(CardId::Index(IndexId::PRIMARY));
            desk.pane.set(Pane::Canvas);
            // The canvas may only now have come into the page.
            store.view.next_frame(move || desk.canvas.go_to(card));
        }
    }
}

/// Where a place is in the inspector.
fn field(place: Place) -> String {
    format!(".inspector [data-place=\"{place}\"]")
}
