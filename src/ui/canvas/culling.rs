//! Decides which cards are in the page. In a large design, a card is mounted when it first comes near the visible
//! part, or earlier when the page is idle; after that it is only hidden while it is far away. Selected cards are
//! always shown, so that focus and gestures keep their element. When zoomed out, or with more than [`MAX_CARDS`] cards
//! visible, all others are boxes on the overview (`overview.rs`).
//!
//! Mounting a card takes milliseconds. So each frame mounts only a few, zooming mounts none, and until all are
//! mounted the overview draws boxes below them.

use super::handle::CanvasHandle;
use super::level_of_detail::{FAR, FAR_HYSTERESIS};
use crate::platform::clock;
use crate::ui::reactive::erased::{RwSignal, effect};
use crate::ui::reactive::set_if_other;
use crate::ui::state::store::Store;
use keyfold_app::viewport::{Area, Viewport};
use keyfold_core::model::{CardId, EntityId, SortedMap, SortedSet, by_rank};
use leptos::prelude::*;
use std::time::Duration;

/// With up to this many entities, all cards are in the page.
const MAX_UNCULLED: usize = 100;
/// With more visible entities than this, cards become boxes; with fewer than [`MAX_CARDS_AGAIN`], cards again.
const MAX_CARDS: usize = 200;
/// See [`MAX_CARDS`].
const MAX_CARDS_AGAIN: usize = 160;
/// Maximum number of selected cards that stay cards among the boxes.
const MAX_SELECTED: usize = 24;
/// Cards within this distance of the visible part are shown, in CSS pixels.
const SHOW_MARGIN: f64 = 480.0;
/// Cards within this distance are mounted hidden when the page is idle, in CSS pixels.
const MOUNT_MARGIN: f64 = 840.0;
/// Cards within this distance stay shown, in CSS pixels. A shown card costs every frame; showing one again costs one
/// frame.
const KEEP_MARGIN: f64 = 720.0;
/// Pan distance after which the cards are chosen again, in CSS pixels.
const DECIDE_DISTANCE: f64 = 200.0;
/// Cost limit of a frame; showing a card again costs 1.
const FRAME_COST: usize = 10;
/// Cost limit of the first frame of a design, which shows the visible cards.
const FIRST_FRAME_COST: usize = 80;
/// Cost of mounting a card.
const MOUNT_COST: usize = 5;
/// Time after the last change of zoom before more cards are shown, in milliseconds.
const ZOOM_REST: f64 = 150.0;
/// Idle time before cards are mounted ahead of need, and the pause between two of them.
const IDLE_TIME: Duration = Duration::from_millis(300);
/// See [`IDLE_TIME`].
const IDLE_PAUSE: Duration = Duration::from_millis(32);

/// The cards in the page. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Culling {
    store: Store,
    handle: CanvasHandle,
    /// The entities whose cards are mounted.
    pub mounted: RwSignal<Vec<EntityId>>,
    /// Whether the overview draws boxes: for all cards, or for visible ones that are not mounted yet.
    pub boxes: RwSignal<bool>,
    /// Whether visible cards are too many or too small to be shown as cards.
    many: StoredValue<bool>,
    shown: StoredValue<SortedMap<EntityId, ArcRwSignal<bool>>>,
    /// The cards to show, the next one last.
    coming: StoredValue<Vec<EntityId>>,
    /// Whether a frame is scheduled that shows some of them.
    running: StoredValue<bool>,
    /// Time at which zooming counts as finished.
    rested: StoredValue<f64>,
    /// The viewport of the last decision.
    decided: StoredValue<Option<Viewport>>,
    /// Counts the decisions.
    decisions: StoredValue<u32>,
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
            coming: StoredValue::default(),
            running: StoredValue::new(false),
            rested: StoredValue::new(0.0),
            decided: StoredValue::new(None),
            decisions: StoredValue::new(0),
        };
        effect(move || {
            store.entity_ids.track();
            store.opened.track();
            store.selection.track();
            handle.scene.track();
            handle.size.track();
            culling.decide(true);
        });
        effect(move || {
            store.viewport.track();
            culling.decide(false);
        });
        culling
    }

    /// Returns whether a mounted card is shown.
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

    fn is_small(self) -> bool {
        self.store.entity_ids.with_untracked(Vec::len) <= MAX_UNCULLED
    }

    /// Decides which cards are shown; with `force`, even if the viewport has hardly moved.
    fn decide(self, force: bool) {
        let viewport = self.store.viewport.get_untracked();
        let last = self.decided.get_value();
        if !force && last.is_some_and(|last| is_near(last, viewport)) {
            return;
        }
        let is_small = self.is_small();
        // The page reports the size before the first paint; measuring earlier would cause a second layout.
        if !is_small && self.handle.size.get_untracked() == (0.0, 0.0) {
            return;
        }
        self.decided.set_value(Some(viewport));
        self.decisions.update_value(|count| *count += 1);
        if !is_small && last.is_some_and(|last| last.zoom != viewport.zoom) {
            self.rested.set_value(clock::now() + ZOOM_REST);
        }
        let (wanted, selected, in_sight) = self.wanted(viewport, is_small);
        self.forget_deleted();
        let known = SortedSet::from_iter(self.mounted.get_untracked());
        self.hide_others(
            viewport,
            &known,
            SortedSet::from_iter(wanted.iter().copied()),
        );
        let waits = |id: &EntityId| !known.contains(id) || !self.shown(*id).get_untracked();
        let missing: Vec<EntityId> = wanted.into_iter().filter(waits).collect();
        let (chosen, mut coming): (Vec<_>, Vec<_>) =
            (missing.into_iter()).partition(|id| selected.contains(id));
        coming.reverse();
        self.coming.set_value(coming);
        self.show(chosen);
        let is_zooming = self.is_zooming();
        if !is_zooming {
            self.show_some(match known.is_empty() {
                true => FIRST_FRAME_COST.min(in_sight * MOUNT_COST),
                false => FRAME_COST,
            });
        }
        let is_whole = known.is_empty() && in_sight * MOUNT_COST <= FIRST_FRAME_COST;
        let is_whole = is_whole && !is_zooming && !self.many.get_value();
        if is_whole {
            // All visible cards are mounted: the first frame does not wait for the others or their boxes.
            self.running.set_value(true);
            self.store.view.next_frame(move || {
                self.store.view.next_frame(move || self.step());
            });
        } else {
            self.show_boxes();
            self.run();
        }
    }

    /// Returns the entities whose cards this viewport shows, visible ones first; the selected ones among them; and
    /// how many are visible.
    fn wanted(
        self,
        viewport: Viewport,
        is_small: bool,
    ) -> (Vec<EntityId>, SortedSet<EntityId>, usize) {
        let (width, height) = self.handle.size();
        let seen = viewport.visible(width, height);
        let near = seen.grown(SHOW_MARGIN / viewport.zoom);
        let (mut wanted, in_sight) = self.nearest(seen, |area| is_small || area.intersects(near));
        let was_many = self.many.get_value();
        let (most, least) = match was_many {
            true => (MAX_CARDS_AGAIN, FAR * FAR_HYSTERESIS),
            false => (MAX_CARDS, FAR),
        };
        let many = !is_small && (in_sight > most || viewport.zoom < least);
        self.many.set_value(many);
        let selection = self.store.selection.get_untracked();
        let selected = selection.iter().filter_map(|card| match card {
            CardId::Entity(id) => Some(*id),
            _ => None,
        });
        if many {
            let selected: Vec<EntityId> = selected.take(MAX_SELECTED).collect();
            return (selected.clone(), SortedSet::from_iter(selected), in_sight);
        }
        let selected = SortedSet::from_iter(selected);
        let all = SortedSet::from_iter(wanted.iter().copied());
        wanted.extend(selected.difference(&all));
        (wanted, selected, in_sight)
    }

    /// Returns the entities whose cards pass, those in `seen` first, each part by distance from its middle; and how
    /// many are in `seen`.
    fn nearest(self, seen: Area, passes: impl Fn(Area) -> bool) -> (Vec<EntityId>, usize) {
        let middle = |area: Area| (area.x + area.width / 2.0, area.y + area.height / 2.0);
        let (x, y) = middle(seen);
        let found: Vec<(EntityId, bool, f64)> = self.handle.scene.with_untracked(|card_boxes| {
            (card_boxes.iter())
                .filter_map(|card_box| match card_box.card {
                    CardId::Entity(id) if passes(card_box.area) => {
                        let (at_x, at_y) = middle(card_box.area);
                        let distance = (at_x - x).hypot(at_y - y);
                        Some((id, !card_box.area.intersects(seen), distance))
                    }
                    _ => None,
                })
                .collect()
        });
        let in_sight = found.iter().filter(|(_, is_out, _)| !is_out).count();
        let found = by_rank(found, |(_, is_out, distance)| {
            [u32::from(*is_out), *distance as u32, 0, 0]
        });
        (found.into_iter().map(|(id, ..)| id).collect(), in_sight)
    }

    /// Hides cards that are not wanted, except near ones that may soon be.
    fn hide_others(
        self,
        viewport: Viewport,
        known: &SortedSet<EntityId>,
        mut wanted: SortedSet<EntityId>,
    ) {
        if !self.many.get_value() {
            let (width, height) = self.handle.size();
            let kept = viewport
                .visible(width, height)
                .grown(KEEP_MARGIN / viewport.zoom);
            wanted.extend(self.nearest(kept, |area| area.intersects(kept)).0);
        }
        for id in known.difference(&wanted) {
            self.set_shown(*id, false);
        }
    }

    fn forget_deleted(self) {
        let all = self
            .store
            .entity_ids
            .with_untracked(|ids| SortedSet::from_iter(ids.iter().copied()));
        if (self.mounted).with_untracked(|mounted| mounted.iter().all(|id| all.contains(id))) {
            return;
        }
        self.mounted
            .update(|mounted| mounted.retain(|id| all.contains(id)));
        self.shown
            .update_value(|shown| shown.retain(|id, _| all.contains(id)));
    }

    fn set_shown(self, id: EntityId, now: bool) {
        let shown = self.shown(id);
        if shown.get_untracked() != now {
            shown.set(now);
        }
    }

    fn is_zooming(self) -> bool {
        clock::now() < self.rested.get_value()
    }

    fn show_boxes(self) {
        let boxes = self.many.get_value() || !self.coming.with_value(Vec::is_empty);
        set_if_other(self.boxes, boxes);
    }

    /// Shows cards, and mounts those not in the page.
    fn show(self, ids: Vec<EntityId>) {
        for id in &ids {
            self.set_shown(*id, true);
        }
        self.mount(ids);
    }

    /// Mounts cards that are not in the page and still in the design.
    fn mount(self, ids: Vec<EntityId>) {
        let known =
            (self.mounted).with_untracked(|mounted| SortedSet::from_iter(mounted.iter().copied()));
        let new = |id: &EntityId| !known.contains(id) && self.store.entity(*id).is_some();
        let ids: Vec<EntityId> = ids.into_iter().filter(new).collect();
        if !ids.is_empty() {
            let is_small = self.is_small();
            self.mounted.update(|mounted| {
                mounted.extend(ids);
                // Sorted by ID, for the tab order. Not in a large design: there a card that is moved in the page
                // would lose the focus.
                if is_small {
                    let all = SortedSet::from_iter(mounted.drain(..));
                    mounted.extend(all);
                }
            });
        }
    }

    /// Shows waiting cards up to this cost.
    fn show_some(self, most: usize) {
        let known =
            (self.mounted).with_untracked(|mounted| SortedSet::from_iter(mounted.iter().copied()));
        let mut batch = Vec::new();
        let mut cost = 0;
        self.coming.update_value(|coming| {
            while cost < most
                && let Some(id) = coming.pop()
            {
                cost += if known.contains(&id) { 1 } else { MOUNT_COST };
                batch.push(id);
            }
        });
        self.show(batch);
    }

    /// Shows waiting cards, some in each frame; then mounts more ahead of need.
    fn run(self) {
        if self.coming.with_value(Vec::is_empty) {
            let decision = self.decisions.get_value();
            self.later(IDLE_TIME, decision);
        } else if !self.running.get_value() {
            self.running.set_value(true);
            self.store.view.next_frame(move || self.step());
        }
    }

    fn later(self, time: Duration, decision: u32) {
        (self.store.view).after(time, move || self.run_ahead(decision));
    }

    fn step(self) {
        if self.running.try_set_value(false).is_some() {
            return;
        }
        if !self.is_zooming() {
            self.show_some(FRAME_COST);
            self.show_boxes();
        }
        self.run();
    }

    /// Mounts a card that may soon be needed, unless there was another decision since.
    fn run_ahead(self, decision: u32) {
        if self.decisions.try_get_value() != Some(decision) || self.many.get_value() {
            return;
        }
        if self.handle.is_busy() {
            self.later(IDLE_TIME, decision);
            return;
        }
        let (width, height) = self.handle.size();
        let viewport = self.store.viewport.get_untracked();
        let seen = viewport.visible(width, height);
        let soon = seen.grown(MOUNT_MARGIN / viewport.zoom);
        let known = SortedSet::from_iter(self.mounted.get_untracked());
        let (near, _) = self.nearest(seen, |area| area.intersects(soon));
        if let Some(next) = near.into_iter().find(|id| !known.contains(id)) {
            self.set_shown(next, false);
            self.mount(vec![next]);
            self.later(IDLE_PAUSE, decision);
        }
    }
}

/// Returns whether a decision for one viewport still holds for another.
fn is_near(decided: Viewport, now: Viewport) -> bool {
    decided.zoom == now.zoom
        && (decided.x - now.x).abs() < DECIDE_DISTANCE
        && (decided.y - now.y).abs() < DECIDE_DISTANCE
}
