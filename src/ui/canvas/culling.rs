//! Which cards are in the page. In a large design only those near the visible part are: a card is mounted when it
//! first comes near, or before that while nothing else is to be done, and from then on only hidden while it is far
//! away. A selected card is always shown, so that focus and gestures never lose theirs. From afar, and with more than
//! [`MOST`] cards in sight, they are boxes on the overview instead (`overview.rs`), all but the selected ones.
//!
//! Mounting a card takes milliseconds. So only a few are mounted in a frame, none while one zooms, and until all that
//! are wanted are there, the overview draws them below.

use super::handle::{CanvasHandle, FAR};
use crate::platform::clock;
use crate::ui::reactive::erased::{RwSignal, effect};
use crate::ui::reactive::set_if_other;
use crate::ui::state::store::Store;
use keyfold_app::session::{Area, Viewport};
use keyfold_core::model::{CardId, EntityId, SortedMap, SortedSet, by_rank};
use leptos::prelude::*;
use std::time::Duration;

/// Up to this many entities, all cards are in the page.
const ALWAYS: usize = 100;
/// With more entities than this in sight, cards are boxes; with fewer than [`AGAIN`] they are cards again.
const MOST: usize = 200;
/// See [`MOST`].
const AGAIN: usize = 160;
/// Cards that became boxes below the zoom [`FAR`] are cards again above this many times it.
const NEARER: f64 = 1.1;
/// Most selected cards that stay cards among the boxes.
const SELECTED: usize = 24;
/// How far from the visible part cards are shown, in CSS pixels.
const MARGIN: f64 = 480.0;
/// How far from it they are put into the page, hidden, while nothing else is to be done, in CSS pixels.
const AHEAD: f64 = 840.0;
/// How far from it they stay shown, in CSS pixels. A card that is shown costs every frame, one that comes again only one.
const KEEP: f64 = 720.0;
/// How far one pans before it is decided anew.
const SLACK: f64 = 200.0;
/// What a frame may cost, where showing a card again costs 1.
const FRAME: usize = 10;
/// As [`FRAME`], for the first frame of a design, which shows the cards in sight.
const FIRST: usize = 80;
/// What mounting a card costs.
const MOUNT: usize = 5;
/// How long after the last change of the zoom cards come again, in milliseconds.
const REST: f64 = 150.0;
/// How long nothing must have moved before cards are mounted ahead of need, and the pause between them.
const IDLE: Duration = Duration::from_millis(300);
/// See [`IDLE`].
const PAUSE: Duration = Duration::from_millis(32);

/// The cards that are in the page. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Culling {
    store: Store,
    handle: CanvasHandle,
    /// The entities whose cards are mounted.
    pub mounted: RwSignal<Vec<EntityId>>,
    /// Whether cards are boxes on the overview, or some of those in sight are not in the page yet.
    pub boxes: RwSignal<bool>,
    /// Whether there are too many cards in sight to be shown as cards, or they are too small.
    many: StoredValue<bool>,
    shown: StoredValue<SortedMap<EntityId, ArcRwSignal<bool>>>,
    /// The cards that are to be shown, the next one last.
    coming: StoredValue<Vec<EntityId>>,
    /// Whether a frame is asked for in which some of them come.
    running: StoredValue<bool>,
    /// When the zoom will have rested.
    rested: StoredValue<f64>,
    /// The viewport for which it was last decided.
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

    fn is_small(self) -> bool {
        self.store.entity_ids.with_untracked(Vec::len) <= ALWAYS
    }

    /// Decides what is shown; `anew` also where the viewport has hardly moved.
    fn decide(self, anew: bool) {
        let viewport = self.store.viewport.get_untracked();
        let last = self.decided.get_value();
        if !anew && last.is_some_and(|last| is_near(last, viewport)) {
            return;
        }
        let is_small = self.is_small();
        // The page tells the size before it is first painted; to ask for it earlier would lay everything out twice.
        if !is_small && self.handle.size.get_untracked() == (0.0, 0.0) {
            return;
        }
        self.decided.set_value(Some(viewport));
        self.decisions.update_value(|count| *count += 1);
        if !is_small && last.is_some_and(|last| last.zoom != viewport.zoom) {
            self.rested.set_value(clock::now() + REST);
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
                true => FIRST.min(in_sight * MOUNT),
                false => FRAME,
            });
        }
        let is_whole = known.is_empty() && in_sight * MOUNT <= FIRST;
        let is_whole = is_whole && !is_zooming && !self.many.get_value();
        if is_whole {
            // What is in sight is all there: the first frame need not wait for the others, nor for the boxes below them.
            self.running.set_value(true);
            self.store.view.next_frame(move || {
                self.store.view.next_frame(move || self.step());
            });
        } else {
            self.show_boxes();
            self.run();
        }
    }

    /// The entities whose cards are shown with this viewport, those in sight first; the selected ones, which are
    /// always among them; and how many are in sight.
    fn wanted(
        self,
        viewport: Viewport,
        is_small: bool,
    ) -> (Vec<EntityId>, SortedSet<EntityId>, usize) {
        let (width, height) = self.handle.size();
        let seen = viewport.visible(width, height);
        let near = seen.grown(MARGIN / viewport.zoom);
        let (mut wanted, in_sight) = self.nearest(seen, |area| is_small || area.intersects(near));
        let was_many = self.many.get_value();
        let (most, least) = match was_many {
            true => (AGAIN, FAR * NEARER),
            false => (MOST, FAR),
        };
        let many = !is_small && (in_sight > most || viewport.zoom < least);
        self.many.set_value(many);
        let selection = self.store.selection.get_untracked();
        let selected = selection.iter().filter_map(|card| match card {
            CardId::Entity(id) => Some(*id),
            _ => None,
        });
        if many {
            let selected: Vec<EntityId> = selected.take(SELECTED).collect();
            return (selected.clone(), SortedSet::from_iter(selected), in_sight);
        }
        let selected = SortedSet::from_iter(selected);
        let all = SortedSet::from_iter(wanted.iter().copied());
        wanted.extend(selected.difference(&all));
        (wanted, selected, in_sight)
    }

    /// The entities whose cards pass: those in `seen` before the others, the nearest to its middle first; and how many are
    /// in `seen`.
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

    /// Hides the cards that are not wanted, unless they are so near that they may soon be.
    fn hide_others(
        self,
        viewport: Viewport,
        known: &SortedSet<EntityId>,
        mut wanted: SortedSet<EntityId>,
    ) {
        if !self.many.get_value() {
            let (width, height) = self.handle.size();
            let kept = viewport.visible(width, height).grown(KEEP / viewport.zoom);
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

    /// Shows cards, and mounts those that are not in the page.
    fn show(self, ids: Vec<EntityId>) {
        for id in &ids {
            self.set_shown(*id, true);
        }
        self.mount(ids);
    }

    /// Mounts those that are not in the page and still in the design.
    fn mount(self, ids: Vec<EntityId>) {
        let known =
            (self.mounted).with_untracked(|mounted| SortedSet::from_iter(mounted.iter().copied()));
        let new = |id: &EntityId| !known.contains(id) && self.store.entity(*id).is_some();
        let ids: Vec<EntityId> = ids.into_iter().filter(new).collect();
        if !ids.is_empty() {
            let is_small = self.is_small();
            self.mounted.update(|mounted| {
                mounted.extend(ids);
                // In the order of the ids, which is that of the tab key. In a large design cards come and go all the
                // time, and one that is moved in the page would lose the focus.
                if is_small {
                    let all = SortedSet::from_iter(mounted.drain(..));
                    mounted.extend(all);
                }
            });
        }
    }

    /// Shows as many of the cards that are coming as may be for this cost.
    fn show_some(self, most: usize) {
        let known =
            (self.mounted).with_untracked(|mounted| SortedSet::from_iter(mounted.iter().copied()));
        let mut batch = Vec::new();
        let mut cost = 0;
        self.coming.update_value(|coming| {
            while cost < most
                && let Some(id) = coming.pop()
            {
                cost += if known.contains(&id) { 1 } else { MOUNT };
                batch.push(id);
            }
        });
        self.show(batch);
    }

    /// Lets the cards that are coming come, some in each frame; then more ahead of need.
    fn run(self) {
        if self.coming.with_value(Vec::is_empty) {
            let decision = self.decisions.get_value();
            self.later(IDLE, decision);
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
            self.show_some(FRAME);
            self.show_boxes();
        }
        self.run();
    }

    /// Mounts a card that may soon be needed, unless something was decided since.
    fn run_ahead(self, decision: u32) {
        if self.decisions.try_get_value() != Some(decision) || self.many.get_value() {
            return;
        }
        if self.handle.is_busy() {
            self.later(IDLE, decision);
            return;
        }
        let (width, height) = self.handle.size();
        let viewport = self.store.viewport.get_untracked();
        let seen = viewport.visible(width, height);
        let soon = seen.grown(AHEAD / viewport.zoom);
        let known = SortedSet::from_iter(self.mounted.get_untracked());
        let (near, _) = self.nearest(seen, |area| area.intersects(soon));
        if let Some(next) = near.into_iter().find(|id| !known.contains(id)) {
            self.set_shown(next, false);
            self.mount(vec![next]);
            self.later(PAUSE, decision);
        }
    }
}

/// Whether a decision for one viewport still serves for another.
fn is_near(decided: Viewport, now: Viewport) -> bool {
    decided.zoom == now.zoom
        && (decided.x - now.x).abs() < SLACK
        && (decided.y - now.y).abs() < SLACK
}
