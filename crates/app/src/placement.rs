//! Positions for cards that have none (cards of a file without a layout, or added by keyboard), and room for cards that grow.

use super::collections::{MARGIN, TITLE};
use super::geometry::{ATTRIBUTE_ROW, ENTITY_WIDTH, GROUP, HEAD, KEY_ROW, area_at, card_height};
use super::viewport::{Area, Detail};
use keyfold_core::model::{CardId, Design, IndexId, Point, by_rank};
use std::sync::Arc;

const GAP: i32 = 48;
/// Height at which a new column starts, in canvas pixels.
const COLUMN: i32 = 1400;

/// Gives each card without a position one, in columns on the right of the others: entities first, then indexes.
/// [`arrange::place_all`](super::arrange::place_all) makes a layout if no card has a position.
pub fn place_missing(design: &mut Design) {
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

/// Gives each card without a position a free one near the last card of its kind; in columns where there is none.
pub fn place_beside(design: &mut Design) {
    let missing: Vec<CardId> = (design.cards())
        .filter(|card| !design.layout.contains_key(card))
        .collect();
    for card in missing {
        let same_kind =
            |other: &CardId| std::mem::discriminant(other) == std::mem::discriminant(&card);
        let placed = design.layout.iter().rev();
        let near = placed
            .map(|(other, at)| (*other, *at))
            .find(|(other, _)| same_kind(other));
        let Some((_, near)) = near else {
            continue;
        };
        let wanted = (f64::from(near.x), f64::from(near.y));
        let height = card_height(design, card, Detail::All).max(FILLED_ENTITY_HEIGHT);
        let place = free_place(design, wanted, (ENTITY_WIDTH, height), None);
        Arc::make_mut(&mut design.layout)
            .insert(card, Point::from((place.0 as i32, place.1 as i32)));
    }
    place_missing(design);
}

/// Returns the area of a card at its stored position; `None` if it has none.
pub fn stored_area(design: &Design, card: CardId, detail: Detail) -> Option<Area> {
    let point = design.layout.get(&card)?;
    let place = (f64::from(point.x), f64::from(point.y));
    Some(area_at(design, card, place, detail))
}

/// The cards that have a position, with their areas.
pub fn card_areas(design: &Design, detail: Detail) -> Vec<(CardId, Area)> {
    (design.cards())
        .filter_map(|card| Some((card, stored_area(design, card, detail)?)))
        .collect()
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
/// Gaps beside and below a new card, in canvas pixels: room for the edges of the boxes around item collections, and for the
/// heading of one.
const CARD_GAPS: (f64, f64) = (2.0 * MARGIN + 8.0, 2.0 * MARGIN + TITLE);

/// Steps in which [`free_place`] searches, in canvas pixels, and how many of them in each direction.
const STEP: (f64, f64) = (48.0, 24.0);
/// See [`STEP`].
const STEPS: i32 = 40;

/// Returns the free position nearest to `wanted` for cards of this size: in `seen` if one is free there, else where all cards
/// together keep its proportions, else anywhere; below all cards if none is near. Each entity keeps at least
/// [`FILLED_ENTITY_HEIGHT`] free.
pub fn free_place(
    design: &Design,
    wanted: (f64, f64),
    (width, height): (f64, f64),
    seen: Option<Area>,
) -> (f64, f64) {
    let kept = |card: CardId| {
        let area = stored_area(design, card, Detail::All)?;
        let least = match card {
            CardId::Entity(_) => FILLED_ENTITY_HEIGHT,
            _ => 0.0,
        };
        Some(Area {
            x: area.x - CARD_GAPS.0,
            y: area.y - CARD_GAPS.1,
            width: area.width + 2.0 * CARD_GAPS.0,
            height: area.height.max(least) + 2.0 * CARD_GAPS.1,
        })
    };
    let taken: Vec<Area> = design.cards().filter_map(kept).collect();
    let nearest = |seen: Option<Area>| {
        let mut best = None;
        for number in 0..(2 * STEPS + 1) * (2 * STEPS + 1) {
            let (right, down) = (number % (2 * STEPS + 1), number / (2 * STEPS + 1));
            let (dx, dy) = (
                f64::from(right - STEPS) * STEP.0,
                f64::from(down - STEPS) * STEP.1,
            );
            let area = Area {
                x: wanted.0 + dx,
                y: wanted.1 + dy,
                width,
                height,
            };
            // Right and down rather than left and up.
            let aside = |by: f64| if by < 0.0 { by * 1.25 } else { by };
            let distance = aside(dx).hypot(aside(dy));
            let is_nearer = best.is_none_or(|(least, _)| distance < least);
            if is_nearer
                && seen.is_none_or(|seen| seen.contains(area))
                && !taken.iter().any(|other| other.intersects(area))
            {
                best = Some((distance, (area.x, area.y)));
            }
        }
        best.map(|(_, place)| place)
    };
    // Cards that are added one after the other are no long row.
    let in_proportion = |seen: Area| {
        let all = taken.iter().copied().fold(seen, Area::union);
        let aspect = seen.width / seen.height;
        nearest(Some(Area {
            width: all.width.max(all.height * aspect),
            height: all.height.max(all.width / aspect),
            ..all
        }))
    };
    let in_sight = seen.and_then(|seen| nearest(Some(seen)).or_else(|| in_proportion(seen)));
    in_sight.or_else(|| nearest(None)).unwrap_or_else(|| {
        let below = taken.iter().map(|area| area.y + area.height);
        (wanted.0, below.fold(wanted.1, f64::max) + 1.0)
    })
}

/// Returns the area around the cards of a clip, which has the table only for its key.
pub fn clip_area(clip: &Design) -> Option<Area> {
    let cards = clip
        .cards()
        .filter(|card| *card != CardId::Index(IndexId::PRIMARY));
    cards
        .filter_map(|card| stored_area(clip, card, Detail::All))
        .reduce(Area::union)
}

/// The most of a gap that stays free between a card that grew and one below it, in canvas pixels: room for the edges and the
/// heading of an item collection.
const KEPT_GAP: f64 = 64.0;
/// Entities of equal top with at most this gap between them are a row, which moves together.
const ROW_GAP: f64 = 128.0;
/// Cards move down by a multiple of this.
const GRID: f64 = 8.0;

/// A card that may move down.
struct Movable {
    card: CardId,
    /// Its area before it grew.
    area: Area,
    grown: f64,
    down: f64,
}

/// Moves cards down that a card would cover because it grew since `before`, with the rest of their row and with what is below
/// them.
pub(super) fn make_room(before: &Design, design: &mut Design) {
    let has_changed = |card: CardId| match card {
        CardId::Entity(id) => is_changed(before.entities.get(&id), design.entities.get(&id)),
        CardId::Index(IndexId::PRIMARY) => is_changed(Some(&before.table), Some(&design.table)),
        CardId::Index(id) => is_changed(before.indexes.get(&id), design.indexes.get(&id)),
        CardId::Note(id) => is_changed(before.notes.get(&id), design.notes.get(&id)),
    };
    let height = |design: &Design, card| card_height(design, card, Detail::All);
    let growth = |card: CardId| match has_changed(card) {
        true => (height(design, card) - height(before, card)).max(0.0),
        false => 0.0,
    };
    if !design.cards().any(|card| growth(card) > 0.0) {
        return;
    }
    let movable = |card: CardId| {
        let (area, grown) = (stored_area(design, card, Detail::All)?, growth(card));
        Some(Movable {
            card,
            area: Area {
                height: area.height - grown,
                ..area
            },
            grown,
            down: 0.0,
        })
    };
    let cards: Vec<Movable> = design.cards().filter_map(movable).collect();
    let mut cards = by_rank(cards, |movable| {
        [ordered(movable.area.y), ordered(movable.area.x), 0, 0]
    });
    let mut at = 0;
    while at < cards.len() {
        // How far the cards of this row go down is known: only higher ones push them.
        let is_row = |a: &Movable, b: &Movable| {
            matches!((a.card, b.card), (CardId::Entity(_), CardId::Entity(_)))
                && a.area.y == b.area.y
                && b.area.x - (a.area.x + a.area.width) <= ROW_GAP
        };
        let mut end = at + 1;
        while end < cards.len() && is_row(&cards[end - 1], &cards[end]) {
            end += 1;
        }
        let (row, below) = cards[at..].split_at_mut(end - at);
        let down = row.iter().map(|movable| movable.down).fold(0.0, f64::max);
        for own in row.iter_mut() {
            own.down = down;
            if own.down + own.grown == 0.0 {
                continue;
            }
            let bottom = own.area.y + own.area.height;
            for other in below.iter_mut() {
                let gap = other.area.y - bottom;
                let is_below = gap >= 0.0
                    && other.area.x < own.area.x + own.area.width
                    && own.area.x < other.area.x + other.area.width;
                if is_below {
                    let by = own.down + own.grown - gap + gap.min(KEPT_GAP);
                    other.down = other.down.max((by / GRID).ceil() * GRID);
                }
            }
        }
        at = end;
    }
    let layout = Arc::make_mut(&mut design.layout);
    for Movable { card, down, .. } in cards {
        if let Some(place) = layout.get(&card).copied().filter(|_| down > 0.0) {
            let y = place.y.saturating_add(down as i32);
            layout.insert(card, Point { y, ..place });
        }
    }
}

/// Whether a part of the design is in both and not the same.
fn is_changed<T>(old: Option<&Arc<T>>, new: Option<&Arc<T>>) -> bool {
    (old.zip(new)).is_some_and(|(old, new)| !Arc::ptr_eq(old, new))
}

/// Maps a coordinate to a number of the same order.
fn ordered(at: f64) -> u32 {
    (at as i32 as u32) ^ (1 << 31)
}
