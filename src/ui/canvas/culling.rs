//! Which cards are in the page. In a large design only those near the visible part are: a card is mounted when it
//! first comes near, a few in each frame, and from then on only hidden while it is far away. A selected card is
//! always shown, so that focus and gestures never lose theirs.

use super::{CanvasHandle, FAR};
use crate::app::geometry::{ENTITY_WIDTH, entity_height};
use crate::app::session::{Area, Viewport};
use crate::domain::model::{CardId, EntityId};
use crate::ui::store::Store;
use leptos::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Up to this many entities, all cards are in the page.
const ALWAYS: usize = 200;
/// How far from the visible part a card is still shown, in CSS pixels.
const MARGIN: f64 = 400.0;
/// How far one pans before it is decided anew.
const SLACK: f64 = 200.0;
/// Cards that are mounted in one frame at most.
const BATCH: usize = 40;

/// The cards that are in the page. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Culling {
    store: Store,
    handle: CanvasHandle,
    /// The entities whose cards are mounted.
    pub mounted: RwSignal<Vec<EntityId>>,
    /// Whether cards are drawn as their heads only.
    pub far: Memo<bool>,
    shown: StoredValue<BTreeMap<EntityId, ArcRwSignal<bool>>>,
    waiting: StoredValue<Vec<EntityId>>,
    /// The viewport for which it was last decided.
    decided: StoredValue<Option<Viewport>>,
}

impl Culling {
    /// Follows the viewport, the selection and the entities of the store.
    pub fn new(store: Store, handle: CanvasHandle) -> Self {
        let culling = Culling {
            store,
            handle,
            mounted: RwSignal::new(Vec::new()),
            far: Memo::new(move |_| store.viewport.get().zoom < FAR),
            shown: StoredValue::default(),
            waiting: StoredValue::default(),
            decided: StoredValue::new(None),
        };
        Effect::new(move |_| {
            store.entity_ids.track();
            store.opened.track();
            store.selection.track();
            culling.decided.set_value(None);
            culling.decide();
        });
        Effect::new(move |_| {
            store.viewport.track();
            culling.decide();
        });
        culling
    }

    /// Whether a mounted card is shown.
    pub fn shown(self, id: EntityId) -> ArcRwSignal<bool> {
        self.shown
            .try_update_value(|shown| {
                shown
                    .entry(id)
                    .or_insert_with(|| ArcRwSignal::new(true))
                    .clone()
            })
            .unwrap_or_else(|| ArcRwSignal::new(true))
    }

    fn decide(self) {
        let viewport = self.store.viewport.get_untracked();
        if self
            .decided
            .get_value()
            .is_some_and(|last| is_near(last, viewport))
        {
            return;
        }
        self.decided.set_value(Some(viewport));
        let ids = self.store.entity_ids.get_untracked();
        let wanted: BTreeSet<EntityId> = if ids.len() <= ALWAYS {
            ids.iter().copied().collect()
        } else {
            let (width, height) = self.handle.size();
            let area = viewport
                .visible(width, height)
                .grown(MARGIN / viewport.zoom);
            let selection = self.store.selection.get_untracked();
            (ids.iter().copied())
                .filter(|id| selection.contains(&CardId::Entity(*id)) || self.is_in(*id, area))
                .collect()
        };
        let mounted = self.mounted.get_untracked();
        let known: BTreeSet<EntityId> = mounted.iter().copied().collect();
        let all: BTreeSet<EntityId> = ids.into_iter().collect();
        if !known.is_subset(&all) {
            self.mounted
                .update(|mounted| mounted.retain(|id| all.contains(id)));
            self.shown
                .update_value(|shown| shown.retain(|id, _| all.contains(id)));
        }
        for id in known.intersection(&all) {
            let (shown, now) = (self.shown(*id), wanted.contains(id));
            if shown.get_untracked() != now {
                shown.set(now);
            }
        }
        let missing: Vec<EntityId> = wanted.difference(&known).copied().collect();
        let had_waiting = !self.waiting.with_value(Vec::is_empty);
        if missing.len() <= BATCH && !had_waiting {
            self.mount(missing);
            return;
        }
        self.waiting.set_value(missing);
        if !had_waiting {
            self.mount_batch();
        }
    }

    fn is_in(self, id: EntityId, area: Area) -> bool {
        let place = self.store.place(CardId::Entity(id));
        place
            .zip(self.store.entity(id))
            .is_some_and(|(place, node)| {
                let (x, y) = place.get_untracked();
                let height = node.entity.with_untracked(|entity| {
                    entity_height(entity, self.store.detail.get_untracked())
                });
                let card = Area {
                    x,
                    y,
                    width: ENTITY_WIDTH,
                    height,
                };
                card.intersects(area)
            })
    }

    fn mount(self, ids: Vec<EntityId>) {
        if !ids.is_empty() {
            self.mounted.update(|mounted| mounted.extend(ids));
        }
    }

    fn mount_batch(self) {
        let batch = self.waiting.try_update_value(|waiting| {
            let rest = waiting.split_off(waiting.len().min(BATCH));
            std::mem::replace(waiting, rest)
        });
        let Some(batch) = batch else { return };
        let there = |id: &EntityId| self.store.entity(*id).is_some();
        let known: BTreeSet<EntityId> = self.mounted.get_untracked().into_iter().collect();
        let new = |id: &EntityId| there(id) && !known.contains(id);
        self.mount(batch.into_iter().filter(new).collect());
        if !self.waiting.with_value(Vec::is_empty) {
            request_animation_frame(move || self.mount_batch());
        }
    }
}

/// Whether a decision for one viewport still serves for another.
fn is_near(decided: Viewport, now: Viewport) -> bool {
    decided.zoom == now.zoom
        && (decided.x - now.x).abs() < SLACK
        && (decided.y - now.y).abs() < SLACK
}
