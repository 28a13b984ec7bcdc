//! The layout that tells what a table is about: entities that share item collections stand together, on one or both
//! sides of the table and its indexes.

use super::align::ordered;
use super::blocks::{Block, CARD, GRID, PITCH, Side, Sizes, read, side_columns};
use super::index_columns::{self, IndexCards};
use crate::collections::entity_groups;
use crate::geometry::{INDEX_WIDTH, area_at};
use crate::note::NOTE_WIDTH;
use crate::placement::card_areas;
use crate::route::{Routes, obstacles};
use crate::viewport::{Area, Detail};
use keyfold_core::model::{CardId, Design, EntityId, IndexId, Point, SortedMap, by_rank};
use std::sync::Arc;

/// Left and top of the first card, in canvas pixels.
const ORIGIN: i32 = 48;
/// Space between entities and indexes, for the vertical parts of wires.
const CHANNEL: i32 = 112;
const INDEX: i32 = INDEX_WIDTH as i32;
/// Distance between two columns of indexes.
const INDEX_STEP: i32 = INDEX + 96;
/// Vertical gap between cards, without wires.
const GAP: i32 = 20;
/// Additional gap for each index whose wires can pass.
const LANE: i32 = 6;
/// Maximum number of indexes for which gaps grow.
const MAX_LANES: usize = 6;
/// Space around the cards when all are shown, in canvas pixels.
const MARGIN: f64 = 64.0;
/// What a column between a card and the indexes costs, as a fraction of the zoom.
const DISTANCE_COST: f64 = 0.1;
/// What a crossing for each wire costs, as a fraction of the zoom.
const CROSSING_COST: f64 = 0.75;
/// What [`USUAL_LENGTH`] for each wire costs, as a fraction of the zoom.
const LENGTH_COST: f64 = 0.3;
/// Length of a wire, in canvas pixels.
const USUAL_LENGTH: f64 = 500.0;
/// The current structure stays unless another one is better by this factor.
const STAY: f64 = 0.8;
/// With up to this many entities, all structures are compared.
const FEW: usize = 60;
/// With more entities than this, those with equal partition key templates form a group, without further analysis.
const MANY: usize = 400;
/// With up to this many entities, the wires of some structures are compared too.
const FEW_WIRED: usize = 24;
/// How many structures are compared by their wires.
const CANDIDATES: usize = 16;
/// Maximum number of columns on a side that are compared.
const MAX_COLUMNS: i32 = 8;
/// The part of a window of 1440 by 900 CSS pixels that the canvas has.
pub const USUAL_ROOM: (f64, f64) = (860.0, 500.0);

/// Returns a readable layout for a canvas of the usual size; see [`auto_layout_for`].
pub fn auto_layout(design: &Design, detail: Detail) -> Vec<(CardId, Point)> {
    auto_layout_for(design, detail, USUAL_ROOM)
}

/// Returns a readable layout: cards are as large as possible when all are shown in `room` (width and height in CSS
/// pixels). Entities that share item collections stand together, in rows. The table and its indexes are between the
/// entities or on their right, ordered so that wires cross as little as possible; notes are on the right. Cards that
/// are already in rows keep their order and their side, unless another layout is much better for the room.
pub fn auto_layout_for(design: &Design, detail: Detail, room: (f64, f64)) -> Vec<(CardId, Point)> {
    let layout = Layout::new(design, detail, room);
    let new = (layout.new_structures().into_iter())
        .filter_map(|sides| layout.candidate(sides, false))
        .reduce(|best, other| {
            if other.score > best.score {
                other
            } else {
                best
            }
        });
    let kept = (layout.read_current()).and_then(|sides| layout.candidate(sides, true));
    let chosen = match (new, kept) {
        (Some(new), Some(kept)) if kept.score < STAY * new.score => new,
        (_, Some(kept)) => kept,
        (Some(new), None) => new,
        (None, None) => return Vec::new(),
    };
    let mut places = chosen.places;
    places.retain(|(card, place)| design.layout.get(card) != Some(place));
    places
}

/// Positions of all cards, and how good they are.
struct Candidate {
    places: Vec<(CardId, Point)>,
    score: f64,
}

struct Layout<'a> {
    design: &'a Design,
    detail: Detail,
    room: (f64, f64),
    ids: Vec<EntityId>,
    heights: Vec<i32>,
    index_heights: SortedMap<IndexId, i32>,
    /// The entities that stand together, by their positions in `ids`: first those that share item collections.
    groups: Vec<Vec<usize>>,
    gap: i32,
}

/// Positions of all entities.
struct Found {
    places: Vec<Point>,
    frame: Frame,
    score: f64,
}

/// Where the parts of a layout are.
#[derive(Clone, Copy)]
struct Frame {
    /// Number of columns on the left and on the right of the indexes, and of the indexes.
    columns: [i32; 3],
    /// Left edge of the indexes and of the entities on the right.
    lefts: [i32; 2],
    width: i32,
    height: i32,
}

impl Frame {
    /// The middle of the indexes.
    fn middle(&self) -> i32 {
        self.lefts[0] + ((self.columns[2] - 1) * INDEX_STEP + INDEX) / 2
    }
}

fn on_grid(height: f64) -> i32 {
    (height.ceil() as i32 + GRID - 1) / GRID * GRID
}

impl<'a> Layout<'a> {
    fn new(design: &'a Design, detail: Detail, room: (f64, f64)) -> Self {
        let height = |card| on_grid(area_at(design, card, (0.0, 0.0), detail).height);
        let ids: Vec<EntityId> = design.entities.keys().copied().collect();
        let heights = ids.iter().map(|id| height(CardId::Entity(*id))).collect();
        let indexes = design.index_ids();
        let index_heights = SortedMap::from_iter(indexes.map(|id| (id, height(CardId::Index(id)))));
        Layout {
            design,
            detail,
            room,
            groups: groups(design, &ids),
            gap: on_grid(f64::from(
                GAP + LANE * index_heights.len().min(MAX_LANES) as i32,
            )),
            ids,
            heights,
            index_heights,
        }
    }

    fn sizes(&self) -> Sizes<'_> {
        Sizes {
            heights: &self.heights,
            gap: self.gap,
        }
    }

    /// Returns the frame of a layout, given columns and height of each side.
    fn frame(&self, left: (i32, i32), right: (i32, i32)) -> Frame {
        let tallest = left.1.max(right.1);
        let count = index_columns::count(&self.index_heights, (tallest + tallest / 4).max(760));
        let width = |columns: i32| columns * PITCH - (PITCH - CARD);
        let indexes = match left.0 {
            0 => ORIGIN,
            columns => ORIGIN + width(columns) + CHANNEL,
        };
        let end = indexes + (count - 1) * INDEX_STEP + INDEX;
        let (right_side, end) = match right.0 {
            0 => (end, end),
            columns => (end + CHANNEL, end + CHANNEL + width(columns)),
        };
        Frame {
            columns: [left.0, right.0, count],
            lefts: [indexes, right_side],
            width: end - ORIGIN,
            height: tallest.max(index_columns::height(&self.index_heights, count)),
        }
    }

    /// How large cards are when all are shown, less what distances cost: greater is better.
    fn score(&self, frame: Frame, cards: [usize; 2]) -> f64 {
        let zoom = (self.room.0 / (f64::from(frame.width) + MARGIN))
            .min(self.room.1 / (f64::from(frame.height) + MARGIN))
            .min(1.0);
        let between =
            |side: usize| f64::from((frame.columns[side] - 1).max(0)) / 2.0 * cards[side] as f64;
        let distance = (between(0) + between(1)) / self.ids.len().max(1) as f64;
        zoom / (1.0 + DISTANCE_COST * distance)
    }

    fn positions(&self, sides: &[Side; 2]) -> Found {
        let sizes = self.sizes();
        let extent = |side: &Side| (side_columns(side), sizes.side_height(side));
        let frame = self.frame(extent(&sides[0]), extent(&sides[1]));
        let mut places = vec![Point::default(); self.ids.len()];
        let columns = Some(frame.columns[0]);
        sizes.place(&sides[0], ORIGIN, ORIGIN, columns, &mut places);
        sizes.place(&sides[1], frame.lefts[1], ORIGIN, None, &mut places);
        let count = |side: &Side| {
            let blocks = side.iter().flatten().flatten();
            blocks.flat_map(|block| &block.rows).map(Vec::len).sum()
        };
        Found {
            score: self.score(frame, [count(&sides[0]), count(&sides[1])]),
            places,
            frame,
        }
    }

    /// Returns the positions of all cards in a structure. In a small design, the score also depends on the wires and on
    /// the space that is used.
    fn candidate(&self, sides: [Side; 2], is_arranged: bool) -> Option<Candidate> {
        let found = self.settled(sides)?;
        let places = self.all_places(&found, is_arranged);
        let quality = match self.ids.len() {
            1..=FEW_WIRED => quality(self.design, self.detail, &places),
            _ => 1.0,
        };
        Some(Candidate {
            score: found.score * quality,
            places,
        })
    }

    /// Returns positions from which the same structure is read again; `None` if there are none.
    fn settled(&self, sides: [Side; 2]) -> Option<Found> {
        let mut found = self.positions(&sides);
        for _ in 0..8 {
            let sides = read(
                &self.groups,
                &found.places,
                &self.heights,
                found.frame.middle(),
            );
            let next = self.positions(&sides);
            if next.places == found.places {
                return Some(next);
            }
            found = next;
        }
        None
    }

    /// Returns the best structures, whatever the current positions are.
    fn new_structures(&self) -> Vec<[Side; 2]> {
        let sizes = self.sizes();
        let count = self.groups.len();
        let pack = |groups: &[Vec<usize>], columns: i32, each: i32| {
            let mut side = Side::new();
            for group in groups {
                sizes.append(&mut side, Block::of(group, each as usize), columns);
            }
            side
        };
        // Ways to lay out one side: maximum number of columns, and of columns of a box.
        let ways: Vec<(i32, i32)> = if self.ids.len() <= FEW {
            let most = (self.ids.len() as i32).clamp(1, MAX_COLUMNS);
            let each = |columns| (1..=columns).map(move |each| (columns, each));
            (1..=most).flat_map(each).collect()
        } else {
            // Columns of one side of a layout that is as wide as the room.
            let total: i32 = self.heights.iter().map(|height| height + self.gap).sum();
            let ratio = self.room.0 / self.room.1 / f64::from(PITCH);
            let best = ((f64::from(total) * ratio).sqrt() / 2.0).round() as i32;
            let near = (best - 2).max(1)..=best + 2;
            near.flat_map(|columns| [(columns, 2.min(columns)), (columns, 4.min(columns))])
                .collect()
        };
        let splits: Vec<usize> = if self.ids.len() <= FEW {
            (0..=count).rev().collect()
        } else {
            vec![count, count / 2]
        };
        let most = if self.ids.len() <= FEW_WIRED {
            CANDIDATES
        } else {
            1
        };
        let mut best: Vec<(f64, [Side; 2])> = Vec::new();
        for split in splits {
            let (left, right) = self.groups.split_at(split);
            let cards = [left, right].map(|side| side.iter().map(Vec::len).sum());
            let packed = |groups: &[Vec<usize>]| -> Vec<Side> {
                let mut sides: Vec<Side> = Vec::new();
                for (columns, each) in &ways {
                    let side = pack(groups, *columns, *each);
                    if !sides.contains(&side) {
                        sides.push(side);
                    }
                }
                sides
            };
            let [left, right] = [packed(left), packed(right)];
            let extents = |sides: &[Side]| -> Vec<(i32, i32)> {
                let extent = |side| (side_columns(side), sizes.side_height(side));
                sides.iter().map(extent).collect()
            };
            let extents = [extents(&left), extents(&right)];
            for (left, left_extent) in left.iter().zip(&extents[0]) {
                for (right, right_extent) in right.iter().zip(&extents[1]) {
                    let score = self.score(self.frame(*left_extent, *right_extent), cards);
                    let at = best.partition_point(|(other, _)| *other >= score);
                    if at < most {
                        best.insert(at, (score, [left.clone(), right.clone()]));
                        best.truncate(most);
                    }
                }
            }
        }
        best.into_iter().map(|(_, sides)| sides).collect()
    }

    /// Returns the structure of the current positions; `None` unless most entities, and an index, have one, or if many
    /// entities cover each other.
    fn read_current(&self) -> Option<[Side; 2]> {
        let place = |id: &EntityId| self.design.layout.get(&CardId::Entity(*id)).copied();
        let current: Vec<Option<Point>> = self.ids.iter().map(place).collect();
        let known = current.iter().flatten().count();
        if known == 0 || known * 2 < current.len() || self.is_heap(&current) {
            return None;
        }
        let indexes = self.index_heights.keys();
        let lefts = indexes.filter_map(|id| Some(self.design.layout.get(&CardId::Index(*id))?.x));
        let (least, most) = (lefts.clone().min()?, lefts.max()?);
        let middle = least
            .saturating_add(most.saturating_sub(least) / 2)
            .saturating_add(INDEX / 2);
        let bottom = |at: &usize| Some(current[*at]?.y.saturating_add(self.heights[*at]));
        let all: Vec<usize> = (0..current.len()).collect();
        // A card without a position is below those that it belongs to, or below all.
        let below = |others: &[usize]| {
            let x = others.iter().filter_map(|at| Some(current[*at]?.x)).min()?;
            let y = others.iter().filter_map(bottom).max()?;
            Some(Point {
                x,
                y: y.saturating_add(self.gap),
            })
        };
        let mut places: Vec<Point> = current
            .iter()
            .map(|place| place.unwrap_or_default())
            .collect();
        for group in &self.groups {
            for (number, at) in group
                .iter()
                .filter(|at| current[**at].is_none())
                .enumerate()
            {
                let place = below(group).or_else(|| below(&all))?;
                places[*at] = Point {
                    x: place.x.saturating_add(number as i32 * PITCH),
                    ..place
                };
            }
        }
        Some(read(&self.groups, &places, &self.heights, middle))
    }

    /// Returns the positions of all cards.
    fn all_places(&self, found: &Found, is_arranged: bool) -> Vec<(CardId, Point)> {
        let mut frame = found.frame;
        let shift = self.shift(&found.places);
        frame.lefts = frame.lefts.map(|left| left + shift.x);
        let places = found.places.iter().map(|place| Point {
            x: place.x + shift.x,
            y: place.y + shift.y,
        });
        let entities = SortedMap::from_iter(self.ids.iter().copied().zip(places));
        let indexes = IndexCards {
            design: self.design,
            detail: self.detail,
            heights: &self.index_heights,
            is_arranged,
            columns: frame.columns[2],
            left: frame.lefts[0],
            top: ORIGIN + shift.y,
            step: INDEX_STEP,
        };
        let mut places: Vec<(CardId, Point)> = (entities.iter())
            .map(|(id, place)| (CardId::Entity(*id), *place))
            .collect();
        places.extend(indexes.place(&entities, frame.middle()));
        let notes = Point {
            x: ORIGIN + shift.x + frame.width + CHANNEL,
            y: ORIGIN + shift.y,
        };
        places.extend(self.notes(notes, frame.height));
        places
    }

    /// Returns the offset that leaves most cards where they are, in each direction; 0 where it would be less than half
    /// of them. So a layout grows to the left and up too, if that moves fewer cards.
    fn shift(&self, places: &[Point]) -> Point {
        let most_frequent = |of: fn(&Point) -> i32| {
            let mut counts: SortedMap<i32, usize> = SortedMap::new();
            for (id, place) in self.ids.iter().zip(places) {
                if let Some(current) = self.design.layout.get(&CardId::Entity(*id)) {
                    let by = of(current).saturating_sub(of(place));
                    *counts.entry(by).or_default() += 1;
                }
            }
            let most = counts.into_iter().max_by_key(|(_, count)| *count);
            let most = most.filter(|(by, count)| count * 2 > places.len() && by % GRID == 0);
            most.map_or(0, |(by, _)| by)
        };
        Point {
            x: most_frequent(|point| point.x),
            y: most_frequent(|point| point.y),
        }
    }

    /// Whether many cards cover each other.
    fn is_heap(&self, places: &[Option<Point>]) -> bool {
        let known: Vec<(Point, i32)> = (places.iter().zip(&self.heights))
            .filter_map(|(place, height)| Some(((*place)?, *height)))
            .collect();
        let cover = |(a, height): &(Point, i32), (b, other_height): &(Point, i32)| {
            let (x, y) = (a.x.saturating_sub(b.x), a.y.saturating_sub(b.y));
            x.abs() < CARD && y < *other_height && -*height < y
        };
        let covered = (known.iter().enumerate())
            .filter(|(number, card)| known[..*number].iter().any(|other| cover(card, other)))
            .count();
        covered * 4 > known.len()
    }

    /// Returns the positions of the notes: in columns of about this height, in the order of their positions.
    fn notes(&self, Point { x: left, y: top }: Point, height: i32) -> Vec<(CardId, Point)> {
        let cards: Vec<CardId> = (self.design.notes.keys().map(|id| CardId::Note(*id))).collect();
        let cards = by_rank(cards, |card| match self.design.layout.get(card) {
            Some(place) => {
                let column = place.x.saturating_sub(left).div_euclid(NOTE_WIDTH as i32);
                [0, ordered(column), ordered(place.y), ordered(place.x)]
            }
            None => [1, 0, 0, 0],
        });
        let (mut x, mut y) = (left, top);
        let mut found = Vec::new();
        for card in cards {
            let own = on_grid(area_at(self.design, card, (0.0, 0.0), self.detail).height);
            if y > top && y + own > top + height.max(480) {
                (x, y) = (x + NOTE_WIDTH as i32 + 96, top);
            }
            found.push((card, Point { x, y }));
            y += own + 32;
        }
        found
    }
}

/// How good the wires and the use of the space are: a factor of the score.
fn quality(design: &Design, detail: Detail, places: &[(CardId, Point)]) -> f64 {
    let mut placed = design.clone();
    placed.layout = Arc::new(places.iter().copied().collect());
    let cards = card_areas(&placed, detail);
    let routes = Routes::new(&placed, detail, obstacles(&cards, &[]), None);
    let count = routes.iter().count().max(1) as f64;
    let crossings = routes.crossings() as f64 / count;
    let length = routes.length() / count / USUAL_LENGTH;
    let all = cards.iter().map(|(_, area)| *area).reduce(Area::union);
    let used: f64 = cards.iter().map(|(_, area)| area.width * area.height).sum();
    let share = all.map_or(1.0, |all| used / (all.width * all.height));
    share.sqrt() / (1.0 + CROSSING_COST * crossings) / (1.0 + LENGTH_COST * length)
}

/// Returns the entities that stand together, by their positions in `ids`: groups of an item collection in the order of
/// their first entity, then single entities, those in the same indexes next to each other.
fn groups(design: &Design, ids: &[EntityId]) -> Vec<Vec<usize>> {
    let number = |id: &EntityId| ids.binary_search(id).ok();
    let mut groups: Vec<Vec<usize>> = match ids.len() {
        0..=MANY => {
            let found = entity_groups(design, IndexId::PRIMARY).into_iter();
            found
                .map(|group| group.entities.iter().filter_map(number).collect())
                .collect()
        }
        _ => {
            let mut equal: SortedMap<&str, Vec<usize>> = SortedMap::new();
            for (at, entity) in design.entities.values().enumerate() {
                let entry = entity.keys.get(&IndexId::PRIMARY);
                if let Some(text) = entry.and_then(|entry| entry.partition.as_deref()) {
                    equal.entry(text).or_default().push(at);
                }
            }
            equal.into_iter().map(|(_, group)| group).collect()
        }
    };
    groups.retain(|group| group.len() > 1);
    groups.sort_by_key(|group| group[0]);
    let mut is_grouped = vec![false; ids.len()];
    groups
        .iter()
        .flatten()
        .for_each(|at| is_grouped[*at] = true);
    let mut alike: Vec<(Vec<IndexId>, Vec<usize>)> = Vec::new();
    for (at, entity) in design.entities.values().enumerate() {
        if is_grouped[at] {
            continue;
        }
        let indexes: Vec<IndexId> = entity.keys.keys().copied().collect();
        match alike.iter_mut().find(|(other, _)| *other == indexes) {
            Some((_, cards)) => cards.push(at),
            None => alike.push((indexes, vec![at])),
        }
    }
    let singles = alike.into_iter().flat_map(|(_, cards)| cards);
    groups.extend(singles.map(|at| vec![at]));
    groups
}
