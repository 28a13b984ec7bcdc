//! Positions for cards that have none: cards of a file without a layout, or added by keyboard.

use super::arrange::auto_layout;
use super::geometry::{ATTRIBUTE_ROW, ENTITY_WIDTH, GROUP, HEAD, KEY_ROW, area_at, card_height};
use super::viewport::{Area, Detail};
use keyfold_core::model::{CardId, Design, Point};
use std::sync::Arc;

const GAP: i32 = 48;
/// Height at which a new column starts, in canvas pixels.
const COLUMN: i32 = 1400;

/// Gives each card without a position one. If no card has a position, uses [`auto_layout`]; otherwise adds columns
/// on the right, entities first, then indexes.
pub fn place_all(design: &mut Design) {
    if design.layout.is_empty() {
        let layout = auto_layout(design, Detail::All).into_iter().collect();
        design.layout = Arc::new(layout);
        return;
    }
    let missing: Vec<CardId> = (design.cards())
        .filter(|card| !design.layout.contains_key(card))
        .collect();
    if missing.is_empty() {
        return;
    }
    let right = (design.layout.values().map(|point| point.x).max())
        .map_or(GAP, |x| x + ENTITY_WIDTH as i32 + 2 * GAP);
    let mut at = Point { x: right, y: GAP };
    let mut column_of_entities = true;
    let (entities, others): (Vec<CardId>, Vec<CardId>) = missing
        .into_iter()
        .partition(|card| matches!(card, CardId::Entity(_)));
    for card in entities.into_iter().chain(others) {
        let is_entity = matches!(card, CardId::Entity(_));
        let starts_indexes = column_of_entities && !is_entity && at.y > GAP;
        if at.y > COLUMN || starts_indexes {
            at = Point {
                x: at.x + ENTITY_WIDTH as i32 + 2 * GAP,
                y: GAP,
            };
        }
        column_of_entities = is_entity;
        let height = card_height(design, card, Detail::All) as i32;
        Arc::make_mut(&mut design.layout).insert(card, at);
        at.y += height + GAP;
    }
}

/// Returns the area of a card at its stored position; `None` if it has none.
pub fn stored_area(design: &Design, card: CardId, detail: Detail) -> Option<Area> {
    let point = design.layout.get(&card)?;
    let place = (f64::from(point.x), f64::from(point.y));
    Some(area_at(design, card, place, detail))
}

/// Returns the area around all cards; `None` if there are no cards.
pub fn all_areas(design: &Design, detail: Detail) -> Option<Area> {
    (design.cards())
        .filter_map(|card| stored_area(design, card, detail))
        .reduce(Area::union)
}

/// Height of a typical entity card: keys in the table and two indexes, six attributes. A new entity reserves this
/// height, so that it can grow without covering other cards.
pub const FILLED_ENTITY_HEIGHT: f64 =
    HEAD + 3.0 * (2.0 * KEY_ROW + GROUP) + 6.0 * ATTRIBUTE_ROW + GROUP;
/// Gap between a new card and the others, in canvas pixels.
const CARD_GAP: f64 = 16.0;

/// Returns the free position nearest to `wanted` for a card of this size, searching down and then right; below all
/// cards if none is near. Each entity keeps at least [`FILLED_ENTITY_HEIGHT`] free.
pub fn free_place(design: &Design, wanted: (f64, f64), width: f64, height: f64) -> (f64, f64) {
    let kept = |card: CardId| {
        let area = stored_area(design, card, Detail::All)?;
        let least = match card {
            CardId::Entity(_) => FILLED_ENTITY_HEIGHT,
            _ => 0.0,
        };
        let height = area.height.max(least);
        Some(Area { height, ..area }.grown(CARD_GAP))
    };
    let taken: Vec<Area> = design.cards().filter_map(kept).collect();
    let free = |(x, y): (f64, f64)| {
        let area = Area {
            x,
            y,
            width,
            height,
        };
        !taken.iter().any(|other| other.intersects(area))
    };
    let near = (0..16).flat_map(|right| (0..16).map(move |down| (right, down)));
    let mut places = near.map(|(right, down)| {
        (
            wanted.0 + f64::from(right) * 80.0,
            wanted.1 + f64::from(down) * 48.0,
        )
    });
    places.find(|place| free(*place)).unwrap_or_else(|| {
        let below = taken.iter().map(|area| area.y + area.height);
        (wanted.0, below.fold(wanted.1, f64::max) + 1.0)
    })
}
