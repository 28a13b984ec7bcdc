//! The signals of what the design has many of: entities, indexes, places. Each is made when somebody asks for it.

use super::Store;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::RwSignal;
use keyfold_app::{Diff, PartDiff};
use keyfold_core::engine::Items;
use keyfold_core::model::{
    CardId, Design, Entity, EntityId, Index, IndexId, Point, Sample, SortedMap,
};
use leptos::prelude::*;
use std::sync::Arc;

/// The signals of one entity.
#[derive(Clone)]
pub struct EntityNode {
    /// Its identity.
    pub id: EntityId,
    /// Its schema.
    pub entity: ArcRwSignal<Arc<Entity>>,
    /// Its samples.
    pub samples: ArcRwSignal<Arc<Vec<Arc<Sample>>>>,
    /// Its items, as they were computed last.
    pub items: ArcRwSignal<ByPtr<Items>>,
}

/// The signal of one secondary index.
#[derive(Clone)]
pub struct IndexNode {
    /// Its identity.
    pub id: IndexId,
    /// The index.
    pub index: ArcRwSignal<Arc<Index>>,
}

/// A place on the canvas as it is drawn, in canvas pixels; whole numbers but during a drag.
pub type CanvasPlace = (f64, f64);

impl Store {
    /// The signals of an entity, made when it is asked for first; `None` once it is gone.
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

    /// The signal of a secondary index, made when it is asked for first; `None` once it is gone, and for the primary
    /// key.
    pub fn index(self, id: IndexId) -> Option<IndexNode> {
        let make = || {
            let index = self.with(|design| design.indexes.get(&id).cloned())?;
            let index = ArcRwSignal::new(index);
            Some(IndexNode { id, index })
        };
        known_or_made(self.indexes, id, &make)
    }

    /// Follows the keys of the table and of its indexes.
    pub fn track_keys(self) {
        self.table.track();
        for id in self.index_ids.get() {
            if let Some(node) = self.index(id) {
                node.index.track();
            }
        }
    }

    /// Where a card is drawn, a signal made when it is asked for first; `None` once it is gone.
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

    /// What nobody has asked for has no signal that could be set.
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
        set_ids(self.entity_ids, design.entities.keys(), &changed.entities);
        // Whoever showed what is gone has been told by now.
        (self.entities)
            .update_value(|nodes| nodes.retain(|id, _| design.entities.contains_key(id)));
        (self.indexes).update_value(|nodes| nodes.retain(|id, _| design.indexes.contains_key(id)));
        (self.places).update_value(|places| places.retain(|card, _| design.has_card(*card)));
    }
}

/// A stored place as it is drawn.
fn as_place(point: Option<&Point>) -> CanvasPlace {
    point.map_or((0.0, 0.0), |point| (f64::from(point.x), f64::from(point.y)))
}

fn samples_of(design: &Design, id: EntityId) -> Arc<Vec<Arc<Sample>>> {
    design.samples.get(&id).cloned().unwrap_or_default()
}

/// The signals of this id: those that somebody has asked for before, else new ones. So the first frame of a large
/// design makes those of the cards in sight only.
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
