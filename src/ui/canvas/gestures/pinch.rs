//! Pinch: two pointers zoom and pan together.

use super::{Gesture, Gestures};
use leptos::prelude::*;

impl Gestures {
    /// Returns the distance of the two pointers and their midpoint.
    fn two_pointers(self) -> Option<(f64, (f64, f64))> {
        self.pointers.with_value(|pointers| {
            let mut points = pointers.values();
            let (a, b) = (points.next()?, points.next()?);
            let middle = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
            Some(((a.0 - b.0).hypot(a.1 - b.1).max(1.0), middle))
        })
    }

    pub(super) fn begin_pinch(self) {
        if let Some((distance, middle)) = self.two_pointers() {
            self.gesture.set_value(Gesture::Pinch { distance, middle });
        }
    }

    pub(super) fn pinch(self) {
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
        self.store.view.next_frame(move || {
            let pinching = matches!(self.gesture.get_value(), Gesture::Pinch { .. });
            if pinching {
                self.gesture.set_value(Gesture::Pinch { distance, middle });
            }
        });
    }
}
