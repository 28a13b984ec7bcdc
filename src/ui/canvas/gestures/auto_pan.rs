//! The view goes along with what is dragged to its edge, once that rests there; what is dragged goes along with the view.

use super::{Gesture, Gestures};
use crate::platform::clock;
use keyfold_app::session::Viewport;
use leptos::prelude::*;

/// So near the edge of the region, in CSS pixels, what is dragged there takes the view along,
const EDGE: f64 = 24.0;
/// at most by so many in a frame,
const MAX_STEP: f64 = 14.0;
/// once it has moved by no more than so many
const STILL: f64 = 12.0;
/// for so many milliseconds: who drags past the edge does not want to go on.
const REST: f64 = 200.0;

impl Gestures {
    /// Takes the view along by a step if what is dragged is at its edge, and sees to the next step. Whether the gesture
    /// shows something else now.
    pub(super) fn auto_pan(self, point: (f64, f64)) -> bool {
        let (dx, dy) = self.pull(point);
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

    /// What is dragged stays under the pointer when another part of the canvas is seen than before.
    pub(super) fn follow_viewport(self, before: Viewport, point: (f64, f64)) {
        let now = self.store.viewport.get_untracked();
        self.start.update_value(|start| {
            let (x, y) = before.to_canvas(start.0, start.1);
            *start = (x * now.zoom + now.x, y * now.zoom + now.y);
        });
        self.due.set_value(Some(point));
        self.store.view.next_frame(move || self.flush());
    }

    /// By how much the view goes along with what is dragged to its edge, in CSS pixels.
    fn pull(self, point: (f64, f64)) -> (f64, f64) {
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
        // What began at an edge goes on from there only outwards.
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

    /// Whether the pointer has hardly moved for a while.
    fn rests(self, point: (f64, f64)) -> bool {
        let ((x, y), since) = self.still.get_value();
        if (point.0 - x).hypot(point.1 - y) > STILL {
            self.still.set_value((point, clock::now()));
            return false;
        }
        clock::now() - since >= REST
    }
}
