//! Pointer, wheel and key gestures of the canvas. One gesture at a time; Escape cancels it and restores what
//! it showed; what it did reaches the document as one command when it ends. Moves are shown once per frame.

use super::{CanvasHandle, between};
use crate::app::geometry::{ENTITY_WIDTH, HEAD};
use crate::app::session::{Area, Selection, rounded};
use crate::app::{Command, placement, suggest};
use crate::domain::model::{CardId, EntityId, IndexId, IndexKind, Point};
use crate::ui::desk::{Desk, use_desk};
use crate::ui::store::{Place, Store};
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::collections::BTreeMap;
use web_sys::Element;

/// A press that moves less than this many CSS pixels is a click.
const SLOP: f64 = 4.0;
/// Distance of an arrow key's nudge, in canvas pixels; with Shift, ten times as far.
const NUDGE: f64 = 4.0;

#[derive(Debug, Clone)]
enum Gesture {
    None,
    /// Pressed on a card, not yet moved.
    Press {
        card: CardId,
        extend: bool,
        was_selected: bool,
    },
    Drag {
        cards: Vec<(CardId, Place)>,
    },
    Pan,
    Marquee {
        before: Selection,
    },
    Wire {
        entity: EntityId,
        from: Place,
    },
    Pinch {
        distance: f64,
        middle: (f64, f64),
    },
}

/// The gesture that is under way. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Gestures {
    store: Store,
    desk: Desk,
    handle: CanvasHandle,
    gesture: StoredValue<Gesture>,
    /// Pointers that are down, in the region's pixels.
    pointers: StoredValue<BTreeMap<i32, (f64, f64)>>,
    start: StoredValue<(f64, f64)>,
    last: StoredValue<(f64, f64)>,
    /// Where the pointer has got to since the last frame, if a frame is due.
    due: StoredValue<Option<(f64, f64)>>,
    space: StoredValue<bool>,
    marquee: RwSignal<Option<Area>>,
    wire: RwSignal<Option<(Place, Place)>>,
    panning: RwSignal<bool>,
}

impl Gestures {
    /// No gesture under way.
    pub fn new(store: Store, handle: CanvasHandle) -> Self {
        let gestures = Gestures {
            store,
            desk: use_desk(),
            handle,
            gesture: StoredValue::new(Gesture::None),
            pointers: StoredValue::default(),
            start: StoredValue::default(),
            last: StoredValue::default(),
            due: StoredValue::new(None),
            space: StoredValue::new(false),
            marquee: RwSignal::new(None),
            wire: RwSignal::new(None),
            panning: RwSignal::new(false),
        };
        let down = window_event_listener(ev::keydown, move |event| match event.key().as_str() {
            " " if !crate::ui::keyboard::is_typing(&event) => gestures.space.set_value(true),
            "Escape" => gestures.cancel(),
            _ => {}
        });
        let up = window_event_listener(ev::keyup, move |event| {
            if event.key() == " " {
                gestures.space.set_value(false);
            }
        });
        on_cleanup(move || {
            down.remove();
            up.remove();
        });
        gestures
    }

    /// The marquee, in the region's pixels.
    pub fn marquee(self) -> Option<Area> {
        self.marquee.get()
    }

    /// The wire that is being drawn, in canvas pixels.
    pub fn wire(self) -> Signal<Option<(Place, Place)>> {
        self.wire.into()
    }

    /// Whether the canvas is being panned.
    pub fn is_panning(self) -> bool {
        self.panning.get()
    }

    fn point(self, event: &ev::PointerEvent) -> (f64, f64) {
        let rect =
            (self.handle.region.get_untracked()).map(|region| region.get_bounding_client_rect());
        let (left, top) = rect.map_or((0.0, 0.0), |rect| (rect.left(), rect.top()));
        (
            f64::from(event.client_x()) - left,
            f64::from(event.client_y()) - top,
        )
    }

    /// A pointer goes down.
    pub fn down(self, event: &ev::PointerEvent) {
        let Some(target) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else {
            return;
        };
        if closest(&target, ".canvas-corner, .welcome").is_some() {
            return;
        }
        let point = self.point(event);
        self.pointers.update_value(|pointers| {
            pointers.insert(event.pointer_id(), point);
        });
        if self.pointers.with_value(BTreeMap::len) == 2 {
            self.cancel_shown();
            self.capture(event);
            self.begin_pinch();
            return;
        }
        self.start.set_value(point);
        self.last.set_value(point);
        let card = closest(&target, "[data-card]").and_then(|element| card_of(&element));
        let port = closest(&target, "[data-port]").is_some();
        let touch = event.pointer_type() == "touch";
        let gesture = match (event.button(), card) {
            (1, _) => Gesture::Pan,
            (0, _) if self.space.get_value() => Gesture::Pan,
            (0, Some(CardId::Entity(entity))) if port => Gesture::Wire {
                entity,
                from: self.port(entity),
            },
            (0, Some(card)) => {
                let was_selected = (self.store.selection).with_untracked(|s| s.contains(&card));
                let extend = event.shift_key() || event.ctrl_key() || event.meta_key();
                if extend {
                    self.store.selection.update(|cards| {
                        cards.insert(card);
                    });
                } else if !was_selected {
                    self.store.select(card);
                }
                Gesture::Press {
                    card,
                    extend,
                    was_selected,
                }
            }
            (0, None) if touch => Gesture::Pan,
            (0, None) => Gesture::Marquee {
                before: match event.shift_key() {
                    true => self.store.selection.get_untracked(),
                    false => Selection::new(),
                },
            },
            _ => return,
        };
        if matches!(gesture, Gesture::Pan) {
            event.prevent_default();
            self.panning.set(true);
        }
        if !matches!(gesture, Gesture::Press { .. }) {
            self.handle.busy.set_value(true);
            self.capture(event);
        }
        self.gesture.set_value(gesture);
    }

    fn capture(self, event: &ev::PointerEvent) {
        if let Some(region) = self.handle.region.get_untracked() {
            // A pointer that is gone already cannot be captured, and need not be.
            let _ = region.set_pointer_capture(event.pointer_id());
        }
    }

    /// A pointer moves.
    pub fn moved(self, event: &ev::PointerEvent) {
        let known = self.pointers.try_update_value(|pointers| {
            match pointers.get_mut(&event.pointer_id()) {
                Some(point) => {
                    *point = self.point(event);
                    true
                }
                None => false,
            }
        });
        if known != Some(true) {
            return;
        }
        let point = self.point(event);
        let started = self.start.get_value();
        let far = (point.0 - started.0).hypot(point.1 - started.1) >= SLOP;
        if matches!(self.gesture.get_value(), Gesture::Press { .. }) {
            if !far {
                return;
            }
            self.capture(event);
            self.begin_drag();
        }
        let frame_is_due = self.due.get_value().is_some();
        self.due.set_value(Some(point));
        if !frame_is_due {
            request_animation_frame(move || self.flush());
        }
    }

    fn begin_drag(self) {
        let cards = self.store.selection.with_untracked(|cards| {
            (cards.iter())
                .filter_map(|card| Some((*card, self.store.place(*card)?.get_untracked())))
                .collect()
        });
        self.gesture.set_value(Gesture::Drag { cards });
        self.handle.busy.set_value(true);
    }

    /// Shows where the gesture has got to.
    fn flush(self) {
        let Some(Some(point)) = self.due.try_update_value(Option::take) else {
            return;
        };
        let zoom = self.store.viewport.get_untracked().zoom;
        let start = self.start.get_value();
        let last = self.last.get_value();
        self.last.set_value(point);
        self.gesture.with_value(|gesture| match gesture {
            Gesture::None | Gesture::Press { .. } => {}
            Gesture::Drag { cards } => {
                let by = ((point.0 - start.0) / zoom, (point.1 - start.1) / zoom);
                for (card, from) in cards {
                    if let Some(place) = self.store.place(*card) {
                        place.set((from.0 + by.0, from.1 + by.1));
                    }
                }
            }
            Gesture::Pan => {
                let by = (point.0 - last.0, point.1 - last.1);
                self.store.viewport.update(|v| *v = v.panned(by.0, by.1));
            }
            Gesture::Marquee { before } => {
                let area = between(start, point);
                self.marquee.set(Some(area));
                self.select_within(area, before);
            }
            Gesture::Wire { from, .. } => {
                let to = self
                    .store
                    .viewport
                    .get_untracked()
                    .to_canvas(point.0, point.1);
                self.wire.set(Some((*from, to)));
            }
            Gesture::Pinch { .. } => self.pinch(),
        });
    }

    fn select_within(self, area: Area, before: &Selection) {
        let viewport = self.store.viewport.get_untracked();
        let from = viewport.to_canvas(area.x, area.y);
        let to = viewport.to_canvas(area.x + area.width, area.y + area.height);
        let area = between(from, to);
        let within: Selection = self.store.with(|design| {
            (design.cards())
                .filter(|card| {
                    placement::stored_area(design, *card, self.store.detail.get_untracked())
                        .is_some_and(|a| a.intersects(area))
                })
                .chain(before.iter().copied())
                .collect()
        });
        if self
            .store
            .selection
            .with_untracked(|cards| *cards != within)
        {
            self.store.selection.set(within);
        }
    }

    /// A pointer goes up.
    pub fn up(self, event: &ev::PointerEvent) {
        let known = self
            .pointers
            .try_update_value(|pointers| pointers.remove(&event.pointer_id()).is_some());
        if known != Some(true) {
            return;
        }
        self.due.set_value(Some(self.point(event)));
        self.flush();
        let gesture = self.gesture.get_value();
        let point = self.point(event);
        let started = self.start.get_value();
        let far = (point.0 - started.0).hypot(point.1 - started.1) >= SLOP;
        self.end();
        match gesture {
            Gesture::Press {
                card,
                extend,
                was_selected,
            } => self.click(card, extend, was_selected),
            Gesture::Drag { cards } => self.drop_cards(&cards),
            Gesture::Marquee { .. } if !far => {
                self.store.selection.set(Selection::new());
            }
            Gesture::Wire { entity, .. } if far => self.drop_wire(entity, event),
            _ => {}
        }
    }

    fn click(self, card: CardId, extend: bool, was_selected: bool) {
        match (extend, was_selected) {
            (true, true) => self.store.selection.update(|cards| {
                cards.remove(&card);
            }),
            (false, true) => self.store.select(card),
            _ => {}
        }
    }

    fn drop_cards(self, cards: &[(CardId, Place)]) {
        let moves: Vec<(CardId, Point)> = (cards.iter())
            .filter_map(|(card, _)| {
                let place = self.store.place(*card)?;
                let (x, y) = place.get_untracked();
                let point = rounded(x, y);
                place.set((f64::from(point.x), f64::from(point.y)));
                Some((*card, point))
            })
            .collect();
        self.store.perform(Command::Move(moves));
    }

    fn port(self, entity: EntityId) -> Place {
        let place = self.store.place(CardId::Entity(entity));
        let (x, y) = place.map_or((0.0, 0.0), |place| place.get_untracked());
        (x + ENTITY_WIDTH, y + HEAD / 2.0)
    }

    /// A wire ends on an index, which the entity joins, or on the empty canvas, where a new index appears.
    fn drop_wire(self, entity: EntityId, event: &ev::PointerEvent) {
        let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
        let under = (document().element_from_point(x as f32, y as f32))
            .and_then(|element| closest(&element, "[data-card]"))
            .and_then(|element| card_of(&element));
        match under {
            Some(CardId::Index(index)) => self.join(entity, index),
            Some(_) => {}
            None => {
                if let Some(place) = self.handle.place_under(x, y) {
                    self.new_index(entity, (place.0, place.1 - HEAD / 2.0));
                }
            }
        }
    }

    fn join(self, entity: EntityId, index: IndexId) {
        let joined = self.store.with(|design| {
            (design.entities.get(&entity)).is_some_and(|e| e.keys.contains_key(&index))
        });
        if joined {
            let name = self
                .store
                .with(|design| design.index_name(index).to_owned());
            self.store.notices.say(format!("It is in {name} already."));
        } else {
            let entry = (self.store).with(|design| suggest::index_entry(design, entity, index));
            self.store.perform(Command::JoinIndex(entity, index, entry));
        }
        self.store.select(CardId::Entity(entity));
    }

    fn new_index(self, entity: EntityId, at: Place) {
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
        self.store.select(CardId::Entity(entity));
    }

    /// Ends whatever is under way and restores what it showed.
    pub fn cancel(self) {
        self.cancel_shown();
        self.pointers.update_value(BTreeMap::clear);
    }

    fn cancel_shown(self) {
        match self.gesture.get_value() {
            Gesture::Drag { cards } => {
                for (card, from) in cards {
                    if let Some(place) = self.store.place(card) {
                        place.set(from);
                    }
                }
            }
            Gesture::Marquee { before } => self.store.selection.set(before),
            _ => {}
        }
        self.end();
    }

    fn end(self) {
        self.gesture.set_value(Gesture::None);
        self.handle.busy.set_value(false);
        self.due.set_value(None);
        if self.marquee.with_untracked(Option::is_some) {
            self.marquee.set(None);
        }
        if self.wire.with_untracked(Option::is_some) {
            self.wire.set(None);
        }
        if self.panning.get_untracked() {
            self.panning.set(false);
        }
    }

    /// Distance of the two pointers and the point between them.
    fn two_pointers(self) -> Option<(f64, (f64, f64))> {
        self.pointers.with_value(|pointers| {
            let mut points = pointers.values();
            let (a, b) = (points.next()?, points.next()?);
            let middle = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
            Some(((a.0 - b.0).hypot(a.1 - b.1).max(1.0), middle))
        })
    }

    fn begin_pinch(self) {
        if let Some((distance, middle)) = self.two_pointers() {
            self.gesture.set_value(Gesture::Pinch { distance, middle });
        }
    }

    fn pinch(self) {
        let (
            Some((distance, middle)),
            Gesture::Pinch {
                distance: before,
                middle: from,
            },
        ) = (self.two_pointers(), self.gesture.get_value())
        else {
            return;
        };
        self.store.viewport.update(|viewport| {
            *viewport = viewport
                .panned(middle.0 - from.0, middle.1 - from.1)
                .zoomed(distance / before, middle.0, middle.1);
        });
        request_animation_frame(move || {
            let pinching = matches!(self.gesture.get_value(), Gesture::Pinch { .. });
            if pinching {
                self.gesture.set_value(Gesture::Pinch { distance, middle });
            }
        });
    }

    /// The wheel pans; with Ctrl, and by a pinch on a touchpad, it zooms at the pointer.
    pub fn wheel(self, event: &ev::WheelEvent) {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        if target.is_some_and(|target| closest(&target, ".welcome").is_some()) {
            return;
        }
        event.prevent_default();
        // Lines and pages, which some mice report, are about so many pixels.
        let unit = match event.delta_mode() {
            1 => 20.0,
            2 => 400.0,
            _ => 1.0,
        };
        let (dx, dy) = (event.delta_x() * unit, event.delta_y() * unit);
        if event.ctrl_key() || event.meta_key() {
            let rect = (self.handle.region.get_untracked())
                .map(|region| region.get_bounding_client_rect());
            let (left, top) = rect.map_or((0.0, 0.0), |rect| (rect.left(), rect.top()));
            let x = f64::from(event.client_x()) - left;
            let y = f64::from(event.client_y()) - top;
            let factor = (-dy.clamp(-30.0, 30.0) * 0.01).exp();
            self.store.viewport.update(|v| *v = v.zoomed(factor, x, y));
        } else if event.shift_key() && dx == 0.0 {
            self.store.viewport.update(|v| *v = v.panned(-dy, 0.0));
        } else {
            self.store.viewport.update(|v| *v = v.panned(-dx, -dy));
        }
    }

    /// Arrow keys nudge the selected cards, Enter goes to the inspector.
    pub fn key(self, event: &ev::KeyboardEvent) {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        let on_card = target.is_some_and(|target| target.has_attribute("data-card"));
        if !on_card || event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let step = if event.shift_key() {
            NUDGE * 10.0
        } else {
            NUDGE
        };
        let by = match event.key().as_str() {
            "ArrowLeft" => (-step, 0.0),
            "ArrowRight" => (step, 0.0),
            "ArrowUp" => (0.0, -step),
            "ArrowDown" => (0.0, step),
            "Enter" => {
                event.prevent_default();
                crate::ui::keyboard::focus_inspector(self.desk);
                return;
            }
            _ => return,
        };
        event.prevent_default();
        let moves: Vec<(CardId, Point)> = self.store.selection.with_untracked(|cards| {
            (cards.iter())
                .filter_map(|card| {
                    let (x, y) = self.store.place(*card)?.get_untracked();
                    Some((*card, rounded(x + by.0, y + by.1)))
                })
                .collect()
        });
        let first = moves.first().map(|(card, _)| *card);
        self.store.perform(Command::Move(moves));
        if let Some(card) = first {
            self.handle.reveal(card);
        }
    }

    /// A double click on a card goes to its name in the inspector, on the empty canvas it adds an entity.
    pub fn double_click(self, event: &ev::MouseEvent) {
        let Some(target) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else {
            return;
        };
        if closest(&target, ".canvas-corner, .welcome").is_some() {
            return;
        }
        let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
        if closest(&target, "[data-card]").is_some() {
            crate::ui::keyboard::focus_inspector(self.desk);
        } else if let Some(place) = self.handle.place_under(x, y) {
            crate::ui::palette::add(
                self.store,
                crate::ui::palette::Piece::Entity,
                (place.0 - ENTITY_WIDTH / 2.0, place.1 - HEAD / 2.0),
            );
        }
    }
}

fn closest(element: &Element, selector: &str) -> Option<Element> {
    element.closest(selector).ok().flatten()
}

fn card_of(element: &Element) -> Option<CardId> {
    element.get_attribute("data-card")?.parse().ok()
}
