//! Aligns and distributes cards.

use super::super::viewport::{Area, rounded};
use keyfold_core::model::{CardId, Point, by_rank};

/// Which edges or centers to align.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Left edges.
    Left,
    /// Horizontal centers.
    Center,
    /// Right edges.
    Right,
    /// Top edges.
    Top,
    /// Vertical centers.
    Middle,
    /// Bottom edges.
    Bottom,
}

/// A direction on the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Left to right.
    Horizontal,
    /// Top to bottom.
    Vertical,
}

/// Aligns edges or centers of the cards with the area around all of them.
pub fn align(cards: &[(CardId, Area)], to: Align) -> Vec<(CardId, Point)> {
    let Some(all) = (cards.iter().map(|(_, area)| *area)).reduce(Area::union) else {
        return Vec::new();
    };
    let places = cards.iter().map(|(card, area)| {
        let (right, down) = (all.width - area.width, all.height - area.height);
        let (x, y) = match to {
            Align::Left => (all.x, area.y),
            Align::Center => (all.x + right / 2.0, area.y),
            Align::Right => (all.x + right, area.y),
            Align::Top => (area.x, all.y),
            Align::Middle => (area.x, all.y + down / 2.0),
            Align::Bottom => (area.x, all.y + down),
        };
        (*card, *area, rounded(x, y))
    });
    moved(places)
}

/// Makes the gaps between cards equal, ordered by their centers. The first and the last card stay. Needs at least
/// three cards; otherwise nothing moves.
pub fn distribute(cards: &[(CardId, Area)], along: Axis) -> Vec<(CardId, Point)> {
    let span = |area: &Area| match along {
        Axis::Horizontal => (area.x, area.width),
        Axis::Vertical => (area.y, area.height),
    };
    let order = by_rank(cards.to_vec(), |(_, area)| {
        let (start, length) = span(area);
        let middle = (start + length / 2.0).round() as i32;
        [ordered(middle), 0, 0, 0]
    });
    let (Some(first), Some(last)) = (order.first(), order.last()) else {
        return Vec::new();
    };
    let (mut next, end) = (span(&first.1).0, span(&last.1));
    let lengths: f64 = cards.iter().map(|(_, area)| span(area).1).sum();
    let gap = (end.0 + end.1 - next - lengths) / (cards.len().max(2) - 1) as f64;
    let places = order.iter().map(|(card, area)| {
        let place = match along {
            Axis::Horizontal => rounded(next, area.y),
            Axis::Vertical => rounded(area.x, next),
        };
        next += span(area).1 + gap;
        (*card, *area, place)
    });
    moved(places)
}

fn moved(places: impl Iterator<Item = (CardId, Area, Point)>) -> Vec<(CardId, Point)> {
    places
        .filter(|(_, area, place)| rounded(area.x, area.y) != *place)
        .map(|(card, _, place)| (card, place))
        .collect()
}

/// Maps signed to unsigned numbers in the same order.
pub(super) fn ordered(value: i32) -> u32 {
    (value as u32) ^ (1 << 31)
}
