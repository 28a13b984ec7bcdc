//! Pans the view when a drag rests near its edge; dragged cards move with the view.

use super::{Gesture, Gestures};
use crate::platform::clock;
use keyfold_app::viewport::Viewport;
use leptos::prelude::*;

/// Distance from the region's edge within which a drag pans, in CSS pixels.
const EDGE: f64 = 24.0;
/// Maximum pan per frame, in CSS pixels.
const MAX_STEP: f64 = 14.0;
/// A pointer that moves less than this rests, in CSS pixels.
const STILL: f64 = 12.0;
/// How long it must rest, in milliseconds: a drag that only crosses the edge does not pan.
const REST: f64 = 200.0;

impl Gestures {
    /// Pans by one step if the drag is at the edge, and schedules the next step. Returns whether the gesture has to
    /// be redrawn.
    pub(super) fn auto_pan(self, point: (f64, f64)) -> bool {
        let (dx, dy) = self.pan_at_edge(point);
        if (dx, dy) == (0.0, 0.0) {
            return true;
        }
        self.due.set_value(Some(point));
        self.store.view.next_frame(move || self.flush());
        if !self.rests(point) {
            return self.last.get_value() != point;
        }
        (self.store.viewport).update(|v| *v = v.panned(dx, dy));
        (self.start).update_value(|(x, y)| (*x, *y) = (*x + dx, *y + dy));
        true
    }

    /// Keeps dragged cards under the pointer after the viewport has changed.
    pub(super) fn follow_viewport(self, before: Viewport, point: (f64, f64)) {
        let now = self.store.viewport.get_untracked();
        self.start.update_value(|start| {
            let (x, y) = before.to_canvas(start.0, start.1);
            *start = (x * now.zoom + now.x, y * now.zoom + now.y);
        });
        self.due.set_value(Some(point));
        self.store.view.next_frame(move || self.flush());
    }

    /// Returns by how much a drag at the edge pans the view, in CSS pixels.
    fn pan_at_edge(self, point: (f64, f64)) -> (f64, f64) {
        let drags = self.gesture.with_value(|gesture| {
            matches!(
                gesture,
                Gesture::Drag { .. } | Gesture::Marquee { .. } | Gesture::Wire { .. }
            )
        });
        if !drags {
            return (0.0, 0.0);
        }
        let start = self.start.get_value();
        // A drag that began near an edge pans only farther outward.
        let along = |at: f64, from: f64, length: f64| {
            let before = (EDGE.min(from) - at).clamp(0.0, EDGE);
            let after = (at - (length - EDGE).max(from)).clamp(0.0, EDGE);
            (before - after) / EDGE * MAX_STEP
        };
        let (width, height) = self.handle.size();
        (
            along(point.0, start.0, width),
            along(point.1, start.1, height),
        )
    }

    /// Returns whether the pointer has rested for [`REST`].
    fn rests(self, point: (f64, f64)) -> bool {
        let ((x, y), since) = self.still.get_value();
        if (point.0 - x).hypot(point.1 - y) > STILL {
            self.still.set_value((point, clock::now()));
            return false;
        }
        clock::now() - since >= REST
    }
}
