//! The search for a way with any number of corners, for a wire that has no simple way around the cards.

use super::Position;
use super::around::{CORNER, MIN_STUB, is_free, sorted};
use super::wire_route::distance;
use crate::geometry::WireCurve;
use crate::viewport::Area;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// With more crossings of channels than this there is no search.
const MAX_CROSSINGS: usize = 6000;

/// Returns the shortest way with the fewest corners along these columns and rows. `obstacles` include the cards at the ends.
pub(super) fn search(
    course: WireCurve,
    mut columns: Vec<f64>,
    mut rows: Vec<f64>,
    obstacles: &[Area],
) -> Option<Vec<Position>> {
    let start = (course.from.0 + MIN_STUB * course.leaves, course.from.1);
    let goal = (course.to.0 + MIN_STUB * course.enters, course.to.1);
    columns.extend([start.0, goal.0]);
    rows.extend([start.1, goal.1]);
    for lines in [&mut columns, &mut rows] {
        *lines = sorted(std::mem::take(lines));
        lines.dedup();
    }
    let count = columns.len() * rows.len();
    if count > MAX_CROSSINGS {
        return None;
    }
    let at = |(x, y): Position| {
        let column = columns.iter().position(|own| *own == x)?;
        Some(rows.iter().position(|own| *own == y)? * columns.len() + column)
    };
    let place = |node: usize| (columns[node % columns.len()], rows[node / columns.len()]);
    // A state is a crossing with the direction of arrival: even is horizontal, odd is vertical.
    let mut costs = vec![f64::INFINITY; 2 * count];
    let mut origins = vec![usize::MAX; 2 * count];
    let (first, last) = (2 * at(start)?, at(goal)?);
    costs[first] = 0.0;
    // Costs are positive, so their bits are in the same order.
    let mut open = BinaryHeap::from([Reverse((0, first))]);
    let mut end = None;
    while let Some(Reverse((bits, state))) = open.pop() {
        let (node, cost) = (state / 2, costs[state]);
        if node == last {
            end = Some(state);
            break;
        }
        if bits > cost.to_bits() {
            continue;
        }
        let column = node % columns.len();
        let neighbors = [
            (column > 0).then(|| (0, node - 1)),
            (column + 1 < columns.len()).then(|| (0, node + 1)),
            node.checked_sub(columns.len()).map(|above| (1, above)),
            (node + columns.len() < count).then(|| (1, node + columns.len())),
        ];
        for (direction, next) in neighbors.into_iter().flatten() {
            let (from, to) = (place(node), place(next));
            let corner = if direction == state % 2 { 0.0 } else { CORNER };
            let (cost, next) = (cost + distance(from, to) + corner, 2 * next + direction);
            if cost < costs[next] && is_free(from, to, obstacles) {
                (costs[next], origins[next]) = (cost, state);
                open.push(Reverse((cost.to_bits(), next)));
            }
        }
    }
    let mut points = vec![course.to];
    let mut state = end?;
    while state != usize::MAX {
        points.push(place(state / 2));
        state = origins[state];
    }
    points.push(course.from);
    points.reverse();
    let is_between = |points: &[Position]| {
        (points[0].0 == points[1].0 && points[1].0 == points[2].0)
            || (points[0].1 == points[1].1 && points[1].1 == points[2].1)
    };
    let corners = points
        .windows(3)
        .filter(|three| !is_between(three))
        .map(|three| three[1]);
    let corners: Vec<Position> = corners.collect();
    Some(
        [course.from]
            .into_iter()
            .chain(corners)
            .chain([course.to])
            .collect(),
    )
}
