//! Routes wires around cards.

use super::geometry::WireCurve;
use super::viewport::Area;
use std::fmt::Write;

/// The route of a wire.
#[derive(Debug, Clone, PartialEq)]
pub struct WireRoute {
    /// The `d` attribute of its SVG path.
    pub path: String,
    line: Line,
}

/// The course of a wire.
#[derive(Debug, Clone, PartialEq)]
enum Line {
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

    /// Returns the area for a label of this size in pixels: on the wire, as near to its middle as possible,
    /// overlapping none of `taken`. `None` if there is no such area.
    pub fn label(&self, width: f64, height: f64, taken: &[Area]) -> Option<Area> {
        let mut spots = SPOTS.into_iter().map(|part| {
            let (x, y) = self.at(part);
            Area {
                x: x - width / 2.0,
                y: y - height / 2.0,
                width,
                height,
            }
        });
        let is_free = |area: &Area| !taken.iter().any(|other| other.intersects(*area));
        spots.find(is_free)
    }
}

/// Wires are routed around cards only in designs with at most this many cards.
pub const MAX_OBSTACLES: usize = 200;

/// A point on the canvas, in pixels.
type Position = (f64, f64);

/// Preferred distance between a wire and other cards.
const NEAR: f64 = 6.0;
/// Number of lanes in a channel between cards.
const LANES: u32 = 4;
/// Corner radii, in order of preference: the first one with which the bend crosses no card.
const RADII: [f64; 4] = [16.0, 8.0, 4.0, 0.0];
/// Number of points at which a curve is checked.
const STEPS: usize = 24;

/// Returns the route of a wire: its curve if that crosses no obstacle; otherwise the shortest orthogonal route
/// without crossings, if one is found; otherwise the curve. `obstacles` are the areas of all cards except those at
/// its ends.
pub fn route(course: WireCurve, obstacles: &[Area]) -> WireRoute {
    route_in_lane(course, obstacles, 1)
}

/// Like [`route`]. Wires in different lanes run side by side where they share a channel between cards. `lane` can be
/// any number, such as the index id; it is taken modulo 4.
pub fn route_in_lane(course: WireCurve, obstacles: &[Area], lane: u32) -> WireRoute {
    if !(obstacles.iter()).any(|area| crosses(course, *area)) {
        return direct(course);
    }
    let way = |near: f64| {
        let obstacles: Vec<Area> = obstacles.iter().map(|area| area.grown(near)).collect();
        around(course, &obstacles, near, f64::from(lane % LANES))
    };
    match way(NEAR).or_else(|| way(0.0)) {
        Some(points) => WireRoute {
            path: rounded_path(&points, obstacles),
            line: Line::Straight(points),
        },
        None => direct(course),
    }
}

/// Whether the curve crosses an area.
fn crosses(course: WireCurve, area: Area) -> bool {
    let points = course.points();
    let lowest = |of: fn(&Position) -> f64| points.iter().map(of).fold(f64::INFINITY, f64::min);
    let highest = |of: fn(&Position) -> f64| points.iter().map(of).fold(-f64::INFINITY, f64::max);
    let (x, y) = (lowest(|p| p.0), lowest(|p| p.1));
    let around = Area {
        x,
        y,
        width: highest(|p| p.0) - x,
        height: highest(|p| p.1) - y,
    };
    around.intersects(area)
        && (0..STEPS).any(|step| {
            let t = |step: usize| step as f64 / STEPS as f64;
            segment_crosses(course.at(t(step)), course.at(t(step + 1)), area)
        })
}

fn direct(course: WireCurve) -> WireRoute {
    WireRoute {
        path: course.path(),
        line: Line::Curve(course),
    }
}

/// Whether a line crosses an area.
fn segment_crosses(from: Position, to: Position, area: Area) -> bool {
    // The fraction of the line, from 0 to 1, that is inside the area on both axes.
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    let sides = [
        (from.0, to.0, area.x, area.x + area.width),
        (from.1, to.1, area.y, area.y + area.height),
    ];
    for (start, end, low, high) in sides {
        let length = end - start;
        if length == 0.0 {
            if start <= low || start >= high {
                return false;
            }
            continue;
        }
        let (a, b) = ((low - start) / length, (high - start) / length);
        enters = enters.max(a.min(b));
        leaves = leaves.min(a.max(b));
    }
    enters < leaves
}

/// Returns the shortest of the routes tried: through one channel between columns; or through a channel between
/// columns at each end, connected by a channel between rows. `obstacles` are already enlarged by `near`.
fn around(course: WireCurve, obstacles: &[Area], near: f64, lane: f64) -> Option<Vec<Position>> {
    let (from, to) = (course.from, course.to);
    // Straight length before the first turn, and distance from other cards.
    let stub = 16.0 + 8.0 * lane;
    let clear = 13.0 + 3.0 * lane;
    let beside = clear - near;
    let mut best: Option<Vec<Position>> = None;
    // A longer wire is harder to follow than one behind a card.
    let mut least = 2.0 * distance(from, to) + 1200.0;
    let mut consider = |points: &[Position]| {
        let pairs = || points.windows(2).map(|pair| (pair[0], pair[1]));
        // A route with fewer corners is worth a small detour.
        let corners = points.len() as f64 * 24.0;
        let length = pairs().map(|(a, b)| distance(a, b)).sum::<f64>() + corners;
        if length < least && pairs().all(|(a, b)| is_free(a, b, obstacles)) {
            (least, best) = (length, Some(points.to_vec()));
        }
    };
    let mut columns = vec![
        (from.0 + to.0) / 2.0,
        from.0 + stub * course.leaves,
        to.0 + stub * course.enters,
    ];
    let mut rows = vec![(from.1 + to.1) / 2.0];
    for area in obstacles {
        columns.extend([area.x - beside, area.x + area.width + beside]);
        rows.extend([area.y - beside, area.y + area.height + beside]);
    }
    for x in columns {
        // It must leave and enter the cards from outside.
        if (x - from.0) * course.leaves >= 13.0 && (x - to.0) * course.enters >= 13.0 {
            consider(&[from, (x, from.1), (x, to.1), to]);
        }
    }
    for stub in [stub, 13.0, 2.0 * stub] {
        let out = (from.0 + stub * course.leaves, from.1);
        let back = (to.0 + stub * course.enters, to.1);
        if is_free(from, out, obstacles) && is_free(back, to, obstacles) {
            for y in &rows {
                consider(&[from, out, (out.0, *y), (back.0, *y), back, to]);
            }
        }
    }
    best
}

/// Whether a horizontal or vertical line crosses no card.
fn is_free(a: Position, b: Position, obstacles: &[Area]) -> bool {
    let (left, right) = (a.0.min(b.0), a.0.max(b.0));
    let (top, bottom) = (a.1.min(b.1), a.1.max(b.1));
    !(obstacles.iter()).any(|area| {
        left < area.x + area.width
            && right > area.x
            && top < area.y + area.height
            && bottom > area.y
    })
}

fn distance(a: Position, b: Position) -> f64 {
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
fn rounded_path(points: &[Position], obstacles: &[Area]) -> String {
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
