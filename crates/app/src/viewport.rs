//! View state of one user: viewport, card detail, selection. It is not part of the design or its history.

use keyfold_core::model::{CardId, Point, SortedSet};
use serde::{Deserialize, Serialize};

/// Minimum zoom.
pub const MIN_ZOOM: f64 = 0.05;
/// Maximum zoom.
pub const MAX_ZOOM: f64 = 4.0;

/// The visible part of the canvas. A canvas point `p` is drawn at `p * zoom + offset`, in CSS pixels from the top
/// left of the canvas region.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewport {
    /// Horizontal offset.
    pub x: f64,
    /// Vertical offset.
    pub y: f64,
    /// Scale; 1 draws one canvas pixel as one CSS pixel.
    pub zoom: f64,
}

impl Default for Viewport {
    fn default() -> Self {
        Viewport {
            x: 0.0,
            y: 0.0,
            zoom: 1.0,
        }
    }
}

/// A rectangle on the canvas, in canvas pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Area {
    /// Returns the smallest area around both.
    pub fn union(self, other: Area) -> Area {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Area {
            x,
            y,
            width: (self.x + self.width).max(other.x + other.width) - x,
            height: (self.y + self.height).max(other.y + other.height) - y,
        }
    }

    /// Whether the areas overlap or touch.
    pub fn intersects(self, other: Area) -> bool {
        self.x <= other.x + other.width
            && other.x <= self.x + self.width
            && self.y <= other.y + other.height
            && other.y <= self.y + self.height
    }

    /// Whether `other` is completely inside.
    pub fn contains(self, other: Area) -> bool {
        self.x <= other.x
            && self.y <= other.y
            && other.x + other.width <= self.x + self.width
            && other.y + other.height <= self.y + self.height
    }

    /// Returns the area enlarged by `by` on each side.
    pub fn grown(self, by: f64) -> Area {
        Area {
            x: self.x - by,
            y: self.y - by,
            width: self.width + 2.0 * by,
            height: self.height + 2.0 * by,
        }
    }
}

impl Viewport {
    /// Converts a point of the canvas region, in CSS pixels, to canvas pixels.
    pub fn to_canvas(self, x: f64, y: f64) -> (f64, f64) {
        ((x - self.x) / self.zoom, (y - self.y) / self.zoom)
    }

    /// Returns the viewport moved by `dx` and `dy` CSS pixels.
    pub fn panned(self, dx: f64, dy: f64) -> Viewport {
        Viewport {
            x: self.x + dx,
            y: self.y + dy,
            ..self
        }
    }

    /// Returns the viewport with the zoom multiplied by `factor`, within the limits. The canvas point under (x, y)
    /// stays in place.
    pub fn zoomed(self, factor: f64, x: f64, y: f64) -> Viewport {
        let zoom = (self.zoom * factor).clamp(MIN_ZOOM, MAX_ZOOM);
        let (canvas_x, canvas_y) = self.to_canvas(x, y);
        Viewport {
            x: x - canvas_x * zoom,
            y: y - canvas_y * zoom,
            zoom,
        }
    }

    /// Returns the viewport that centers `area` in a region of this size, at a zoom of at most 1.
    pub fn fitting(area: Area, width: f64, height: f64) -> Viewport {
        let area = area.grown(48.0);
        let zoom = (width / area.width)
            .min(height / area.height)
            .clamp(MIN_ZOOM, 1.0);
        Viewport {
            x: (width - area.width * zoom) / 2.0 - area.x * zoom,
            y: (height - area.height * zoom) / 2.0 - area.y * zoom,
            zoom,
        }
    }

    /// Returns this viewport at a zoom of at least `least`, in which the upper left corner of an area is in sight.
    pub fn legible(self, area: Area, least: f64) -> Viewport {
        if self.zoom >= least {
            return self;
        }
        let area = area.grown(24.0);
        Viewport {
            x: -area.x * least,
            y: -area.y * least,
            zoom: least,
        }
    }

    /// Returns the canvas area visible in a region of this size.
    pub fn visible(self, width: f64, height: f64) -> Area {
        let (x, y) = self.to_canvas(0.0, 0.0);
        Area {
            x,
            y,
            width: width / self.zoom,
            height: height / self.zoom,
        }
    }
}

/// Rounds a canvas position to whole pixels.
pub fn rounded(x: f64, y: f64) -> Point {
    Point {
        x: x.round() as i32,
        y: y.round() as i32,
    }
}

/// How much cards show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Detail {
    /// Keys and all attributes.
    #[default]
    All,
    /// Keys only.
    Keys,
    /// Names only.
    Names,
}

/// The selected cards.
pub type Selection = SortedSet<CardId>;
