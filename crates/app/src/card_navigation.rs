//! Keyboard navigation between cards: in a direction, or along wires.

use super::viewport::Area;
use keyfold_core::model::{CardId, Design};

/// The direction of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
}

/// Penalty for a card that is not straight ahead, in canvas pixels.
const ASIDE_PENALTY: f64 = 96.0;
/// Factor for the sideways distance of such a card.
const ASIDE_FACTOR: f64 = 3.0;

/// Returns the nearest card in a direction, preferably straight ahead. Its center and its far edge must both be
/// further in that direction. `None` if there is no such card, or if `from` is not in `cards`.
pub fn toward(cards: &[(CardId, Area)], from: CardId, direction: Direction) -> Option<CardId> {
    let (_, start) = cards.iter().find(|(card, _)| *card == from)?;
    let start = turned(*start, direction);
    let mut best: Option<(f64, CardId)> = None;
    for (card, area) in cards.iter().filter(|(card, _)| *card != from) {
        let area = turned(*area, direction);
        let further = |part: f64| area.x + area.width * part > start.x + start.width * part;
        if !further(0.5) || !further(1.0) {
            continue;
        }
        let ahead = (area.x - start.x - start.width).max(0.0);
        // Sideways distance between the two cards; negative if they overlap.
        let aside = (area.y - start.y - start.height).max(start.y - area.y - area.height);
        let mut far = ahead;
        if aside > 0.0 {
            // Reach a card beside this one by moving sideways.
            if area.x < start.x + start.width {
                continue;
            }
            far += ASIDE_PENALTY + aside * ASIDE_FACTOR;
        }
        // Among cards straight ahead at the same distance, prefer the best aligned.
        let middles = (area.y + area.height / 2.0) - (start.y + start.height / 2.0);
        far += middles.abs() / 1000.0;
        if best.is_none_or(|(least, _)| far < least) {
            best = Some((far, *card));
        }
    }
    best.map(|(_, card)| card)
}

/// Rotates an area so that `direction` becomes right.
fn turned(area: Area, direction: Direction) -> Area {
    let Area {
        x,
        y,
        width,
        height,
    } = area;
    match direction {
        Direction::Right => area,
        Direction::Left => Area {
            x: -x - width,
            ..area
        },
        Direction::Down => Area {
            x: y,
            y: x,
            width: height,
            height: width,
        },
        Direction::Up => Area {
            x: -y - height,
            y: x,
            width: height,
            height: width,
        },
    }
}

/// Returns the cards at the other ends of a card's wires, in id order: the table and indexes of an entity, or the
/// entities of an index.
pub fn along_wires(design: &Design, card: CardId) -> Vec<CardId> {
    match card {
        CardId::Entity(id) => (design.entities.get(&id).into_iter())
            .flat_map(|entity| entity.keys.keys())
            .map(|index| CardId::Index(*index))
            .collect(),
        CardId::Index(index) => (design.entities.iter())
            .filter(|(_, entity)| entity.keys.contains_key(&index))
            .map(|(id, _)| CardId::Entity(*id))
            .collect(),
        CardId::Note(_) => Vec::new(),
    }
}
