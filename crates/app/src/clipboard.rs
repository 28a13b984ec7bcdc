//! Cards as text, for the system clipboard: copying, and reading what somebody pastes.
//!
//! Copied cards are a small design file. What has a place in its layout was copied; what has none is only
//! mentioned: the indexes that a copied entity is in, with their keys, and the entities that its attributes
//! refer to, by name. So a clip is read, checked and migrated as any design, and a whole design file can be
//! pasted too. What pasting does is in [`Command::Paste`](super::Command::Paste).

use super::placement;
use keyfold_core::model::{
    CardId, Design, Entity, EntityId, Format, Index, IndexId, SortedSet, Table,
};
use keyfold_core::persist;
use std::sync::Arc;

/// The longest text that is read, in bytes: some thirty times a design of 1000 entities.
const LONGEST: usize = 64 << 20;

/// The cards as text: entities with their attributes, keys, conditions and samples, secondary indexes, notes,
/// all with their places. The primary key and cards that are not there are left out; `None` if none is left.
pub fn copy(design: &Design, cards: &SortedSet<CardId>) -> Option<String> {
    let cards = SortedSet::from_iter(
        (cards.iter().copied())
            .filter(|card| *card != CardId::Index(IndexId::PRIMARY) && design.has_card(*card)),
    );
    if cards.is_empty() {
        return None;
    }
    let mut clip = Design::new(design.name.clone());
    clip.next_id = design.next_id;
    clip.delimiter = design.delimiter.clone();
    clip.table = Arc::new(Table {
        key: design.table.key.clone(),
        ..Table::new(design.table.name.clone())
    });
    let layout = Arc::make_mut(&mut clip.layout);
    for card in cards {
        layout.insert(card, design.layout.get(&card).copied().unwrap_or_default());
        match card {
            CardId::Index(id) => {
                clip.indexes.insert(id, design.indexes[&id].clone());
            }
            CardId::Entity(id) => {
                clip.entities.insert(id, design.entities[&id].clone());
                if let Some(samples) = design.samples.get(&id) {
                    clip.samples.insert(id, samples.clone());
                }
            }
            CardId::Note(id) => {
                clip.notes.insert(id, design.notes[&id].clone());
            }
        }
    }
    mention(design, &mut clip);
    Some(persist::to_json(&clip))
}

/// Adds what the copied entities refer to: indexes with no more than their keys, entities with no more than
/// their names.
fn mention(design: &Design, clip: &mut Design) {
    let copied: Vec<Arc<Entity>> = clip.entities.values().cloned().collect();
    for entity in copied {
        for id in entity.keys.keys() {
            if let Some(index) = design.indexes.get(id) {
                clip.indexes.entry(*id).or_insert_with(|| {
                    Arc::new(Index::new(
                        index.name.clone(),
                        index.kind,
                        index.key.clone(),
                    ))
                });
            }
        }
        for id in references(&entity) {
            if let Some(other) = design.entities.get(&id) {
                let named = || Arc::new(Entity::new(other.name.clone(), other.hue));
                clip.entities.entry(id).or_insert_with(named);
            }
        }
    }
}

/// The entities from which an entity's sample values come.
fn references(entity: &Entity) -> impl Iterator<Item = EntityId> {
    (entity.attributes.iter()).filter_map(|attribute| match attribute.format {
        Some(Format::Reference { entity, .. }) => Some(entity),
        _ => None,
    })
}

/// The cards of a text that [`copy`] made, or of a design file, as a design to give to
/// [`Command::Paste`](super::Command::Paste); it is sound. For any other text the error says what it is not.
pub fn read(text: &str) -> Result<Design, String> {
    if text.len() > LONGEST {
        return Err("this text is too long to be cards".into());
    }
    if !text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('{')
    {
        return Err("this text is not cards that were copied in Keyfold".into());
    }
    let mut clip = persist::from_json(text)
        .map_err(|error| format!("these are no cards to paste: {error}"))?;
    // In a design file that nobody has opened yet, cards may lack a place.
    let is_mention = |entity: &Entity| entity.attributes.is_empty() && entity.keys.is_empty();
    let are_placed = (clip.entities.iter())
        .all(|(id, entity)| clip.layout.contains_key(&CardId::Entity(*id)) || is_mention(entity));
    if clip.layout.is_empty() || !are_placed {
        placement::place_all(&mut clip);
    }
    if (clip.layout.keys()).all(|card| *card == CardId::Index(IndexId::PRIMARY)) {
        return Err("there are no cards in this text".into());
    }
    Ok(clip)
}

/// The cards of `after` that are not in `before`: after pasting, what to select.
pub fn pasted(before: &Design, after: &Design) -> SortedSet<CardId> {
    SortedSet::from_iter(after.cards().filter(|card| !before.has_card(*card)))
}
