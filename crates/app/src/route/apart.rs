//! Moves parallel parts of wires apart, so that wires to different cards never cover each other.

use super::Position;
use super::around::{MIN_STUB, is_free};
use crate::viewport::Area;
use keyfold_core::model::{CardId, SortedMap};

/// Distances between parallel parts of wires to different cards, in canvas pixels: if there is room, and at least.
const APART: [f64; 2] = [8.0, 4.0];
/// How far a part moves at most, in canvas pixels.
const REACH: f64 = 32.0;
/// Minimum distance between a part that moves and the cards.
const CLOSE: f64 = 6.0;

/// A horizontal or vertical part of a wire.
struct Part {
    /// Its y if it is horizontal, otherwise its x.
    at: f64,
    low: f64,
    high: f64,
    /// The card that the wire leads to: those to the same card may cover each other.
    to: CardId,
}

/// The parts of all wires: vertical and horizontal ones, by their rounded places.
#[derive(Default)]
pub(super) struct Parts([SortedMap<i32, Vec<Part>>; 2]);

/// Returns 0 for a vertical line and 1 for a horizontal one.
fn axis(a: Position, b: Position) -> usize {
    usize::from(a.0 != b.0)
}

fn part(a: Position, b: Position, to: CardId) -> Part {
    let (at, start, end) = match axis(a, b) {
        0 => (a.0, a.1, b.1),
        _ => (a.1, a.0, b.0),
    };
    Part {
        at,
        low: start.min(end),
        high: start.max(end),
        to,
    }
}

impl Parts {
    /// Adds a part.
    fn add(&mut self, a: Position, b: Position, to: CardId) {
        let own = part(a, b, to);
        let places = &mut self.0[axis(a, b)];
        places.entry(own.at.floor() as i32).or_default().push(own);
    }

    /// Adds the first and the last part of a wire, which never move.
    pub(super) fn add_ends(&mut self, points: &[Position], to: CardId) {
        if let [first, second, .., before, last] = points {
            self.add(*first, *second, to);
            self.add(*before, *last, to);
        } else if let [first, .., last] = points {
            self.add(*first, *last, to);
        }
    }

    /// Adds all parts of a wire that does not move.
    pub(super) fn add_all(&mut self, points: &[Position], to: CardId) {
        for pair in points.windows(2) {
            self.add(pair[0], pair[1], to);
        }
    }

    /// Whether a part would be nearer than this to one of a wire to another card.
    fn is_near(&self, a: Position, b: Position, to: CardId, apart: f64) -> bool {
        let own = part(a, b, to);
        let near = (own.at - apart).floor() as i32..=(own.at + apart).floor() as i32;
        let mut parts = self.0[axis(a, b)].range(near).flat_map(|(_, parts)| parts);
        parts.any(|other| {
            other.to != to
                && (other.at - own.at).abs() < apart
                && other.low < own.high
                && own.low < other.high
        })
    }

    /// Moves the parts between the first and the last so that they cover none of a wire to another card, as far as
    /// the obstacles leave room, and adds them.
    pub(super) fn move_apart(&mut self, points: &mut [Position], to: CardId, obstacles: &[Area]) {
        let obstacles: Vec<Area> = obstacles.iter().map(|area| area.grown(CLOSE)).collect();
        let last = points.len().saturating_sub(1);
        for at in 1..last.saturating_sub(1) {
            let mut offsets = APART.into_iter().flat_map(|apart| {
                let steps = 0..=(REACH / apart) as i32;
                (steps.flat_map(|step| [step, -step]))
                    .map(move |step| (apart, f64::from(step) * apart))
            });
            let moved = offsets.find_map(|(apart, by)| {
                let mut four = [at - 1, at, at + 1, at + 2].map(|at| points[at]);
                for point in &mut four[1..3] {
                    match axis(points[at], points[at + 1]) {
                        0 => point.0 += by,
                        _ => point.1 += by,
                    }
                }
                let has_stub = |end: usize, a: Position, b: Position, before: Position| {
                    at != end
                        || (b.0 - a.0) * (before.0 - a.0) > 0.0 && (b.0 - a.0).abs() >= MIN_STUB
                };
                let fits = has_stub(1, four[0], four[1], points[at])
                    && has_stub(last - 2, four[3], four[2], points[at + 1])
                    && !self.is_near(four[1], four[2], to, apart)
                    && (by == 0.0
                        || four
                            .windows(2)
                            .all(|pair| is_free(pair[0], pair[1], &obstacles)));
                fits.then_some([four[1], four[2]])
            });
            if let Some([a, b]) = moved {
                (points[at], points[at + 1]) = (a, b);
            }
            self.add(points[at], points[at + 1], to);
        }
    }
}
