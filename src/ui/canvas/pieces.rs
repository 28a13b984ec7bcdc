//! The pieces of a design, and how they are added to the canvas.

use super::handle::{CanvasHandle, ROOM};
use crate::ui::state::navigate::focus_first_field;
use crate::ui::state::page_state::{PageState, Pane, is_small};
use crate::ui::state::store::Store;
use keyfold_app::geometry::{ENTITY_WIDTH, INDEX_WIDTH, entity_height, index_height};
use keyfold_app::note::{NOTE_WIDTH, note_height};
use keyfold_app::viewport::rounded;
use keyfold_app::{Command, placement, suggest};
use keyfold_core::model::{CardId, IndexKind, Note};

/// A piece that can be dragged from the palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// An entity.
    Entity,
    /// A global secondary index.
    Gsi,
    /// A local secondary index.
    Lsi,
    /// A note.
    Note,
}

impl Piece {
    /// Width and height of its card, in canvas pixels.
    pub fn size(self, store: Store) -> (f64, f64) {
        store.with(|design| match self {
            Piece::Entity => {
                let entity = suggest::new_entity(&mut design.clone(), "Entity".into());
                (
                    ENTITY_WIDTH,
                    entity_height(&entity, store.detail.get_untracked()),
                )
            }
            Piece::Gsi => {
                let index = suggest::new_index(design, IndexKind::Gsi);
                (
                    INDEX_WIDTH,
                    index_height(&index.key, store.detail.get_untracked()),
                )
            }
            Piece::Lsi => {
                let index = suggest::new_index(design, IndexKind::Lsi);
                (
                    INDEX_WIDTH,
                    index_height(&index.key, store.detail.get_untracked()),
                )
            }
            Piece::Note => {
                let detail = store.detail.get_untracked();
                (NOTE_WIDTH, note_height(&Note::new(""), detail))
            }
        })
    }
}

/// Adds a piece with its top left corner at a canvas place, and selects it.
pub fn add(canvas: CanvasHandle, piece: Piece, at: (f64, f64)) {
    let store = canvas.store;
    let at = rounded(at.0, at.1);
    let command = store.with(|design| {
        let index = |kind| Command::AddIndex {
            index: Box::new(suggest::new_index(design, kind)),
            at,
        };
        match piece {
            Piece::Entity => Command::AddEntity {
                name: suggest::entity_name(design),
                at,
            },
            Piece::Gsi => index(IndexKind::Gsi),
            Piece::Lsi => index(IndexKind::Lsi),
            Piece::Note => Command::AddNote {
                text: String::new(),
                at,
            },
        }
    });
    if let Err(refused) = store.run(command) {
        store.notices.complain(refused.to_string());
        return;
    }
    // The newest card has the greatest ID.
    let added = store.with(|design| match piece {
        Piece::Entity => (design.entities.last_key_value()).map(|(id, _)| CardId::Entity(*id)),
        Piece::Note => (design.notes.last_key_value()).map(|(id, _)| CardId::Note(*id)),
        Piece::Gsi | Piece::Lsi => {
            (design.indexes.last_key_value()).map(|(id, _)| CardId::Index(*id))
        }
    });
    if let Some(card) = added {
        store.select(card);
        // A new piece is named first; a note is written in place.
        match piece {
            Piece::Note => canvas.write_note(card),
            // On a small screen the canvas is shown now, and the inspector is not.
            _ if !is_small() => focus_first_field(),
            _ => canvas.focus(card),
        }
    }
}

/// Distance of the first entity left of the middle, in canvas pixels.
const FIRST: f64 = 100.0;

/// Adds a piece at a free place in sight: beside the selected card, otherwise near the middle of the canvas. Shows it.
pub fn add_in_middle(page: PageState, canvas: CanvasHandle, piece: Piece) {
    let store = canvas.store;
    let (x, y) = canvas.middle();
    let (width, height) = piece.size(store);
    // The first entity leaves room for its wire to the table, which is on the right.
    let is_first = piece == Piece::Entity && store.entity_ids.with_untracked(Vec::is_empty);
    let is_room = canvas.size().0 >= ROOM;
    let aside = if is_first && is_room { FIRST } else { 0.0 };
    let beside = canvas.beside_selected();
    let wanted = beside.unwrap_or((x - width / 2.0 - aside, y - height / 2.0));
    // Reserves the size of the completed card, so that it does not cover a neighbor later.
    let room = match piece {
        Piece::Entity => height.max(placement::FILLED_ENTITY_HEIGHT),
        Piece::Gsi | Piece::Lsi | Piece::Note => height,
    };
    let at = canvas.free_place(wanted, (width, room));
    add(canvas, piece, at);
    page.pane.set(Pane::Canvas);
    if let Some(card) = store
        .selection
        .with_untracked(|cards| cards.first().copied())
    {
        canvas.reveal(card);
    }
}
