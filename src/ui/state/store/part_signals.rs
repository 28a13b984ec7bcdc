//! The signals of entities, indexes, notes and canvas positions. Each is created on first use.

use super::Store;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::RwSignal;
use keyfold_app::{Diff, PartDiff};
use keyfold_core::engine::Items;
use keyfold_core::model::{
    CardId, Design, Entity, EntityId, Index, IndexId, Note, NoteId, Point, Sample, SortedMap,
};
use leptos::prelude::*;
use std::sync::Arc;

/// The signals of one entity.
#[derive(Clone)]
pub struct EntityNode {
    /// Its id.
    pub id: EntityId,
    /// Its schema.
    pub entity: ArcRwSignal<Arc<Entity>>,
    /// Its samples.
    pub samples: ArcRwSignal<Arc<Vec<Arc<Sample>>>>,
    /// Its last computed items.
    pub items: ArcRwSignal<ByPtr<Items>>,
}

/// The signal of one secondary index.
#[derive(Clone)]
pub struct IndexNode {
    /// Its id.
    pub id: IndexId,
    /// The index.
    pub index: ArcRwSignal<Arc<Index>>,
}

/// A position on the canvas, in canvas pixels; whole numbers except during a drag.
pub type CanvasPlace = (f64, f64);

impl Store {
    /// The signals of an entity, created on first use; `None` if it does not exist.
    pub fn entity(self, id: EntityId) -> Option<EntityNode> {
        let make = || {
            let (entity, samples) = self.with(|design| {
                let entity = design.entities.get(&id)?.clone();
                Some((entity, samples_of(design, id)))
            })?;
            Some(EntityNode {
                id,
                entity: ArcRwSignal::new(entity),
                samples: ArcRwSignal::new(samples),
                items: ArcRwSignal::new(ByPtr(self.items_of(id))),
            })
        };
        known_or_made(self.entities, id, &make)
    }

    /// The signal of a secondary index, created on first use; `None` if it does not exist, and for the primary key.
    pub fn index(self, id: IndexId) -> Option<IndexNode> {
        let make = || {
            let index = self.with(|design| design.indexes.get(&id).cloned())?;
            let index = ArcRwSignal::new(index);
            Some(IndexNode { id, index })
        };
        known_or_made(self.indexes, id, &make)
    }

    /// The signal of a note, created on first use; `None` if it does not exist.
    pub fn note(self, id: NoteId) -> Option<ArcRwSignal<Arc<Note>>> {
        let make = || {
            let note = self.with(|design| design.notes.get(&id).cloned())?;
            Some(ArcRwSignal::new(note))
        };
        known_or_made(self.notes, id, &make)
    }

    /// Subscribes to the keys of the table and of its indexes.
    pub fn track_keys(self) {
        self.table.track();
        for id in self.index_ids.get() {
            if let Some(node) = self.index(id) {
                node.index.track();
            }
        }
    }

    /// The position signal of a card, created on first use; `None` if the card does not exist.
    pub fn place(self, card: CardId) -> Option<ArcRwSignal<CanvasPlace>> {
        let make = || {
            let at = self.with(|design| {
                let at = || as_place(design.layout.get(&card));
                design.has_card(card).then(at)
            })?;
            Some(ArcRwSignal::new(at))
        };
        known_or_made(self.places, card, &make)
    }

    /// Puts all cards where the design has them, also those that are being dragged.
    pub(super) fn show_places(self) {
        let show = |design: &Design, places: &SortedMap<CardId, ArcRwSignal<CanvasPlace>>| {
            for (card, place) in places {
                let at = as_place(design.layout.get(card));
                if place.get_untracked() != at {
                    place.set(at);
                }
            }
        };
        self.with(|design| self.places.with_value(|places| show(design, places)));
    }

    /// Sets the signals of changed parts. A part that was never used has no signal to set.
    pub(super) fn show_parts(self, design: &Design, changed: &Diff) {
        self.places.with_value(|places| {
            for card in changed.layout.added.iter().chain(&changed.layout.changed) {
                if let Some(place) = places.get(card) {
                    place.set(as_place(design.layout.get(card)));
                }
            }
        });
        self.indexes.with_value(|nodes| {
            for id in &changed.indexes.changed {
                if let Some(node) = nodes.get(id) {
                    node.index.set(design.indexes[id].clone());
                }
            }
        });
        self.notes.with_value(|nodes| {
            for id in &changed.notes.changed {
                if let Some(node) = nodes.get(id) {
                    node.set(design.notes[id].clone());
                }
            }
        });
        self.entities.with_value(|nodes| {
            for id in &changed.entities.changed {
                if let Some(node) = nodes.get(id) {
                    node.entity.set(design.entities[id].clone());
                }
            }
            let samples = &changed.samples;
            for id in samples
                .added
                .iter()
                .chain(&samples.changed)
                .chain(&samples.removed)
            {
                if let Some(node) = nodes.get(id) {
                    node.samples.set(samples_of(design, *id));
                }
            }
        });
        set_ids(self.index_ids, design.indexes.keys(), &changed.indexes);
        set_ids(self.note_ids, design.notes.keys(), &changed.notes);
        set_ids(self.entity_ids, design.entities.keys(), &changed.entities);
        // All views of removed parts were notified above.
        (self.entities)
            .update_value(|nodes| nodes.retain(|id, _| design.entities.contains_key(id)));
        (self.indexes).update_value(|nodes| nodes.retain(|id, _| design.indexes.contains_key(id)));
        (self.notes).update_value(|nodes| nodes.retain(|id, _| design.notes.contains_key(id)));
        (self.places).update_value(|places| places.retain(|card, _| design.has_card(*card)));
    }
}

/// A stored position as a canvas position.
fn as_place(point: Option<&Point>) -> CanvasPlace {
    point.map_or((0.0, 0.0), |point| (f64::from(point.x), f64::from(point.y)))
}

fn samples_of(design: &Design, id: EntityId) -> Arc<Vec<Arc<Sample>>> {
    design.samples.get(&id).cloned().unwrap_or_default()
}

/// The signals of this id, created on first use. So the first frame of a large design creates only those of visible
/// cards.
fn known_or_made<Id, Node>(
    nodes: StoredValue<SortedMap<Id, Node>>,
    id: Id,
    make: &dyn Fn() -> Option<Node>,
) -> Option<Node>
where
    Id: Copy + Ord + Send + Sync + 'static,
    Node: Clone + Send + Sync + 'static,
{
    let known = nodes.with_value(|nodes| nodes.get(&id).cloned());
    known.or_else(|| {
        let node = make()?;
        nodes.update_value(|nodes| {
            nodes.insert(id, node.clone());
        });
        Some(node)
    })
}

fn set_ids<'a, Id: Copy + Send + Sync + 'static>(
    signal: RwSignal<Vec<Id>>,
    ids: impl Iterator<Item = &'a Id>,
    changed: &PartDiff<Id>,
) {
    if !changed.added.is_empty() || !changed.removed.is_empty() {
        signal.set(ids.copied().collect());
    }
}
