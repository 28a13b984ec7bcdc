//! The way of one wire: its line, the free places for its label, points along it.

use super::super::geometry::WireCurve;
use super::super::viewport::Area;
use super::Position;
use super::around::{is_free, segment_crosses};
use std::borrow::Cow;
use std::fmt::Write;

/// The route of a wire.
#[derive(Debug, Clone, PartialEq)]
pub struct WireRoute {
    /// The `d` attribute of its SVG path.
    pub path: String,
    pub(super) line: Line,
}

/// The course of a wire.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Line {
    Curve(WireCurve),
    /// Corner points.
    Straight(Vec<Position>),
}

/// Positions for a label, best first: fractions of the wire's length.
const SPOTS: [f64; 17] = [
    0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.25, 0.75, 0.2, 0.8, 0.15, 0.85, 0.1, 0.9,
];

impl WireRoute {
    /// Returns the point at a fraction of the wire, from 0 at the entity to 1 at the index.
    pub fn at(&self, part: f64) -> Position {
        match &self.line {
            Line::Curve(course) => course.at(part),
            Line::Straight(points) => along(points, part),
        }
    }

    /// Returns the point at a distance from the entity, in pixels.
    pub fn at_distance(&self, by: f64) -> Position {
        self.at(by / self.length().max(by))
    }

    /// Its length, in pixels.
    pub(super) fn length(&self) -> f64 {
        let pairs = self.points();
        (pairs.windows(2))
            .map(|pair| distance(pair[0], pair[1]))
            .sum()
    }

    /// Returns the corner points; of a curve, points along it.
    pub fn points(&self) -> Cow<'_, [Position]> {
        match &self.line {
            Line::Curve(course) => (0..=STEPS)
                .map(|step| course.at(step as f64 / STEPS as f64))
                .collect(),
            Line::Straight(points) => Cow::Borrowed(points),
        }
    }

    /// Whether the wire comes within `near` pixels of an area.
    pub fn touches(&self, area: Area, near: f64) -> bool {
        let area = area.grown(near);
        let points = self.points();
        (points.windows(2)).any(|pair| segment_crosses(pair[0], pair[1], area))
    }

    /// Returns the area for a label of this size in pixels: on the wire, as near to its middle as possible, centered or
    /// aside, and free by `is_free`. `None` if there is no such area.
    pub fn label(&self, width: f64, height: f64, is_free: impl Fn(Area) -> bool) -> Option<Area> {
        let aside = [0.0, -0.25, 0.25, -0.4, 0.4];
        let spots = aside
            .into_iter()
            .flat_map(|by| SPOTS.map(|part| (by, self.at(part))));
        let mut spots = spots.map(|(by, (x, y))| Area {
            x: x + (by - 0.5) * width,
            y: y - height / 2.0,
            width,
            height,
        });
        spots.find(|area| is_free(*area))
    }
}

/// Corner radii, in order of preference: the first one with which the bend crosses no card.
const RADII: [f64; 4] = [10.0, 8.0, 4.0, 0.0];

/// Number of parts of a curve in [`WireRoute::points`].
const STEPS: usize = 24;

pub(super) fn distance(a: Position, b: Position) -> f64 {
    (a.0 - b.0).abs() + (a.1 - b.1).abs()
}

/// Returns the point at a fraction of a polyline.
fn along(points: &[Position], part: f64) -> Position {
    let pairs = || points.windows(2).map(|pair| (pair[0], pair[1]));
    let mut left = pairs().map(|(a, b)| distance(a, b)).sum::<f64>() * part;
    for (a, b) in pairs() {
        let length = distance(a, b);
        if length > 0.0 && left <= length {
            return toward(a, b, left);
        }
        left -= length;
    }
    points.first().copied().unwrap_or_default()
}

/// Returns the point `by` pixels from `a` toward `b`, which is in the same row or column.
fn toward(a: Position, b: Position, by: f64) -> Position {
    let part = by / distance(a, b).max(1e-9);
    (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part)
}

/// Returns the SVG path of an orthogonal polyline with round corners.
pub(super) fn rounded_path(points: &[Position], obstacles: &[Area]) -> String {
    let mut path = String::new();
    let Some((first, last)) = points.first().zip(points.last()) else {
        return path;
    };
    let _ = write!(path, "M{:.1} {:.1}", first.0, first.1);
    for corner in points.windows(3) {
        let [before, at, after] = [corner[0], corner[1], corner[2]];
        let half = distance(before, at).min(distance(at, after)) / 2.0;
        let bend = |radius: f64| (toward(at, before, radius), toward(at, after, radius));
        let bends = RADII.map(|radius| bend(radius.min(half)));
        let (start, end) = (bends.into_iter())
            .find(|(start, end)| is_free(*start, *end, obstacles))
            .unwrap_or((at, at));
        let _ = write!(
            path,
            "L{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
            start.0, start.1, at.0, at.1, end.0, end.1
        );
    }
    let _ = write!(path, "L{:.1} {:.1}", last.0, last.1);
    path
}
