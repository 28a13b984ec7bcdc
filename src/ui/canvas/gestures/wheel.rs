//! The wheel pans, or zooms at the pointer.

use super::{Gestures, at_of, closest};
use crate::ui::dom::element::target_of;
use leptos::ev;
use leptos::prelude::*;

impl Gestures {
    /// The wheel pans; with Ctrl, and by a pinch on a touchpad, it zooms at the pointer.
    pub fn wheel(self, event: &ev::WheelEvent) {
        let target = target_of(event);
        let is_in = |selector: &str| {
            (target.as_ref()).is_some_and(|target| closest(target, selector).is_some())
        };
        if is_in(".welcome") {
            return;
        }
        // The wheel scrolls a long text that is being edited.
        if is_in(".note-edit") && !event.ctrl_key() && !event.meta_key() {
            return;
        }
        event.prevent_default();
        // Approximate pixels of the lines and pages that some mice report.
        let unit = match event.delta_mode() {
            1 => 20.0,
            2 => 400.0,
            _ => 1.0,
        };
        let (dx, dy) = (event.delta_x() * unit, event.delta_y() * unit);
        // A closure, because panning needs no layout.
        let point = || {
            let rect = (self.handle.region.get_untracked()).map(|r| r.get_bounding_client_rect());
            let (left, top) = rect.map_or((0.0, 0.0), |rect| (rect.left(), rect.top()));
            let (x, y) = at_of(event);
            (x - left, y - top)
        };
        let before = self.store.viewport.get_untracked();
        if event.ctrl_key() || event.meta_key() {
            let factor = (-dy.clamp(-30.0, 30.0) * 0.01).exp();
            let (x, y) = point();
            self.store.viewport.update(|v| *v = v.zoomed(factor, x, y));
        } else if event.shift_key() && dx == 0.0 {
            self.handle.wheel(-dy, 0.0);
        } else {
            self.handle.wheel(-dx, -dy);
        }
        if self.handle.is_busy() {
            self.follow_viewport(before, point());
        }
    }
}
