//! Cards as text for the system clipboard.
//!
//! A copy is a small design file. Cards with a position in its layout were copied. Cards without one are only
//! referred to: the indexes of a copied entity with their keys, and the entities that its attributes reference, by
//! name. So a copy is read, checked and migrated like any design, and a whole design file can be pasted too.
//! [`Command::Paste`](super::Command::Paste) does the pasting.

use super::placement;
use keyfold_core::model::{
    CardId, Design, Entity, EntityId, Format, Index, IndexId, SortedSet, Table,
};
use keyfold_core::persist;
use std::sync::Arc;

/// Maximum size of a pasted text, in bytes: about 30 times a design of 1000 entities.
const MAX_BYTES: usize = 64 << 20;

/// Returns the cards as text: entities with attributes, keys, conditions and samples; secondary indexes; notes; and
/// their positions. The primary key and unknown cards are left out. `None` if no card is left.
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
                if let Some(volume) = design.workload.entities.get(&id) {
                    let entities = &mut Arc::make_mut(&mut clip.workload).entities;
                    entities.insert(id, *volume);
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

/// Adds what the copied entities refer to: indexes with their keys only, entities with their names only.
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

/// The entities that an entity's sample formats refer to.
fn references(entity: &Entity) -> impl Iterator<Item = EntityId> {
    (entity.attributes.iter()).filter_map(|attribute| match attribute.format {
        Some(Format::Reference { entity, .. }) => Some(entity),
        _ => None,
    })
}

/// Returns whether a pasted text may be a file of another tool, or items: it is not ours, and has a form. A single line of
/// prose has none.
pub fn is_foreign_file(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim();
    let has_form = text.starts_with(['{', '[']) || text.contains('\n');
    has_form && !persist::is_design_file(text)
}

/// Reads a text made by [`copy`], or a design file, as a valid design for [`Command::Paste`](super::Command::Paste).
///
/// # Errors
///
/// Returns why the text has no cards to paste.
pub fn read(text: &str) -> Result<Design, String> {
    if text.len() > MAX_BYTES {
        return Err("the text is too long: at most 64 MB can be pasted".into());
    }
    if !text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('{')
    {
        return Err(
            "the text is neither a copy of Keyfold cards nor a file that can be imported".into(),
        );
    }
    let mut clip = persist::from_json(text)
        .map_err(|error| format!("the copied cards cannot be read: {error}"))?;
    // In a design file that was never opened, cards may lack a position.
    let is_mention = |entity: &Entity| entity.attributes.is_empty() && entity.keys.is_empty();
    let are_placed = (clip.entities.iter())
        .all(|(id, entity)| clip.layout.contains_key(&CardId::Entity(*id)) || is_mention(entity));
    if clip.layout.is_empty() || !are_placed {
        placement::place_missing(&mut clip);
    }
    if (clip.layout.keys()).all(|card| *card == CardId::Index(IndexId::PRIMARY)) {
        return Err("the text has no cards".into());
    }
    Ok(clip)
}

/// Returns the cards of `after` that are not in `before`: the selection after pasting.
pub fn pasted_cards(before: &Design, after: &Design) -> SortedSet<CardId> {
    SortedSet::from_iter(after.cards().filter(|card| !before.has_card(*card)))
}
