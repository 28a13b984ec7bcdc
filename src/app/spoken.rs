//! What a screen reader is told after a change that no field shows.

use super::Command;
use crate::domain::model::{CardId, Design, EntityId, IndexId};

/// What to say once `command` has been carried out on `design`; `None` for edits of a field, which speaks for itself.
pub fn spoken(design: &Design, command: &Command) -> Option<String> {
    let entity = |id: &EntityId| design.entities.get(id).map_or("", |entity| &entity.name);
    let index = |id: &IndexId| design.index_name(*id);
    let card = |card: &CardId| match card {
        CardId::Entity(id) => entity(id).to_owned(),
        CardId::Index(id) => index(id).to_owned(),
        CardId::Note(_) => "Note".to_owned(),
    };
    Some(match command {
        Command::AddIndexFor {
            index, entity: id, ..
        } => format!("{} joined the new index {}", entity(id), index.name),
        Command::JoinIndex(id, to, _) => format!("{} joined {}", entity(id), index(to)),
        Command::LeaveIndex(id, from) => format!("{} left {}", entity(id), index(from)),
        Command::MoveWire {
            entity: id,
            from,
            to,
        } => format!(
            "{} left {} and joined {}",
            entity(id),
            index(from),
            index(to)
        ),
        Command::Move(moves) => match moves.as_slice() {
            [(id, at)] => format!("{} moved to {}, {}", card(id), at.x, at.y),
            moves => format!("{} cards moved", moves.len()),
        },
        Command::Delete(cards) => match cards.as_slice() {
            [id] => format!("{} deleted", card(id)),
            cards => format!("{} cards deleted", cards.len()),
        },
        Command::Paste { clip, .. } => {
            let (entities, indexes) = (clip.entities.len(), clip.indexes.len());
            format!("Pasted: {entities} entities, {indexes} indexes")
        }
        Command::AddEntity { name, .. } => format!("Entity {name} added"),
        Command::AddIndex { index, .. } => format!("Index {} added", index.name),
        command if command.field().is_some() => return None,
        command => format!("Done: {}", command.label()),
    })
}
