//! Snapping while dragging: edges and centers align with other cards, and gaps between neighbors become equal. All
//! values are in canvas pixels.

use super::arrange::Axis;
use super::viewport::Area;

/// A guide line, shown while snapped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SnapGuide {
    /// Direction of the line.
    pub axis: Axis,
    /// The x of a vertical line, the y of a horizontal line.
    pub at: f64,
    /// Where it starts, along its axis.
    pub from: f64,
    /// Where it ends, along its axis.
    pub to: f64,
}

/// How far to move the dragged cards, and the guides to draw.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Snap {
    /// To the right.
    pub dx: f64,
    /// Downwards.
    pub dy: f64,
    /// Guides for aligned edges and centers, and for equal gaps.
    pub guides: Vec<SnapGuide>,
}

/// Distance at which a dragged card snaps, in CSS pixels on the screen; divide it by the zoom for canvas pixels.
pub const SNAP_DISTANCE: f64 = 6.0;
/// Maximum distance between equal positions.
const TOLERANCE: f64 = 0.01;

/// Returns how far to move `moving`, the area around the dragged cards, so that it aligns with some of `others`: the
/// smallest distance per axis, at most `tolerance`. If nothing aligns on an axis, the gaps to the neighbors on both
/// sides are made equal. A guide spans all aligned cards.
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

/// Start and length of an area along an axis.
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

/// Start, center and end along an axis.
fn marks(area: Area, axis: Axis) -> [f64; 3] {
    let (start, length) = span(area, axis);
    [start, start + length / 2.0, start + length]
}

/// Returns the smallest shift along an axis that aligns a mark of `moving` with a mark of another area.
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

/// Adds a guide for each mark of `placed` that other areas share.
fn lines(placed: Area, others: &[Area], axis: Axis, guides: &mut Vec<SnapGuide>) {
    let along = across(axis);
    for at in marks(placed, axis) {
        let (mut from, length) = span(placed, along);
        let mut to = from + length;
        let mut found = false;
        for other in others {
            if marks(*other, axis)
                .iter()
                .any(|mark| (mark - at).abs() < TOLERANCE)
            {
                let (start, length) = span(*other, along);
                (from, to) = (from.min(start), to.max(start + length));
                found = true;
            }
        }
        if found {
            guides.push(SnapGuide {
                axis: along,
                at,
                from,
                to,
            });
        }
    }
}

/// Returns where `placed` should start so that its gaps are equal, with the guides: centered between its two
/// neighbors, or as far from the nearer one as that is from the next.
fn equal_gaps(
    placed: Area,
    others: &[Area],
    tolerance: f64,
    axis: Axis,
) -> Option<(f64, [SnapGuide; 2])> {
    let (start, length) = span(placed, axis);
    let before = neighbor(placed, others, axis, -1.0);
    let after = neighbor(placed, others, axis, 1.0);
    let end = |area: Area| {
        let (start, length) = span(area, axis);
        start + length
    };
    let begin = |area: Area| span(area, axis).0;
    // Candidates: the start, and both gaps as (start, end).
    let mut found: Vec<(f64, [(f64, f64); 2])> = Vec::new();
    if let (Some(before), Some(after)) = (before, after) {
        let at = (end(before) + begin(after) - length) / 2.0;
        found.push((at, [(end(before), at), (at + length, begin(after))]));
    }
    if let Some(before) = before
        && let Some(further) = neighbor(before, others, axis, -1.0)
    {
        let at = end(before) + begin(before) - end(further);
        found.push((at, [(end(further), begin(before)), (end(before), at)]));
    }
    if let Some(after) = after
        && let Some(further) = neighbor(after, others, axis, 1.0)
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
        let fits = gaps.iter().all(|(from, to)| to - from > TOLERANCE);
        if fits && (at - start).abs() <= most {
            best = Some((at, gaps));
        }
    }
    let (at, gaps) = best?;
    let (across_start, across_length) = span(placed, across(axis));
    let guide = |(from, to)| SnapGuide {
        axis,
        at: across_start + across_length / 2.0,
        from,
        to,
    };
    Some((at, gaps.map(guide)))
}

/// Returns the nearest area before (-1) or after (1) `area` along the axis, overlapping it on the other axis.
fn neighbor(area: Area, others: &[Area], axis: Axis, way: f64) -> Option<Area> {
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
