//! Drawing wires: from an entity's port to an index, or the end of a wire to another index.

use super::Gestures;
use crate::ui::state::page_state::Pane;
use crate::ui::state::store::CanvasPlace;
use keyfold_app::geometry::{ENTITY_WIDTH, HEAD, WireCurve};
use keyfold_app::viewport::rounded;
use keyfold_app::{Command, suggest};
use keyfold_core::model::{CardId, EntityId, IndexId, IndexKind};
use leptos::prelude::*;

impl Gestures {
    /// Returns the place of an entity's port, in canvas pixels.
    pub(super) fn port(self, entity: EntityId) -> CanvasPlace {
        let place = self.store.place(CardId::Entity(entity));
        let (x, y) = place.map_or((0.0, 0.0), |place| place.get_untracked());
        (x + ENTITY_WIDTH, y + HEAD / 2.0)
    }

    /// Returns the entity whose wire is grabbed by its end at an index. Ends of wires from one side overlap: the
    /// selected wire takes precedence, then that of a selected entity, then the one drawn last.
    pub(super) fn grabbed_entity(self, drawn: EntityId, index: IndexId) -> EntityId {
        let place = |card: CardId| {
            let place = self.store.place(card);
            place.map_or((0.0, 0.0), |place| place.get_untracked())
        };
        let enters = |entity: EntityId| {
            WireCurve::between(
                place(CardId::Entity(entity)),
                0.0,
                place(CardId::Index(index)),
            )
            .enters
        };
        let chosen = self.store.wire.get_untracked();
        let chosen = chosen.and_then(|(entity, of)| (of == index).then_some(entity));
        let selected = self.store.with(|design| {
            let cards = self.store.selection.get_untracked();
            let is_in = |id: &EntityId| {
                let entity = design.entities.get(id);
                entity.is_some_and(|entity| entity.keys.contains_key(&index))
            };
            let ids = cards.iter().filter_map(|card| match card {
                CardId::Entity(id) => Some(*id),
                _ => None,
            });
            ids.filter(is_in).collect::<Vec<_>>()
        });
        (chosen.into_iter().chain(selected))
            .find(|entity| enters(*entity) == enters(drawn))
            .unwrap_or(drawn)
    }

    /// Draws the wire to the pointer and highlights the index under it.
    pub(super) fn draw_wire(self, from: CanvasPlace, point: (f64, f64)) {
        let to = self.place(point);
        self.wire.set(Some((from, to)));
        let over = self.handle.index_at(to).map(CardId::Index);
        if self.handle.target.get_untracked() != over {
            self.handle.target.set(over);
        }
    }

    /// Ends a wire. On an index the entity joins it; on empty canvas a new index appears. The end of an existing wire
    /// moves to another index; dropped elsewhere, it does not move.
    pub(super) fn drop_wire(self, entity: EntityId, of: Option<IndexId>, point: CanvasPlace) {
        let place = self.place(point);
        match (of, self.handle.index_at(place)) {
            (Some(from), Some(to)) if from != to => {
                let moved = self.store.run(Command::MoveWire { entity, from, to });
                if moved.is_ok() {
                    self.store.select_wire((entity, to));
                }
                self.store.complain_if_refused(moved);
            }
            (Some(_), None) => {
                let how = "Wire not moved. Drop its end on an index card, or drag from the entity's port to add \
                           an index.";
                self.store.notices.say(how);
            }
            (Some(_), Some(_)) => {}
            (None, Some(index)) => self.join(entity, index),
            (None, None) if self.handle.card_at(place).is_some() => {
                let how = "No wire added. Drop on an index card or on the empty canvas.";
                self.store.notices.say(how);
            }
            (None, None) => self.new_index(entity, (place.0, place.1 - HEAD / 2.0)),
        }
    }

    pub(super) fn join(self, entity: EntityId, index: IndexId) {
        let joined = self.store.with(|design| {
            (design.entities.get(&entity)).is_some_and(|e| e.keys.contains_key(&index))
        });
        if joined {
            let name = self
                .store
                .with(|design| design.index_name(index).to_owned());
            self.store
                .notices
                .say(format!("The entity is already in {name}."));
        } else {
            let entry = (self.store).with(|design| suggest::index_entry(design, entity, index));
            self.store.perform(Command::JoinIndex(entity, index, entry));
        }
        self.show_entry(entity, index);
    }

    fn new_index(self, entity: EntityId, at: CanvasPlace) {
        let (index, entry) = self.store.with(|design| {
            let index = suggest::new_index(design, IndexKind::Gsi);
            let entry = suggest::entry_for(design, entity, &index);
            (index, entry)
        });
        let at = rounded(at.0, at.1);
        let index = Box::new(index);
        self.store.perform(Command::AddIndexFor {
            index,
            at,
            entity,
            entry,
        });
        let newest = (self.store).with(|design| design.indexes.last_key_value().map(|(id, _)| *id));
        if let Some(index) = newest {
            self.show_entry(entity, index);
        }
    }

    /// Goes to the fields of an entity's entry in an index, because its templates are only suggestions.
    fn show_entry(self, entity: EntityId, index: IndexId) {
        self.store.select(CardId::Entity(entity));
        // On a small screen the canvas covers them.
        self.page.pane.set(Pane::Inspector);
        crate::ui::state::navigate::focus_entry(entity, index);
    }
}
