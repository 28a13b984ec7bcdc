//! From one card to another by keyboard: in a direction, or along wires.

use super::session::Area;
use keyfold_core::model::{CardId, Design};

/// Where to look for the next card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Upwards.
    Up,
    /// Downwards.
    Down,
}

/// How many pixels ahead a card counts as further away if it is not straight ahead.
const NOT_AHEAD: f64 = 96.0;
/// How much a pixel aside counts against a pixel ahead, for such cards.
const ASIDE: f64 = 3.0;

/// The card to go to from `from` in a direction: one whose middle and end lie further that way, the nearest edge to
/// edge, and rather one that is straight ahead. `None` if there is none, or `from` is not among `cards`.
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
        // How far beside the card's own strip it begins; below zero: how much of it is within.
        let aside = (area.y - start.y - start.height).max(start.y - area.y - area.height);
        let mut far = ahead;
        if aside > 0.0 {
            // A card that is beside this one is reached by going sideways.
            if area.x < start.x + start.width {
                continue;
            }
            far += NOT_AHEAD + aside * ASIDE;
        }
        // Of those straight ahead and equally far, the one that is most in line.
        let middles = (area.y + area.height / 2.0) - (start.y + start.height / 2.0);
        far += middles.abs() / 1000.0;
        if best.is_none_or(|(least, _)| far < least) {
            best = Some((far, *card));
        }
    }
    best.map(|(_, card)| card)
}

/// The area as it would be if the direction were to the right.
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

/// The cards at the other ends of a card's wires: of an entity the table and the indexes that it is in, of an index
/// its entities, both in the order of their ids.
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
