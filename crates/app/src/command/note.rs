//! Notes on the canvas.

use super::refused::Refused;
use keyfold_core::model::{CardId, Design, Entity, Note, NoteId, Point};
use std::sync::Arc;

/// Adds a note with a card at this place.
pub(super) fn add(design: &mut Design, text: String, at: Point) -> Result<(), Refused> {
    Note::check_text(&text)?;
    let id = NoteId(design.take_id());
    design.notes.insert(id, Arc::new(Note::new(text)));
    Arc::make_mut(&mut design.layout).insert(CardId::Note(id), at);
    Ok(())
}

/// Sets the text of a note.
pub(super) fn set_text(design: &mut Design, id: NoteId, text: String) -> Result<(), Refused> {
    Note::check_text(&text)?;
    note(design, id)?.text = text;
    Ok(())
}

/// Sets the color of a note.
pub(super) fn set_hue(design: &mut Design, id: NoteId, hue: u8) -> Result<(), Refused> {
    note(design, id)?.hue = hue % Entity::HUES;
    Ok(())
}

fn note(design: &mut Design, id: NoteId) -> Result<&mut Note, Refused> {
    (design.notes.get_mut(&id))
        .map(Arc::make_mut)
        .ok_or_else(|| Refused("this note no longer exists".into()))
}
