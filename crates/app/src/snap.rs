//! Snapping while cards are dragged: their edges and middles come to those of other cards, and their gaps to
//! their neighbours become equal. All in canvas pixels.

use super::arrange::Axis;
use super::session::Area;

/// A line to draw while a card is snapped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Guide {
    /// The way the line runs.
    pub axis: Axis,
    /// Where it runs: its x for a vertical line, its y for a horizontal one.
    pub at: f64,
    /// Where it begins, along its axis.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
}

/// By how much to move what is dragged, and what to draw then.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Snap {
    /// To the right.
    pub dx: f64,
    /// Downwards.
    pub dy: f64,
    /// The edges and middles that now are on one line, and the gaps that now are equal.
    pub guides: Vec<Guide>,
}

/// How far apart two places count as one.
const SAME: f64 = 0.01;

/// How far to move `moving`, the area around all that is dragged, so that it is in line with some of `others`:
/// on each axis by the least distance, at most `tolerance`. Where nothing is in line, the gaps to the neighbours
/// on both sides are made equal. A guide spans all cards that are in line.
pub fn snap(moving: Area, others: &[Area], tolerance: f64) -> Snap {
    let dx = nearest(moving, others, tolerance, Axis::Horizontal);
    let dy = nearest(moving, others, tolerance, Axis::Vertical);
    let mut placed = moving;
    placed.x += dx.unwrap_or(0.0);
    placed.y += dy.unwrap_or(0.0);
    let mut snap = Snap::default();
    for (axis, found) in [(Axis::Horizontal, dx), (Axis::Vertical, dy)] {
        let mut by = found;
        if found.is_none()
            && let Some((start, gaps)) = equal_gaps(placed, others, tolerance, axis)
        {
            by = Some(start - span(placed, axis).0);
            snap.guides.extend(gaps);
        }
        match axis {
            Axis::Horizontal => {
                snap.dx = by.unwrap_or(0.0);
                placed.x = moving.x + snap.dx;
            }
            Axis::Vertical => {
                snap.dy = by.unwrap_or(0.0);
                placed.y = moving.y + snap.dy;
            }
        }
    }
    for (axis, found) in [(Axis::Horizontal, dx), (Axis::Vertical, dy)] {
        if found.is_some() {
            lines(placed, others, axis, &mut snap.guides);
        }
    }
    snap
}

/// Where an area begins along an axis, and how long it is.
fn span(area: Area, axis: Axis) -> (f64, f64) {
    match axis {
        Axis::Horizontal => (area.x, area.width),
        Axis::Vertical => (area.y, area.height),
    }
}

fn across(axis: Axis) -> Axis {
    match axis {
        Axis::Horizontal => Axis::Vertical,
        Axis::Vertical => Axis::Horizontal,
    }
}

/// Begin, middle and end along an axis.
fn marks(area: Area, axis: Axis) -> [f64; 3] {
    let (start, length) = span(area, axis);
    [start, start + length / 2.0, start + length]
}

/// The least shift along an axis that brings a mark of `moving` to a mark of another.
fn nearest(moving: Area, others: &[Area], tolerance: f64, axis: Axis) -> Option<f64> {
    let own = marks(moving, axis);
    let mut best: Option<f64> = None;
    for other in others {
        for mark in marks(*other, axis) {
            for own in own {
                let shift = mark - own;
                if shift.abs() <= best.map_or(tolerance, f64::abs)
                    && best.is_none_or(|best| shift.abs() < best.abs())
                {
                    best = Some(shift);
                }
            }
        }
    }
    best
}

/// For each mark of `placed` that others have too, a line over all of them.
fn lines(placed: Area, others: &[Area], axis: Axis, guides: &mut Vec<Guide>) {
    let along = across(axis);
    for at in marks(placed, axis) {
        let (mut from, length) = span(placed, along);
        let mut to = from + length;
        let mut found = false;
        for other in others {
            if marks(*other, axis)
                .iter()
                .any(|mark| (mark - at).abs() < SAME)
            {
                let (start, length) = span(*other, along);
                (from, to) = (from.min(start), to.max(start + length));
                found = true;
            }
        }
        if found {
            guides.push(Guide {
                axis: along,
                at,
                from,
                to,
            });
        }
    }
}

/// Where `placed` would begin so that its gaps are equal, with the gaps: halfway between its two neighbours, or
/// as far from the nearer one as that is from the next.
fn equal_gaps(
    placed: Area,
    others: &[Area],
    tolerance: f64,
    axis: Axis,
) -> Option<(f64, [Guide; 2])> {
    let (start, length) = span(placed, axis);
    let before = neighbour(placed, others, axis, -1.0);
    let after = neighbour(placed, others, axis, 1.0);
    let end = |area: Area| {
        let (start, length) = span(area, axis);
        start + length
    };
    let begin = |area: Area| span(area, axis).0;
    // Each with where it would begin, and the two gaps as where they begin and end.
    let mut found: Vec<(f64, [(f64, f64); 2])> = Vec::new();
    if let (Some(before), Some(after)) = (before, after) {
        let at = (end(before) + begin(after) - length) / 2.0;
        found.push((at, [(end(before), at), (at + length, begin(after))]));
    }
    if let Some(before) = before
        && let Some(further) = neighbour(before, others, axis, -1.0)
    {
        let at = end(before) + begin(before) - end(further);
        found.push((at, [(end(further), begin(before)), (end(before), at)]));
    }
    if let Some(after) = after
        && let Some(further) = neighbour(after, others, axis, 1.0)
    {
        let at = begin(after) - (begin(further) - end(after)) - length;
        found.push((
            at,
            [(at + length, begin(after)), (end(after), begin(further))],
        ));
    }
    let mut best: Option<(f64, [(f64, f64); 2])> = None;
    for (at, gaps) in found {
        let most = best.map_or(tolerance, |best| (best.0 - start).abs());
        let fits = gaps.iter().all(|(from, to)| to - from > SAME);
        if fits && (at - start).abs() <= most {
            best = Some((at, gaps));
        }
    }
    let (at, gaps) = best?;
    let (across_start, across_length) = span(placed, across(axis));
    let guide = |(from, to)| Guide {
        axis,
        at: across_start + across_length / 2.0,
        from,
        to,
    };
    Some((at, gaps.map(guide)))
}

/// The nearest of `others` that lies wholly before (-1) or after (1) an area along the axis, and beside it.
fn neighbour(area: Area, others: &[Area], axis: Axis, way: f64) -> Option<Area> {
    let (start, length) = span(area, axis);
    let (side, side_length) = span(area, across(axis));
    let mut best: Option<(f64, Area)> = None;
    for other in others {
        let (other_start, other_length) = span(*other, axis);
        let (other_side, other_side_length) = span(*other, across(axis));
        let gap = if way > 0.0 {
            other_start - start - length
        } else {
            start - other_start - other_length
        };
        let is_beside = other_side < side + side_length && side < other_side + other_side_length;
        if gap > 0.0 && is_beside && best.is_none_or(|(least, _)| gap < least) {
            best = Some((gap, *other));
        }
    }
    best.map(|(_, area)| area)
}
