//! Which cards are in the page. In a large design only those near the visible part are: a card is mounted when it
//! first comes near, a few in each frame, and from then on only hidden while it is far away. A selected card is
//! always shown, so that focus and gestures never lose theirs. With more than [`MOST`] cards in sight they are
//! boxes on the overview instead (`overview.rs`), all but the selected ones.

use super::CanvasHandle;
use crate::app::session::Viewport;
use crate::domain::model::{CardId, EntityId, set_of};
use crate::ui::store::Store;
use leptos::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Up to this many entities, all cards are in the page.
const ALWAYS: usize = 200;
/// With more entities than this in sight, cards are boxes; with fewer than [`AGAIN`] they are cards again.
const MOST: usize = 300;
/// See [`MOST`].
const AGAIN: usize = 240;
/// Most selected cards that stay cards among the boxes.
const SELECTED: usize = 24;
/// How far from the visible part a card is still shown, in CSS pixels.
const MARGIN: f64 = 240.0;
/// How far one pans before it is decided anew.
const SLACK: f64 = 120.0;
/// Cards that are mounted in one frame at most.
const BATCH: usize = 40;

/// The cards that are in the page. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Culling {
    store: Store,
    handle: CanvasHandle,
    /// The entities whose cards are mounted.
    pub mounted: RwSignal<Vec<EntityId>>,
    /// Whether cards are boxes on the overview, or are still being mounted above it.
    pub boxes: RwSignal<bool>,
    /// Whether there are too many cards in sight to be shown as cards.
    many: StoredValue<bool>,
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
            boxes: RwSignal::new(false),
            many: StoredValue::new(false),
            shown: StoredValue::default(),
            waiting: StoredValue::default(),
            decided: StoredValue::new(None),
        };
        Effect::new(move |_| {
            store.entity_ids.track();
            store.opened.track();
            store.selection.track();
            handle.scene.track();
            handle.size.track();
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
        let ids = self.store.entity_ids.get_untracked();
        // The page tells the size before it is first painted; to ask for it earlier would lay everything out twice.
        if ids.len() > ALWAYS && self.handle.size.get_untracked() == (0.0, 0.0) {
            return;
        }
        self.decided.set_value(Some(viewport));
        let wanted: BTreeSet<EntityId> = if ids.len() <= ALWAYS {
            self.many.set_value(false);
            set_of(ids.iter().copied())
        } else {
            self.wanted(viewport)
        };
        let mounted = self.mounted.get_untracked();
        let known = set_of(mounted.iter().copied());
        let all = set_of(ids);
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
            self.show_boxes();
            return;
        }
        self.waiting.set_value(missing);
        self.show_boxes();
        if !had_waiting {
            self.mount_batch();
        }
    }

    /// The entities whose cards are shown with this viewport.
    fn wanted(self, viewport: Viewport) -> BTreeSet<EntityId> {
        let (width, height) = self.handle.size();
        let seen = viewport.visible(width, height);
        let near = seen.grown(MARGIN / viewport.zoom);
        let mut in_sight = 0;
        let mut wanted: BTreeSet<EntityId> = self.handle.scene.with_untracked(|plates| {
            (plates.iter())
                .filter_map(|plate| match plate.card {
                    CardId::Entity(id) if plate.area.intersects(near) => {
                        in_sight += usize::from(plate.area.intersects(seen));
                        Some(id)
                    }
                    _ => None,
                })
                .collect()
        });
        let most = if self.many.get_value() { AGAIN } else { MOST };
        let many = in_sight > most;
        self.many.set_value(many);
        let selection = self.store.selection.get_untracked();
        let selected = selection.iter().filter_map(|card| match card {
            CardId::Entity(id) => Some(*id),
            _ => None,
        });
        if many {
            wanted.clear();
            wanted.extend(selected.take(SELECTED));
        } else {
            wanted.extend(selected);
        }
        wanted
    }

    fn show_boxes(self) {
        let boxes = self.many.get_value() || !self.waiting.with_value(Vec::is_empty);
        if self.boxes.get_untracked() != boxes {
            self.boxes.set(boxes);
        }
    }

    fn mount(self, ids: Vec<EntityId>) {
        if !ids.is_empty() {
            let is_small = self.store.entity_ids.with_untracked(Vec::len) <= ALWAYS;
            self.mounted.update(|mounted| {
                mounted.extend(ids);
                // In the order of the ids, which is that of the tab key. In a large design cards come and go all the
                // time, and one that is moved in the page would lose the focus.
                if is_small {
                    let all = set_of(mounted.drain(..));
                    mounted.extend(all);
                }
            });
        }
    }

    fn mount_batch(self) {
        let batch = self.waiting.try_update_value(|waiting| {
            let rest = waiting.split_off(waiting.len().min(BATCH));
            std::mem::replace(waiting, rest)
        });
        let Some(batch) = batch else { return };
        let there = |id: &EntityId| self.store.entity(*id).is_some();
        let known = set_of(self.mounted.get_untracked());
        let new = |id: &EntityId| there(id) && !known.contains(id);
        self.mount(batch.into_iter().filter(new).collect());
        if self.waiting.with_value(Vec::is_empty) {
            self.show_boxes();
        } else {
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
