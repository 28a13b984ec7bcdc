//! Screen reader announcements for changes that no field shows.

use super::Command;
use super::command::templates_lost;
use super::note::note_name;
use keyfold_core::model::{CardId, Design, EntityId, IndexId};
use std::borrow::Cow;

/// Returns what to announce after an undo of the step with this label.
pub fn undone(label: &str) -> String {
    format!("Undone: {label}")
}

/// Returns what to announce after a redo of the step with this label.
pub fn redone(label: &str) -> String {
    format!("Redone: {label}")
}

/// Returns what to announce after `command` has run on `design`; `None` for edits of a field, which the screen
/// reader reads itself, unless they remove key templates.
pub fn announcement(design: &Design, command: &Command) -> Option<String> {
    let entity = |id: &EntityId| design.entities.get(id).map_or("", |entity| &entity.name);
    let index = |id: &IndexId| design.index_name(*id);
    let card = |card: &CardId| name(design, card);
    Some(match command {
        Command::AddIndexFor {
            index, entity: id, ..
        } => format!("{} added to the new index {}", entity(id), index.name),
        Command::JoinIndex(id, to, _) => format!("{} added to {}", entity(id), index(to)),
        Command::LeaveIndex(id, from) => format!("{} removed from {}", entity(id), index(from)),
        Command::MoveWire {
            entity: id,
            from,
            to,
        } => format!("{} moved from {} to {}", entity(id), index(from), index(to)),
        Command::SetKeyOnly(id, attribute, key_only) => {
            let entity = design.entities.get(id);
            let found = entity.and_then(|entity| entity.attribute_by_id(*attribute));
            let name = found.map_or("", |a| &a.name);
            match key_only {
                true => format!("{name} is key-only"),
                false => format!("{name} is stored"),
            }
        }
        Command::Move(moves) => match moves.as_slice() {
            [(id, at)] => format!("{} moved to {}, {}", card(id), at.x, at.y),
            moves => format!("{} cards moved", moves.len()),
        },
        Command::Delete(cards) => {
            let done = match cards.as_slice() {
                [id] => format!("{} deleted", card(id)),
                cards => format!("{} cards deleted", cards.len()),
            };
            match command.along(design) {
                Some(along) => [&done, " ", &along].concat(),
                None => done,
            }
        }
        Command::Paste {
            clip, duplicates, ..
        } => {
            let done = match duplicates {
                true => "Duplicated",
                false => "Pasted",
            };
            // Cards without a position are only referred to by the clip.
            let names: Vec<Cow<str>> = (clip.layout.keys()).map(|card| name(clip, card)).collect();
            match names.len() {
                0..=5 => format!("{done}: {}", names.join(", ")),
                many => format!("{done}: {many} cards"),
            }
        }
        Command::AddEntity { name, .. } => format!("Entity {name} added"),
        Command::AddIndex { index, .. } => format!("Index {} added", index.name),
        Command::AddNote { .. } => "Note added".to_owned(),
        Command::UpdateTable { .. } | Command::UpdateIndex { .. } => {
            match templates_lost(design, command) {
                0 => return None,
                1 => "The key templates of 1 entity are removed".to_owned(),
                many => format!("The key templates of {many} entities are removed"),
            }
        }
        command if command.field().is_some() => return None,
        command => format!("Done: {}", command.label()),
    })
}

/// The name of a card.
fn name<'a>(design: &'a Design, card: &CardId) -> Cow<'a, str> {
    match card {
        CardId::Entity(id) => (design.entities.get(id))
            .map_or("", |entity| &entity.name)
            .into(),
        CardId::Index(id) => design.index_name(*id).into(),
        CardId::Note(id) => {
            (design.notes.get(id)).map_or("Note".into(), |note| note_name(note).into())
        }
    }
}
