//! The way of a wire around cards and headings.

use super::super::geometry::WireCurve;
use super::super::viewport::Area;
use super::Position;
use super::lanes::Lane;
use super::routes::reach;
use super::search::search;
use super::wire_route::{Line, WireRoute, distance, rounded_path};
use keyfold_core::model::by_rank;

/// Distance between a wire and the cards that it passes.
const CLEAR: f64 = 12.0;

/// Preferred distance between a wire and other cards.
const NEAR: f64 = 6.0;

/// Straight length before the first turn of a wire.
const STUB: f64 = 16.0;

/// Minimum length before the first turn.
pub(super) const MIN_STUB: f64 = 13.0;

/// What a corner costs, as a length: a route with fewer corners is worth a small detour.
pub(super) const CORNER: f64 = 24.0;

/// Returns the route of a wire: the shortest of the orthogonal routes that cross no obstacle, if one is found, otherwise
/// a curve. `own` are the areas of the cards at its ends, `obstacles` those of all others.
pub fn route(course: WireCurve, obstacles: &[Area], own: &[Area], lane: Lane) -> WireRoute {
    match way(course, obstacles, own, lane) {
        Some(points) => straight(points, obstacles),
        None => direct(course),
    }
}

/// Returns the corner points of a wire around the obstacles, at a distance from them if there is room.
pub(super) fn way(
    course: WireCurve,
    obstacles: &[Area],
    own: &[Area],
    lane: Lane,
) -> Option<Vec<Position>> {
    let grown =
        |near: f64| -> Vec<Area> { obstacles.iter().map(|area| area.grown(near)).collect() };
    let way = |near: f64| around(course, &grown(near), near, lane);
    way(NEAR).or_else(|| way(0.0)).or_else(|| {
        let mut all = grown(NEAR);
        all.extend(own.iter().map(|area| area.grown(NEAR)));
        let (columns, rows) = channels(course, &all, NEAR, lane);
        search(course, columns, rows, &all)
    })
}

/// Returns the columns and rows beside the obstacles, which are already enlarged by `near`, in reach of a wire.
fn channels(course: WireCurve, obstacles: &[Area], near: f64, lane: Lane) -> (Vec<f64>, Vec<f64>) {
    let (first, last) = (CLEAR - near + lane.first(), CLEAR - near + lane.last());
    let reach = reach(course);
    let (mut columns, mut rows) = (Vec::new(), Vec::new());
    for area in obstacles {
        columns.extend([area.x - first, area.x + area.width + first]);
        // Wires of the first index are the highest.
        rows.extend([area.y - last, area.y + area.height + first]);
    }
    columns.retain(|x| *x >= reach.x && *x <= reach.x + reach.width);
    rows.retain(|y| *y >= reach.y && *y <= reach.y + reach.height);
    distinct(&mut rows);
    (columns, rows)
}

pub(super) fn straight(points: Vec<Position>, obstacles: &[Area]) -> WireRoute {
    WireRoute {
        path: rounded_path(&points, obstacles),
        line: Line::Straight(points),
    }
}

pub(super) fn direct(course: WireCurve) -> WireRoute {
    WireRoute {
        path: course.path(),
        line: Line::Curve(course),
    }
}

/// Returns the shortest of the routes tried: straight; through one channel between columns; or through a channel
/// between columns at each end, connected by a channel between rows. `obstacles` are already enlarged by `near`.
fn around(course: WireCurve, obstacles: &[Area], near: f64, lane: Lane) -> Option<Vec<Position>> {
    let (from, to) = (course.from, course.to);
    let faces = course.leaves != course.enters && (to.0 - from.0) * course.leaves > 0.0;
    if faces && (from.1 - to.1).abs() < 1.0 && is_free(from, to, obstacles) {
        return Some(vec![from, to]);
    }
    let outward = |offset: f64| from.0 + (STUB + offset) * course.leaves;
    let back = to.0 + (STUB + lane.at_index(course.enters)) * course.enters;
    // The turn at the entity: lower entries of a card turn later on the way up, and earlier on the way down.
    let turn = |y: f64| {
        outward(if y > from.1 {
            lane.last()
        } else {
            lane.first()
        })
    };
    let mut routes: Vec<(f64, [Position; 6])> = Vec::new();
    let mut add = |points: [Position; 6], corners: f64| {
        let pairs = points.windows(2);
        let length: f64 = pairs.map(|pair| distance(pair[0], pair[1])).sum();
        routes.push((length + corners * CORNER, points));
    };
    let mut columns = vec![back, turn(to.1), (from.0 + to.0) / 2.0];
    let (beside, rows) = channels(course, obstacles, near, lane);
    columns.extend(beside);
    for (number, x) in columns.iter().enumerate() {
        // It must leave and enter the cards from outside.
        let is_outside = |end: f64, side: f64| (x - end) * side >= MIN_STUB;
        if is_outside(from.0, course.leaves)
            && is_outside(to.0, course.enters)
            && !columns[..number].contains(x)
        {
            add([from, from, (*x, from.1), (*x, to.1), to, to], 2.0);
        }
    }
    for y in rows {
        for out in [turn(y), from.0 + MIN_STUB * course.leaves] {
            add(
                [from, (out, from.1), (out, y), (back, y), (back, to.1), to],
                4.0,
            );
        }
    }
    let is_way = |points: &[Position; 6]| {
        (points.windows(2)).all(|pair| pair[0] == pair[1] || is_free(pair[0], pair[1], obstacles))
    };
    let routes = by_rank(routes, |(cost, _)| [(cost * 8.0) as u32, 0, 0, 0]);
    let mut points = routes
        .into_iter()
        .find(|(_, points)| is_way(points))?
        .1
        .to_vec();
    points.dedup();
    Some(points)
}

/// Sorts coordinates, to an eighth of a pixel.
pub(super) fn sorted(values: Vec<f64>) -> Vec<f64> {
    // Another instance of a sort would cost several KB.
    by_rank(values, |value| {
        [((value * 8.0) as i32 as u32) ^ (1 << 31), 0, 0, 0]
    })
}

/// Removes equal numbers; the order stays.
fn distinct(values: &mut Vec<f64>) {
    let mut seen: Vec<f64> = Vec::new();
    values.retain(|value| {
        let is_new = !seen.contains(value);
        if is_new {
            seen.push(*value);
        }
        is_new
    });
}

/// Whether two lines cross in a point inside both.
pub(super) fn segments_cross((a, b): (Position, Position), (c, d): (Position, Position)) -> bool {
    let side = |p: Position, q: Position, r: Position| {
        (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0)
    };
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

/// Whether a line crosses an area.
pub(super) fn segment_crosses(from: Position, to: Position, area: Area) -> bool {
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

/// Whether a horizontal or vertical line crosses no card.
pub(super) fn is_free(a: Position, b: Position, obstacles: &[Area]) -> bool {
    let (left, right) = (a.0.min(b.0), a.0.max(b.0));
    let (top, bottom) = (a.1.min(b.1), a.1.max(b.1));
    !(obstacles.iter()).any(|area| {
        left < area.x + area.width
            && right > area.x
            && top < area.y + area.height
            && bottom > area.y
    })
}
