//! Places for cards that have none: a design from a file without a layout, a card added by keyboard.

use super::arrange::auto_layout;
use super::geometry::{
    ATTRIBUTE_ROW, ENTITY_WIDTH, GROUP, HEAD, INDEX_WIDTH, KEY_ROW, entity_height, index_height,
};
use super::session::{Area, Detail};
use keyfold_core::model::{CardId, Design, Point};
use std::sync::Arc;

const GAP: i32 = 48;
/// Height at which a new column of cards is begun.
const COLUMN: i32 = 1400;

/// Gives every card without a place one: in a design without any, by [`auto_layout`]; else entities in columns from the left, indexes in columns to their right.
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
        let height = height(design, card, Detail::All) as i32;
        Arc::make_mut(&mut design.layout).insert(card, at);
        at.y += height + GAP;
    }
}

fn height(design: &Design, card: CardId, detail: Detail) -> f64 {
    match card {
        CardId::Entity(id) => (design.entities.get(&id)).map_or(0.0, |e| entity_height(e, detail)),
        CardId::Index(id) => (design.key(id)).map_or(0.0, |key| index_height(key, detail)),
        CardId::Note(_) => 120.0,
    }
}

/// The area that a card covers, at the place that the design stores.
pub fn stored_area(design: &Design, card: CardId, detail: Detail) -> Option<Area> {
    let point = design.layout.get(&card)?;
    let place = (f64::from(point.x), f64::from(point.y));
    Some(area_at(design, card, place, detail))
}

/// The area that a card would cover at this place.
pub fn area_at(design: &Design, card: CardId, place: (f64, f64), detail: Detail) -> Area {
    let width = match card {
        CardId::Entity(_) => ENTITY_WIDTH,
        _ => INDEX_WIDTH,
    };
    Area {
        x: place.0,
        y: place.1,
        width,
        height: height(design, card, detail),
    }
}

/// The area around all cards; `None` for none.
pub fn all_areas(design: &Design, detail: Detail) -> Option<Area> {
    (design.cards())
        .filter_map(|card| stored_area(design, card, detail))
        .reduce(Area::union)
}

/// Height of an entity's card once it is filled in as most are: a pair of keys in the table and in two indexes, six
/// attributes. A new entity is empty; it has so much room from the start, and the others keep theirs.
pub const FILLED_ENTITY: f64 = HEAD + 3.0 * (2.0 * KEY_ROW + GROUP) + 6.0 * ATTRIBUTE_ROW + GROUP;
/// Space between a new card and the others.
const APART: f64 = 16.0;

/// The free place nearest to `wanted`, going down then right, for a card of this size; below all cards if there is none
/// near. An entity that may still grow to [`FILLED_ENTITY`] has the place for it.
pub fn free_place(design: &Design, wanted: (f64, f64), width: f64, height: f64) -> (f64, f64) {
    let kept = |card: CardId| {
        let area = stored_area(design, card, Detail::All)?;
        let least = match card {
            CardId::Entity(_) => FILLED_ENTITY,
            _ => 0.0,
        };
        let height = area.height.max(least);
        Some(Area { height, ..area }.grown(APART))
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
