//! Pointer, wheel and key gestures of the canvas: which gesture a press begins, and how it is drawn, ended and canceled.
//! Each gesture is in its own file. There is one gesture at a time. Escape cancels it and restores the view; when it
//! ends, it runs one command. Moves are drawn once per frame.

mod auto_pan;
mod click;
mod drag_cards;
mod keyboard;
mod marquee;
mod pinch;
mod wheel;
mod wire;

use super::handle::CanvasHandle;
use super::hit_test::{card_under, wire_under};
use crate::ui::dom::element::{closest, target_of, under};
use crate::ui::reactive::erased::{RwSignal, effect};
use crate::ui::reactive::follow_ids::follow_value;
use crate::ui::reactive::set_if_other;
use crate::ui::state::page_state::{PageState, use_page};
use crate::ui::state::store::{CanvasPlace, Store};
use keyfold_app::moved_ids::HoldsIds;
use keyfold_app::route::Wire;
use keyfold_app::snap::SnapGuide;
use keyfold_app::viewport::{Area, Selection};
use keyfold_compare::NewIds;
use keyfold_core::model::{CardId, EntityId, IndexId, SortedMap};
use leptos::ev;
use leptos::prelude::*;

/// A press that moves less than this many CSS pixels is a click.
const SLOP: f64 = 4.0;

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
        cards: Vec<(CardId, CanvasPlace)>,
        /// The area around them when the drag began.
        around: Area,
        /// The other visible cards, as snap targets.
        others: Vec<Area>,
        /// Whether dropping makes copies.
        copies: bool,
    },
    Pan,
    Marquee {
        before: Selection,
        /// The wire that was selected before.
        wire: Option<Wire>,
        /// Whether the found cards are added to the previous selection.
        extend: bool,
    },
    Wire {
        entity: EntityId,
        from: CanvasPlace,
        /// The index whose wire is being moved; `None` for a new wire.
        of: Option<IndexId>,
    },
    Pinch {
        distance: f64,
        middle: (f64, f64),
    },
}

impl HoldsIds for Gesture {
    fn follow(&mut self, moved: &NewIds) {
        match self {
            Gesture::Press { card, .. } => card.follow(moved),
            Gesture::Drag { cards, .. } => {
                for (card, _) in cards {
                    card.follow(moved);
                }
            }
            Gesture::Marquee { before, wire, .. } => {
                before.follow(moved);
                wire.follow(moved);
            }
            Gesture::Wire { entity, of, .. } => {
                entity.follow(moved);
                of.follow(moved);
            }
            Gesture::None | Gesture::Pan | Gesture::Pinch { .. } => {}
        }
    }
}

/// A press: when, in milliseconds of the browser's events, and where in the window.
type Pressed = (f64, (f64, f64));
/// No presses yet.
const NO_PRESSES: [Pressed; 2] = [(f64::MIN, (0.0, 0.0)); 2];

/// The current gesture. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Gestures {
    store: Store,
    page: PageState,
    handle: CanvasHandle,
    gesture: StoredValue<Gesture>,
    /// Pointers that are down, in the region's pixels.
    pointers: StoredValue<SortedMap<i32, (f64, f64)>>,
    start: StoredValue<(f64, f64)>,
    last: StoredValue<(f64, f64)>,
    /// The last two presses on the canvas that dragged nothing.
    presses: StoredValue<[Pressed; 2]>,
    /// The latest pointer position, if a frame is due.
    due: StoredValue<Option<(f64, f64)>>,
    /// Position and time, in milliseconds, of the pointer's last move.
    still: StoredValue<((f64, f64), f64)>,
    /// Top left corner of the region in the window.
    corner: StoredValue<(f64, f64)>,
    space: StoredValue<bool>,
    /// Whether the space key has panned since it went down.
    space_used: StoredValue<bool>,
    marquee: RwSignal<Option<Area>>,
    wire: RwSignal<Option<(CanvasPlace, CanvasPlace)>>,
    /// The guides to which dragged cards have snapped.
    guides: RwSignal<Vec<SnapGuide>>,
    /// Whether snapping is off, while Ctrl is held.
    free: StoredValue<bool>,
    panning: RwSignal<bool>,
    /// The card whose wires the keyboard follows, and the end reached last.
    walk: StoredValue<Option<(CardId, CardId)>>,
}

impl Gestures {
    /// Returns gestures with none active.
    pub fn new(store: Store, handle: CanvasHandle) -> Self {
        let gestures = Gestures {
            store,
            page: use_page(),
            handle,
            gesture: StoredValue::new(Gesture::None),
            pointers: StoredValue::default(),
            start: StoredValue::default(),
            last: StoredValue::default(),
            presses: StoredValue::new(NO_PRESSES),
            due: StoredValue::new(None),
            still: StoredValue::default(),
            corner: StoredValue::new((0.0, 0.0)),
            space: StoredValue::new(false),
            space_used: StoredValue::new(false),
            marquee: RwSignal::new(None),
            wire: RwSignal::new(None),
            guides: RwSignal::default(),
            free: StoredValue::new(false),
            panning: RwSignal::new(false),
            walk: StoredValue::new(None),
        };
        // A drag or a rename belongs to the design that was open: in another design, the same IDs are other cards.
        effect(move || {
            store.opened.track();
            gestures.end();
            gestures.pointers.update_value(SortedMap::clear);
            handle.before_press.set_value(None);
            gestures.walk.set_value(None);
            if handle.renaming.get_untracked().is_some() {
                handle.renaming.set(None);
            }
        });
        store.when_moved(move |moved| {
            follow_value(gestures.gesture, moved);
            follow_value(gestures.walk, moved);
        });
        let down = window_event_listener(ev::keydown, move |event| {
            // A menu that a key opens is not about the last press.
            handle.before_press.set_value(None);
            match event.key().as_str() {
                " " if !crate::ui::dom::key_chords::is_typing(&event) => {
                    gestures.space.set_value(true);
                }
                "Escape" => gestures.cancel(),
                _ => {}
            }
        });
        let up = window_event_listener(ev::keyup, move |event| {
            if event.key() == " " {
                gestures.space.set_value(false);
                // After panning, space must not also press the focused button.
                if gestures.space_used.get_value() {
                    gestures.space_used.set_value(false);
                    event.prevent_default();
                }
            }
        });
        // The release of a key in another window is not reported.
        let left = window_event_listener(ev::blur, move |_| {
            gestures.space.set_value(false);
            gestures.space_used.set_value(false);
        });
        on_cleanup(move || {
            down.remove();
            up.remove();
            left.remove();
        });
        gestures
    }

    /// The marquee, in the region's pixels.
    pub fn marquee(self) -> Option<Area> {
        self.marquee.get()
    }

    /// The wire being drawn, in canvas pixels.
    pub fn wire(self) -> Signal<Option<(CanvasPlace, CanvasPlace)>> {
        self.wire.into()
    }

    /// Returns the guides to which dragged cards have snapped, in canvas pixels.
    pub fn guides(self) -> RwSignal<Vec<SnapGuide>> {
        self.guides
    }

    /// Whether the canvas is being panned.
    pub fn is_panning(self) -> bool {
        self.panning.get()
    }

    /// Measures the region's position once: measuring at every move would cause a layout each time.
    fn measure(self) {
        let region = self.handle.region.get_untracked();
        let rect = region.map(|region| region.get_bounding_client_rect());
        self.corner
            .set_value(rect.map_or((0.0, 0.0), |rect| (rect.left(), rect.top())));
    }

    /// Returns a pointer's position in the region as measured when the first pointer went down.
    fn point(self, event: &ev::PointerEvent) -> (f64, f64) {
        let (left, top) = self.corner.get_value();
        let (x, y) = at_of(event);
        (x - left, y - top)
    }

    /// The canvas place under a point of the region.
    fn place(self, (x, y): (f64, f64)) -> CanvasPlace {
        self.store.viewport.get_untracked().to_canvas(x, y)
    }

    /// Handles a pointer press.
    pub fn down(self, event: &ev::PointerEvent) {
        let Some(target) = under(event) else {
            return;
        };
        if closest(
            &target,
            ".canvas-corner, .minimap, .welcome, input, textarea",
        )
        .is_some()
        {
            return;
        }
        let press = (event.time_stamp(), at_of(event));
        self.presses
            .update_value(|presses| *presses = [presses[1], press]);
        if self.pointers.with_value(SortedMap::is_empty) {
            self.measure();
        }
        let point = self.point(event);
        self.pointers.update_value(|pointers| {
            pointers.insert(event.pointer_id(), point);
        });
        let fingers = self.pointers.with_value(SortedMap::len);
        if fingers == 2 {
            self.cancel_shown();
            // The first finger of a pinch selects nothing.
            let before = self.handle.before_press.try_update_value(Option::take);
            if let Some(before) = before.flatten() {
                self.store.select_cards(before);
            }
            self.capture(event);
            self.begin_pinch();
        }
        if fingers > 1 {
            return;
        }
        self.start.set_value(point);
        self.last.set_value(point);
        let wire = wire_under(&target);
        // In the overview neither cards nor wires are elements.
        let from_afar = || self.handle.card_at(self.place(point));
        let card = card_under(&target).or_else(|| wire.is_none().then(from_afar)?);
        let wire_end = closest(&target, "[data-wire-end]").is_some();
        let port = closest(&target, "[data-port]").is_some();
        let touch = event.pointer_type() == "touch";
        let before = self.store.selection.get_untracked();
        self.handle.before_press.set_value(Some(before));
        let gesture = match (event.button(), card, wire) {
            (1, ..) => Gesture::Pan,
            (0, ..) if self.space.get_value() => Gesture::Pan,
            (0, Some(CardId::Entity(entity)), _) if port => Gesture::Wire {
                entity,
                from: self.port(entity),
                of: None,
            },
            (0, None, Some((entity, index))) if wire_end => {
                let entity = self.grabbed_entity(entity, index);
                self.store.select_wire((entity, index));
                Gesture::Wire {
                    entity,
                    from: self.port(entity),
                    of: Some(index),
                }
            }
            (0, None, Some(wire)) => {
                self.store.select_wire(wire);
                return;
            }
            (0, Some(card), _) => self.press_card(card, event),
            (0, None, _) if touch => Gesture::Pan,
            (0, None, _) => Gesture::Marquee {
                before: self.store.selection.get_untracked(),
                wire: self.store.wire.get_untracked(),
                extend: event.shift_key(),
            },
            _ => return,
        };
        if matches!(gesture, Gesture::Pan) {
            self.space_used.set_value(self.space.get_value());
            event.prevent_default();
            // Moves the focus as the browser would: a field stores its text, and keys act on the canvas.
            self.handle.take_focus();
            self.panning.set(true);
        }
        if !matches!(gesture, Gesture::Press { .. }) {
            set_if_other(self.handle.busy, true);
            self.capture(event);
        }
        self.gesture.set_value(gesture);
    }

    fn capture(self, event: &ev::PointerEvent) {
        if let Some(region) = self.handle.region.get_untracked() {
            // A pointer that is already gone cannot be captured and need not be.
            let _ = region.set_pointer_capture(event.pointer_id());
        }
    }

    /// Highlights the wires of the card under the pointer.
    pub fn over(self, event: &ev::PointerEvent) {
        let target = target_of(event);
        let card = target.and_then(|target| card_under(&target));
        if self.handle.hover.get_untracked() != card && !self.handle.is_busy() {
            self.handle.hover.set(card);
        }
    }

    /// Handles a pointer that leaves the canvas. If it was pressed on a card, it begins to drag that card.
    pub fn left(self, event: &ev::PointerEvent) {
        self.handle.hover.set(None);
        self.moved(event);
    }

    /// Handles a pointer move.
    pub fn moved(self, event: &ev::PointerEvent) {
        let point = self.point(event);
        let known = self.pointers.try_update_value(|pointers| {
            let known = pointers.get_mut(&event.pointer_id());
            known.map(|known| *known = point).is_some()
        });
        if known != Some(true) {
            return;
        }
        // The button was released outside the window.
        if event.pointer_type() == "mouse" && event.buttons() == 0 {
            self.cancel();
            return;
        }
        let started = self.start.get_value();
        let far = (point.0 - started.0).hypot(point.1 - started.1) >= SLOP;
        if matches!(self.gesture.get_value(), Gesture::Press { .. }) {
            if !far {
                return;
            }
            self.capture(event);
            self.begin_drag(event.alt_key());
        }
        // No other listener needs mouse moves; a finger's move must still end a long press.
        if event.pointer_type() == "mouse" {
            event.stop_propagation();
        }
        self.free.set_value(event.ctrl_key() || event.meta_key());
        let frame_is_due = self.due.get_value().is_some();
        self.due.set_value(Some(point));
        if !frame_is_due {
            self.store.view.next_frame(move || self.flush());
        }
    }

    /// Draws the current state of the gesture.
    fn flush(self) {
        let Some(Some(point)) = self.due.try_update_value(Option::take) else {
            return;
        };
        if !self.auto_pan(point) {
            return;
        }
        let last = self.last.get_value();
        self.last.set_value(point);
        self.gesture.with_value(|gesture| match gesture {
            Gesture::None | Gesture::Press { .. } => {}
            Gesture::Drag {
                cards,
                around,
                others,
                ..
            } => self.draw_drag(point, cards, *around, others),
            Gesture::Pan => {
                let by = (point.0 - last.0, point.1 - last.1);
                self.store.viewport.update(|v| *v = v.panned(by.0, by.1));
            }
            Gesture::Marquee { before, extend, .. } => self.draw_marquee(point, before, *extend),
            Gesture::Wire { from, .. } => self.draw_wire(*from, point),
            Gesture::Pinch { .. } => self.pinch(),
        });
    }

    /// Handles a pointer release.
    pub fn up(self, event: &ev::PointerEvent) {
        let known = self
            .pointers
            .try_update_value(|pointers| pointers.remove(&event.pointer_id()).is_some());
        if known != Some(true) {
            return;
        }
        let point = self.point(event);
        let started = self.start.get_value();
        let far = (point.0 - started.0).hypot(point.1 - started.1) >= SLOP;
        // A click beside the cards draws no marquee, which would select what is in it.
        let is_click = !far && matches!(self.gesture.get_value(), Gesture::Marquee { .. });
        if !is_click {
            self.due.set_value(Some(point));
            self.flush();
        }
        let gesture = self.gesture.get_value();
        if far {
            self.presses.set_value(NO_PRESSES);
        }
        self.end();
        match gesture {
            Gesture::Press {
                card,
                extend,
                was_selected,
            } => self.click(card, extend, was_selected),
            Gesture::Drag {
                cards,
                copies: true,
                ..
            } => self.drop_copies(&cards),
            Gesture::Drag { cards, .. } => self.drop_cards(&cards),
            Gesture::Marquee { extend: false, .. } if !far => self.store.select_nothing(),
            // A tap clears the selection; the middle button and the space bar only pan.
            Gesture::Pan if !far && event.pointer_type() == "touch" => self.store.select_nothing(),
            Gesture::Wire { entity, of, .. } if far => self.drop_wire(entity, of, point),
            _ => {}
        }
    }

    /// Cancels the gesture and restores the view.
    pub fn cancel(self) {
        self.cancel_shown();
        self.pointers.update_value(SortedMap::clear);
    }

    fn cancel_shown(self) {
        match self.gesture.get_value() {
            Gesture::Drag { cards, .. } => self.restore_cards(&cards),
            Gesture::Marquee {
                wire: Some(wire), ..
            } => self.store.select_wire(wire),
            Gesture::Marquee { before, .. } => self.store.select_cards(before),
            _ => {}
        }
        self.end();
    }

    fn end(self) {
        self.gesture.set_value(Gesture::None);
        set_if_other(self.handle.busy, false);
        self.due.set_value(None);
        if self.marquee.with_untracked(Option::is_some) {
            self.marquee.set(None);
        }
        if self.wire.with_untracked(Option::is_some) {
            self.wire.set(None);
        }
        if self.handle.target.get_untracked().is_some() {
            self.handle.target.set(None);
        }
        if !self.guides.with_untracked(Vec::is_empty) {
            self.guides.set(Vec::new());
        }
        set_if_other(self.panning, false);
    }
}

/// Returns a pointer's position in the window, in CSS pixels.
fn at_of(event: &ev::MouseEvent) -> (f64, f64) {
    (f64::from(event.client_x()), f64::from(event.client_y()))
}
