//! The canvas's interface for the rest of the page: visible part, zoom, going to a card.

use super::level_of_detail::{FAR, Level};
use super::minimap::MapPlace;
use super::scene::{self, CardBox, Colors};
use crate::platform::clock;
use crate::ui::dom::focus::focus_soon;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{Memo, RwSignal, effect, memo};
use crate::ui::reactive::follow_ids::{follow_signal, follow_value};
use crate::ui::reactive::observers::on_resize;
use crate::ui::reactive::set_if_other;
use crate::ui::state::store::{CanvasPlace, Store};
use crate::ui::state::theme::Theme;
use keyfold_app::collections::{
    CollectionArea, EntityGroup, collection_areas, equal_template_groups,
};
use keyfold_app::route::{Obstacle, Routes, Wire};
use keyfold_app::viewport::{Area, Detail, Selection, Viewport};
use keyfold_app::{placement, route};
use keyfold_compare::NewIds;
use keyfold_core::model::{CardId, Design, EntityId, IndexId, SortedMap};
use leptos::html::Section;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::wasm_bindgen::closure::Closure;
use std::sync::Arc;
use std::time::Duration;

/// Height of the tools in the lower corner, in CSS pixels.
pub const TOOLS: f64 = 44.0;
/// Time without a turn after which the wheel rests, in milliseconds.
pub const REST: f64 = 250.0;
/// Minimum width with room for an entity left of the table, in CSS pixels.
pub const ROOM: f64 = 640.0;
/// Distance of an empty design's table from the right edge, in CSS pixels.
pub const MARGIN: f64 = 32.0;

/// What the canvas shows around the cards. The code is loaded on demand (`wires.rs`).
#[derive(Clone, Copy)]
pub(super) struct AroundCards {
    /// Finds the item collections.
    pub groups: fn(&Design, IndexId) -> Vec<EntityGroup>,
    /// Routes the wires.
    pub routes: fn(&Design, Detail, Vec<Obstacle>, Option<&Routes>) -> Routes,
}

/// The canvas's interface for the rest of the page. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct CanvasHandle {
    pub(super) region: NodeRef<Section>,
    pub(super) store: Store,
    /// Takes a pasted text that is a file of another tool.
    pub take_foreign: StoredValue<Option<Callback<String>>>,
    /// The selection before the pointer was pressed last; `None` once a key was.
    pub before_press: StoredValue<Option<Selection>>,
    /// Whether a gesture is active.
    pub(super) busy: RwSignal<bool>,
    /// Width and height of the region, in CSS pixels; (0, 0) before it is in the page.
    pub(super) size: RwSignal<(f64, f64)>,
    /// All cards as boxes.
    pub(super) scene: Memo<ByPtr<Vec<CardBox>>>,
    /// The colors of the current theme.
    pub(super) colors: RwSignal<Colors>,
    /// The index under the end of the wire being drawn.
    pub(super) target: RwSignal<Option<CardId>>,
    /// The card under the pointer; its wires are highlighted.
    pub(super) hover: RwSignal<Option<CardId>>,
    /// The viewport of the last zoom to fit. Until the view moves, all cards stay visible when the size changes.
    pub(super) whole: StoredValue<Option<Viewport>>,
    /// Whether the wheel is panning.
    pub(super) sliding: RwSignal<bool>,
    /// When the wheel last panned, in milliseconds.
    pub(super) slid: StoredValue<f64>,
    /// The card whose name, or the note whose text, is being edited in place.
    pub(super) renaming: RwSignal<Option<CardId>>,
    /// What was typed into its name: the field is another one if a merge gives the card another id.
    pub(super) typed_name: StoredValue<Option<String>>,
    /// The index whose item collections are drawn as groups.
    pub groups: RwSignal<Option<IndexId>>,
    /// The code of item collections and wires, once it is loaded. Until then, entities with equal templates share item
    /// collections, and there are no wires.
    pub(super) around: RwSignal<Option<AroundCards>>,
    /// The areas of the item collections in `groups`.
    pub(super) collections: Memo<Vec<CollectionArea>>,
    /// The wires between the stored places of cards, around all cards; none in a large design.
    pub(super) routes: Memo<ByPtr<Routes>>,
    /// The areas of wire labels, so that they do not overlap; empty in a large design.
    pub(super) labels: StoredValue<SortedMap<Wire, Area>>,
    /// What the entities refer to; `None` while references are not drawn.
    pub(super) refers: RwSignal<Option<SortedMap<EntityId, String>>>,
    /// Where the minimap is.
    pub(super) map: RwSignal<MapPlace>,
    /// How much is drawn.
    pub(super) level: RwSignal<Level>,
    /// The card that had the keyboard focus last.
    pub(super) last: StoredValue<Option<CardId>>,
}

impl CanvasHandle {
    /// Returns a handle for a canvas that is not in the page yet.
    pub fn new(store: Store) -> Self {
        let scene = memo(move |_| {
            store.cards.track();
            store.opened.track();
            let detail = store.detail.get();
            ByPtr(Arc::new(
                store.with(|design| scene::card_boxes(design, detail)),
            ))
        });
        let level = RwSignal::new(Level::Full);
        // Not a memo: each pan would then check every card and wire that reads it.
        effect(move || set_if_other(level, Level::at(store.viewport.get().zoom)));
        let groups = RwSignal::new(None);
        effect(move || {
            store.opened.track();
            let is_large = scene.with_untracked(|cards| cards.len() > route::MAX_OBSTACLES);
            groups.set((!is_large).then_some(IndexId::PRIMARY));
        });
        let areas = move || -> Vec<(CardId, Area)> {
            scene.with(|card_boxes| card_boxes.iter().map(|p| (p.card, p.area)).collect())
        };
        // What the item collections depend on: they are analyzed again only when it changes, not when a card moves.
        let grouped = memo(move |_| {
            store.cards.track();
            store.opened.track();
            let index = groups.get()?;
            store.with(|design| {
                let entities = design.entities.iter();
                let entities = entities.map(|(id, entity)| (*id, ByPtr(entity.clone())));
                let delimiter = ByPtr(design.delimiter.clone());
                let key = design.key(index).cloned();
                Some((index, entities.collect::<Vec<_>>(), delimiter, key))
            })
        });
        let around: RwSignal<Option<AroundCards>> = RwSignal::new(None);
        let shared = memo(move |_| {
            let find = around
                .get()
                .map_or(equal_template_groups as _, |code| code.groups);
            let index = grouped.with(|grouped| grouped.as_ref().map(|grouped| grouped.0));
            index.map_or_else(Vec::new, |index| store.with(|design| find(design, index)))
        });
        let collections = memo(move |_| shared.with(|shared| collection_areas(shared, &areas())));
        let routes = memo(move |before: Option<&ByPtr<Routes>>| {
            let Some(code) = around.get() else {
                return ByPtr(Arc::default());
            };
            let obstacles = collections.with(|boxes| route::obstacles(&areas(), boxes));
            let detail = store.detail.get();
            let routes = store.with(|design| {
                (code.routes)(design, detail, obstacles, before.map(|before| &**before))
            });
            // Most edits of an entity leave its wires, and their labels need not be placed again.
            match before {
                Some(before) if before.is_same(&routes) => before.clone(),
                _ => ByPtr(Arc::new(routes)),
            }
        });
        let handle = CanvasHandle {
            scene,
            around,
            collections,
            routes,
            labels: StoredValue::default(),
            refers: RwSignal::new(None),
            map: RwSignal::new(MapPlace::Off),
            level,
            last: StoredValue::new(None),
            region: NodeRef::new(),
            store,
            take_foreign: StoredValue::new(None),
            before_press: StoredValue::new(None),
            busy: RwSignal::new(false),
            size: RwSignal::new((0.0, 0.0)),
            colors: RwSignal::new(Colors::default()),
            target: RwSignal::new(None),
            hover: RwSignal::new(None),
            whole: StoredValue::new(None),
            sliding: RwSignal::new(false),
            slid: StoredValue::new(f64::MIN),
            renaming: RwSignal::new(None),
            typed_name: StoredValue::new(None),
            groups,
        };
        store.when_moved(move |moved| {
            for card in [handle.target, handle.hover, handle.renaming] {
                follow_signal(card, moved);
            }
            follow_value(handle.last, moved);
            follow_value(handle.before_press, moved);
            handle.follow_focused(moved);
            follow_signal(handle.groups, moved);
        });
        handle
    }

    /// The keyboard focus goes on to the card that has the new id of the focused one.
    fn follow_focused(self, moved: &NewIds) {
        let focused = document().active_element();
        let card = focused.and_then(|element| element.get_attribute("data-card"));
        let Some(Ok(card)) = card.map(|card| card.parse::<CardId>()) else {
            return;
        };
        if moved.card(card) != card {
            self.focus(moved.card(card));
        }
    }

    /// Returns the topmost card at a canvas place, by the design's places.
    pub(super) fn card_at(self, place: CanvasPlace) -> Option<CardId> {
        self.topmost_at(place, |_| true)
    }

    /// Returns the index at a canvas place, which a note may cover.
    pub(super) fn index_at(self, place: CanvasPlace) -> Option<IndexId> {
        let card = self.topmost_at(place, |card| !matches!(card, CardId::Note(_)))?;
        match card {
            CardId::Index(index) => Some(index),
            _ => None,
        }
    }

    fn topmost_at(self, (x, y): CanvasPlace, wanted: impl Fn(CardId) -> bool) -> Option<CardId> {
        let at = Area {
            x,
            y,
            width: 0.0,
            height: 0.0,
        };
        self.scene.with_untracked(|card_boxes| {
            let hit = card_boxes
                .iter()
                .rev()
                .find(|card_box| wanted(card_box.card) && card_box.area.intersects(at));
            hit.map(|card_box| card_box.card)
        })
    }

    /// Returns whether an index card is visible.
    pub(super) fn sees_index(self) -> bool {
        let (width, height) = self.size.get();
        let seen = self.store.viewport.get().visible(width, height);
        self.scene.with(|card_boxes| {
            let is_seen = |card_box: &CardBox| card_box.area.intersects(seen);
            (card_boxes.iter())
                .any(|card_box| matches!(card_box.card, CardId::Index(_)) && is_seen(card_box))
        })
    }

    /// Edits the name of the selected card in its head, or the text of the selected note.
    pub fn rename(self) {
        let one = self
            .store
            .selection
            .with_untracked(|cards| match cards.len() {
                1 => cards.first().copied(),
                _ => None,
            });
        self.typed_name.set_value(None);
        self.renaming.set(one);
    }

    /// Edits the text of a note in place.
    pub(super) fn write_note(self, card: CardId) {
        self.renaming.set(Some(card));
        focus_soon(format!("[data-card=\"{card}\"] textarea"));
    }

    /// Returns whether a gesture is active that Escape would cancel.
    pub fn is_busy(self) -> bool {
        self.busy.get_untracked()
    }

    /// Width and height of the region, in CSS pixels.
    pub fn size(self) -> (f64, f64) {
        if self.size.get_untracked() == (0.0, 0.0) {
            self.measure();
        }
        let (width, height) = self.size.get_untracked();
        (width.max(1.0), height.max(1.0))
    }

    /// Returns whether the region is in the page and not hidden.
    pub fn is_seen(self) -> bool {
        // The observer of its size speaks a frame after it was hidden or shown.
        self.measure();
        self.size.get_untracked() != (0.0, 0.0)
    }

    /// Measures the region; called whenever its size changes.
    pub(super) fn measure(self) {
        if let Some(region) = self.region.get_untracked() {
            let size = (
                f64::from(region.client_width()),
                f64::from(region.client_height()),
            );
            let before = self.size.get_untracked();
            if before != size {
                self.size.set(size);
                let is_seen = before != (0.0, 0.0) && size != (0.0, 0.0);
                if is_seen && self.whole.get_value() == Some(self.store.viewport.get_untracked()) {
                    self.fit_legibly();
                }
            }
        }
    }

    /// Keeps the size and the colors up to date.
    pub(super) fn follow_page(self, theme: RwSignal<Theme>) {
        on_resize(
            move || self.region.get().map(Into::into),
            move || self.measure(),
        );
        // What a pasted text or a file brings into an empty design at once is zoomed to fit, as an opened design is.
        let count = StoredValue::new(usize::MAX);
        effect(move || {
            let now = self.store.entity_ids.with(Vec::len);
            let before = count.try_update_value(|count| std::mem::replace(count, now));
            let is_whole = || self.whole.get_value() == Some(self.store.viewport.get_untracked());
            if before == Some(0) && now > 1 && is_whole() {
                self.store.view.next_frame(move || self.fit_legibly());
            }
        });
        let read = move || self.colors.set(scene::colors());
        effect(move || {
            theme.track();
            // Another effect applies the theme to the page.
            self.store.view.next_frame(read);
        });
        let media = window().match_media("(prefers-color-scheme: dark)");
        let media = media.ok().flatten();
        let system = Closure::<dyn Fn()>::new(read);
        if let Some(media) = &media {
            media.set_onchange(Some(system.as_ref().unchecked_ref()));
        }
        let system = StoredValue::new_local((media, system));
        on_cleanup(move || {
            system.with_value(|(media, _)| media.as_ref().map(|media| media.set_onchange(None)));
        });
    }

    /// Pans by a turn of the wheel, in CSS pixels.
    pub(super) fn wheel(self, dx: f64, dy: f64) {
        self.store.viewport.update(|v| *v = v.panned(dx, dy));
        let (now, before) = (clock::now(), self.slid.get_value());
        self.slid.set_value(now);
        // A single turn is not worth the compositor layers.
        if now - before < REST && !self.sliding.get_untracked() {
            self.sliding.set(true);
            self.rest();
        }
    }

    /// Ends wheel panning once the wheel has rested.
    pub(super) fn rest(self) {
        let rested = move || match self.slid.try_get_value() {
            Some(last) if clock::now() - last < REST => self.rest(),
            Some(_) => set_if_other(self.sliding, false),
            None => {}
        };
        (self.store.view).after(Duration::from_millis(REST as u64), rested);
    }

    /// Returns the canvas place under a point of the window, if that is on the canvas.
    pub fn place_under(self, x: f64, y: f64) -> Option<(f64, f64)> {
        let rect = self.region.get_untracked()?.get_bounding_client_rect();
        let (x, y) = (x - rect.left(), y - rect.top());
        let inside = x >= 0.0 && y >= 0.0 && x <= rect.width() && y <= rect.height();
        inside.then(|| self.store.viewport.get_untracked().to_canvas(x, y))
    }

    /// The canvas place in the middle of the region.
    pub fn middle(self) -> (f64, f64) {
        let (width, height) = self.size();
        (self.store.viewport.get_untracked()).to_canvas(width / 2.0, height / 2.0)
    }

    /// Shows an opened design: all cards, but on a small screen where their names would be illegible, the first item
    /// collection or card.
    pub fn fit_legibly(self) {
        self.fit();
        let (width, height) = self.size();
        let zoom = self.store.viewport.with_untracked(|viewport| viewport.zoom);
        if zoom >= FAR || width >= ROOM {
            return;
        }
        let collection = (self.collections)
            .with_untracked(|all| all.first().and_then(|first| first.areas.first().copied()));
        let card = || {
            (self.scene).with_untracked(|card_boxes| {
                let entities = card_boxes
                    .iter()
                    .filter(|card_box| matches!(card_box.card, CardId::Entity(_)));
                let areas = entities.map(|card_box| card_box.area);
                areas.reduce(|a, b| if (b.y, b.x) < (a.y, a.x) { b } else { a })
            })
        };
        if let Some(area) = collection.or_else(card) {
            let viewport = Viewport::fitting(area, width, height - TOOLS);
            (self.store.viewport).set(viewport.legible(area, FAR));
            (self.whole).set_value(Some(self.store.viewport.get_untracked()));
        }
    }

    /// Shows all cards. Without entities, the table is on the right if there is room, so that the first entity fits
    /// on its left.
    pub fn fit(self) {
        let around = |areas: &Vec<CollectionArea>| {
            let areas = areas.iter().flat_map(|collection| &collection.areas);
            areas.copied().reduce(Area::union)
        };
        let boxes = self.collections.with_untracked(around);
        let wires = self.routes.with_untracked(|routes| routes.area());
        self.fit_area(|_| true, boxes.into_iter().chain(wires).reduce(Area::union));
        let (width, _) = self.size();
        if width >= ROOM && self.store.entity_ids.with_untracked(Vec::is_empty) {
            let right = self.scene.with_untracked(|card_boxes| {
                let ends = card_boxes
                    .iter()
                    .map(|card_box| card_box.area.x + card_box.area.width);
                ends.fold(f64::MIN, f64::max)
            });
            (self.store.viewport).update(|v| v.x = width - MARGIN - right * v.zoom);
        }
        (self.whole).set_value(Some(self.store.viewport.get_untracked()));
    }

    /// Zooms to fit the selected cards.
    pub fn fit_selection(self) {
        let selection = self.store.selection.get_untracked();
        self.fit_area(|card| selection.contains(&card), None);
    }

    /// Zooms to fit these cards and an area.
    pub(super) fn fit_area(self, wanted: impl Fn(CardId) -> bool, more: Option<Area>) {
        let all = self.scene.with_untracked(|card_boxes| {
            let wanted = card_boxes.iter().filter(|card_box| wanted(card_box.card));
            wanted
                .map(|card_box| card_box.area)
                .chain(more)
                .reduce(Area::union)
        });
        if let Some(area) = all {
            let (width, height) = self.size();
            // Keeps cards clear of the tools in the lower corner and of the legend above.
            let top = self.legend();
            let free = (height - TOOLS - top).max(height / 2.0);
            let mut viewport = Viewport::fitting(area, width, free);
            viewport.y += top;
            (self.store.viewport).set(viewport);
        }
    }

    /// What the legend of the heat takes at the top of the region, in CSS pixels.
    fn legend(self) -> f64 {
        let legend = (self.region.get_untracked())
            .and_then(|region| region.query_selector(".heat-legend").ok().flatten());
        legend.map_or(0.0, |legend| legend.get_bounding_client_rect().height())
    }

    /// Selects a card, brings it into view and gives it the keyboard focus.
    pub fn go_to(self, card: CardId) {
        self.store.select(card);
        self.reveal(card);
        self.focus(card);
    }

    /// Gives the region the keyboard focus.
    pub fn take_focus(self) {
        if let Some(region) = self.region.get_untracked() {
            let still = web_sys::FocusOptions::new();
            still.set_prevent_scroll(true);
            let _ = region.focus_with_options(&still);
        }
    }

    /// Gives the keyboard focus to the selected card, to the one that had it last, or to the first one in view, selects it
    /// and brings it into view.
    pub fn enter(self) {
        let store = self.store;
        let selected = store
            .selection
            .with_untracked(|cards| cards.first().copied());
        let last = self.last.get_value();
        let last = last.filter(|card| store.with(|design| design.has_card(*card)));
        let (width, height) = self.size();
        let seen = store.viewport.get_untracked().visible(width, height);
        let first = || {
            self.scene.with_untracked(|card_boxes| {
                let in_view = card_boxes
                    .iter()
                    .find(|card_box| card_box.area.intersects(seen));
                in_view.map(|card_box| card_box.card)
            })
        };
        let card = selected
            .or(last)
            .or_else(first)
            .unwrap_or_else(primary_card);
        // In the overview of a large design only selected cards have elements.
        self.go_to(card);
    }

    /// The card that is `to` of the cards in their order, given the place of this one and their number.
    pub(super) fn card_from(
        self,
        card: CardId,
        to: impl Fn(usize, usize) -> Option<usize>,
    ) -> Option<CardId> {
        self.scene.with_untracked(|card_boxes| {
            let at = card_boxes
                .iter()
                .position(|card_box| card_box.card == card)?;
            let to = to(at, card_boxes.len())?;
            card_boxes.get(to).map(|card_box| card_box.card)
        })
    }

    /// Gives a card the keyboard focus.
    pub(super) fn focus(self, card: CardId) {
        // In the overview the card is mounted only now.
        focus_soon(format!("[data-card=\"{card}\"]"));
    }

    /// Zooms by a factor around the middle.
    pub fn zoom(self, factor: f64) {
        let (width, height) = self.size();
        (self.store.viewport).update(|v| *v = v.zoomed(factor, width / 2.0, height / 2.0));
    }

    /// Sets 1:1 zoom around the middle.
    pub fn actual_size(self) {
        self.zoom(1.0 / self.store.viewport.get_untracked().zoom);
    }

    /// Pans by the minimum that brings a card into view, above the tools.
    pub fn reveal(self, card: CardId) {
        let Some(area) = self
            .store
            .with(|design| placement::stored_area(design, card, self.store.detail.get_untracked()))
        else {
            return;
        };
        let (width, height) = self.size();
        self.store.viewport.update(|viewport| {
            let seen = viewport.visible(width, (height - TOOLS).max(height / 2.0));
            let shift = |from: f64, length: f64, seen_from: f64, seen_length: f64| {
                let margin = 24.0 / viewport.zoom;
                let before = (seen_from - (from - margin)).max(0.0);
                let after = (from + length + margin - (seen_from + seen_length)).max(0.0);
                // A card larger than the region shows its start.
                if before > 0.0 {
                    before
                } else {
                    -after.min((from - margin - seen_from).max(0.0))
                }
            };
            let dx = shift(area.x, area.width, seen.x, seen.width);
            let dy = shift(area.y, area.height, seen.y, seen.height);
            if dx != 0.0 || dy != 0.0 {
                *viewport = viewport.panned(dx * viewport.zoom, dy * viewport.zoom);
            }
        });
    }
}

/// Returns the card of the primary key, which always exists.
pub fn primary_card() -> CardId {
    CardId::Index(IndexId::PRIMARY)
}

/// Returns the area between two corners in any order.
pub fn between(a: (f64, f64), b: (f64, f64)) -> Area {
    Area {
        x: a.0.min(b.0),
        y: a.1.min(b.1),
        width: (a.0 - b.0).abs(),
        height: (a.1 - b.1).abs(),
    }
}

/// Returns the canvas of the page from the context.
pub fn use_canvas() -> CanvasHandle {
    expect_context()
}

/// Formats a length in CSS pixels.
pub fn px(value: Option<f64>) -> String {
    format!("{}px", value.unwrap_or(0.0))
}
