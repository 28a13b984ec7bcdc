//! Arranges cards: align, distribute, auto-layout. Each function returns the new positions for one
//! [`Command::Move`](super::Command::Move); cards that do not move are left out.

use super::geometry::{ENTITY_WIDTH, area_at};
use super::viewport::{Area, Detail, rounded};
use keyfold_core::model::{CardId, Design, Entity, IndexId, Point, SortedMap};
use keyfold_core::template::{self, Segment};
use std::fmt::Write;

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
    let mut order: Vec<Row> = (cards.iter().enumerate())
        .map(|(number, (_, area))| {
            let (start, length) = span(area);
            let middle = (start + length / 2.0).round() as i32;
            [ordered(middle), number as u32, 0, 0, 0]
        })
        .collect();
    order.sort_unstable();
    let (Some(first), Some(last)) = (order.first(), order.last()) else {
        return Vec::new();
    };
    let at = |row: &Row| &cards[row[1] as usize];
    let (mut next, end) = (span(&at(first).1).0, span(&at(last).1));
    let lengths: f64 = cards.iter().map(|(_, area)| span(area).1).sum();
    let gap = (end.0 + end.1 - next - lengths) / (cards.len().max(2) - 1) as f64;
    let places = order.iter().map(|row| {
        let (card, area) = at(row);
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

/// A sort key, compared from first to last.
type Row = [u32; 5];

/// Maps signed to unsigned numbers in the same order.
fn ordered(value: i32) -> u32 {
    (value as u32) ^ (1 << 31)
}

/// Left and top of the first card, in canvas pixels.
const ORIGIN: i32 = 48;
/// All positions are multiples of this.
const GRID: i32 = 8;
/// Vertical gap between two cards of a column.
const GAP: i32 = 32;
/// Distance between columns; 96 pixels of it are free for wires.
const STEP: i32 = ENTITY_WIDTH as i32 + 96;
/// Extra space between entities and indexes, for the labels of the wires.
const LABEL_SPACE: i32 = 128;
/// Up to this height, one column is enough.
const ONE_COLUMN: i32 = 960;
/// A column of indexes stays if it is at most this far from its best position.
const MAX_SHIFT: u32 = 160;

/// Returns a readable layout. Entities are in columns on the left: those that share an item collection together, and
/// among them those in the same indexes. The table and its indexes are in columns on the right, near their entities;
/// notes are beyond them. Cards that are already in columns keep their column and order, unless a column would
/// become 50% longer than the others.
pub fn auto_layout(design: &Design, detail: Detail) -> Vec<(CardId, Point)> {
    let height = |card: CardId| {
        let height = area_at(design, card, (0.0, 0.0), detail).height.ceil() as i32;
        (height + GRID - 1) / GRID * GRID
    };
    let entities: Vec<CardId> = design
        .entities
        .keys()
        .map(|id| CardId::Entity(*id))
        .collect();
    let heights: Vec<i32> = entities.iter().map(|card| height(*card)).collect();
    let sequence = entity_order(design, &entities);
    let settled = (entities.iter())
        .filter(|card| settled_column(design, **card).is_some())
        .count();
    let is_arranged = settled * 2 > entities.len();
    let columns = entity_columns(design, &entities, &heights, &sequence, is_arranged);

    let mut places: Vec<(CardId, Point)> = Vec::new();
    let mut middles: SortedMap<CardId, i32> = SortedMap::new();
    for (number, column) in columns.iter().enumerate() {
        let mut y = ORIGIN;
        for at in column {
            let x = ORIGIN + number as i32 * STEP;
            places.push((entities[*at], Point { x, y }));
            middles.insert(entities[*at], y + heights[*at] / 2);
            y += heights[*at] + GAP;
        }
    }
    let bottom = places.iter().map(|(_, point)| point.y).max().unwrap_or(0);
    let most = bottom.max(ONE_COLUMN / 2 * 3);
    let mut x = ORIGIN + columns.len() as i32 * STEP + LABEL_SPACE;
    let indexes = index_order(design, &middles, is_arranged);
    let notes: Vec<CardId> = design.notes.keys().map(|id| CardId::Note(*id)).collect();
    for cards in [indexes, by_place(design, &notes)] {
        for column in stacks(&cards, &height, most) {
            let ys = beside(design, &column, &height, &middles, is_arranged);
            for (card, y) in column.into_iter().zip(ys) {
                places.push((card, Point { x, y }));
            }
            x += STEP;
        }
    }
    places.retain(|(card, place)| design.layout.get(card) != Some(place));
    places
}

/// Maximum horizontal distance of a card from its column, in canvas pixels.
const MAX_OFFSET: i32 = 40;

/// Returns the number of the column that a card is in, within [`MAX_OFFSET`].
fn settled_column(design: &Design, card: CardId) -> Option<i32> {
    let x = design.layout.get(&card)?.x.checked_sub(ORIGIN)?;
    let column = x.checked_add(STEP / 2)?.div_euclid(STEP);
    (column >= 0 && (x - column * STEP).abs() <= MAX_OFFSET).then_some(column)
}

/// Sorts cards by position: by column, then from the top. Cards without a position come last.
fn by_place(design: &Design, cards: &[CardId]) -> Vec<CardId> {
    let mut rows: Vec<Row> = (cards.iter().enumerate())
        .map(|(number, card)| match design.layout.get(card) {
            Some(place) => {
                let column = place.x.saturating_add(STEP / 2 - ORIGIN).div_euclid(STEP);
                let (x, y) = (ordered(place.x), ordered(place.y));
                [0, ordered(column), y, x, number as u32]
            }
            None => [1, 0, 0, 0, number as u32],
        })
        .collect();
    rows.sort_unstable();
    rows.iter().map(|row| cards[row[4] as usize]).collect()
}

/// Mean rank of some cards.
#[derive(Default)]
struct Rank {
    sum: u32,
    count: u32,
    /// Whether the counted cards are in columns. If so, other cards are ignored.
    settled: bool,
}

impl Rank {
    fn add(&mut self, rank: u32, settled: bool) {
        if settled && !self.settled {
            *self = Rank {
                settled,
                ..Rank::default()
            };
        }
        if settled == self.settled {
            self.sum += rank;
            self.count += 1;
        }
    }

    fn mean(&self) -> u32 {
        self.sum / self.count.max(1)
    }
}

/// The order of the entities and their groups.
struct Sequence {
    /// Positions in the list of entities.
    order: Vec<usize>,
    /// Group number of each entity in `order`.
    groups: Vec<u32>,
}

/// Sorts groups, and subgroups within them, by the mean position of their cards.
fn entity_order(design: &Design, entities: &[CardId]) -> Sequence {
    let names = group_names(design);
    let standing = by_place(design, entities);
    let mut groups: SortedMap<&str, Rank> = SortedMap::new();
    let numbers =
        SortedMap::from_iter((entities.iter().enumerate()).map(|(number, card)| (*card, number)));
    for (rank, card) in standing.iter().enumerate() {
        let settled = settled_column(design, *card).is_some();
        let (group, subgroup) = &names[numbers[card]];
        for name in [group, subgroup] {
            groups.entry(name).or_default().add(rank as u32, settled);
        }
    }
    // The second number breaks ties between groups with the same mean.
    let ranks: SortedMap<&str, [u32; 2]> = (groups.iter().enumerate())
        .map(|(number, (name, rank))| (*name, [rank.mean(), number as u32]))
        .collect();
    let mut rows: Vec<Row> = (standing.iter().enumerate())
        .map(|(rank, card)| {
            let (group, subgroup) = &names[numbers[card]];
            let ([a, b], [c, d]) = (ranks[group.as_str()], ranks[subgroup.as_str()]);
            [a, b, c, d, rank as u32]
        })
        .collect();
    rows.sort_unstable();
    Sequence {
        order: rows
            .iter()
            .map(|row| numbers[&standing[row[4] as usize]])
            .collect(),
        groups: rows.iter().map(|row| row[1]).collect(),
    }
}

/// Returns group and subgroup of each entity. Entities whose primary partition key templates have the same shape
/// form a group; the others are grouped by their indexes. Subgroups are the same indexes within a group.
fn group_names(design: &Design) -> Vec<(String, String)> {
    let shapes: Vec<String> = design
        .entities
        .values()
        .map(|entity| shape(entity))
        .collect();
    let mut counts: SortedMap<&str, Rank> = SortedMap::new();
    for shape in &shapes {
        counts.entry(shape).or_default().add(0, false);
    }
    (design.entities.values().zip(&shapes))
        .map(|(entity, shape)| {
            let mut indexes = String::new();
            for id in entity.keys.keys().filter(|id| !id.is_primary()) {
                let _ = write!(indexes, "/{id}");
            }
            let is_shared = !shape.is_empty() && counts[shape.as_str()].count > 1;
            let group = if is_shared {
                format!("={shape}")
            } else {
                indexes.clone()
            };
            let subgroup = format!("{group}\n{indexes}");
            (group, subgroup)
        })
        .collect()
}

/// The primary partition key template without attribute names; empty if there is none.
fn shape(entity: &Entity) -> String {
    let partition = (entity.keys.get(&IndexId::PRIMARY)).and_then(|entry| entry.partition.as_ref());
    let mut shape = String::new();
    for segment in partition.map_or(Vec::new(), |text| template::parse(text).template.segments) {
        match segment {
            Segment::Literal { text, .. } | Segment::Broken { text, .. } => shape.push_str(&text),
            Segment::Placeholder(_) => shape.push('\n'),
        }
    }
    shape
}

/// Distributes entities over columns. Keeps the existing columns if most entities are in one; otherwise makes
/// columns so that the layout is somewhat wider than high.
fn entity_columns(
    design: &Design,
    entities: &[CardId],
    heights: &[i32],
    sequence: &Sequence,
    is_arranged: bool,
) -> Vec<Vec<usize>> {
    let total: i32 = heights.iter().map(|height| height + GAP).sum();
    let tallest = heights.iter().copied().max().unwrap_or(0);
    let square = (f64::from(total) * f64::from(STEP) / 1.4).sqrt() as i32;
    let count = total / square.max(ONE_COLUMN) + 1;
    let limit = total / count + tallest / 2;
    let fill = |keep: bool| {
        let mut columns: Vec<Vec<usize>> = Vec::new();
        let mut filled = 0;
        let mut settled = None;
        let mut group = None;
        for (at, number) in sequence.order.iter().zip(&sequence.groups) {
            let next = heights[*at] + GAP;
            let own = settled_column(design, entities[*at]);
            let is_new_group = group.replace(number) != Some(number);
            let begins = if keep {
                let elsewhere = settled.is_some() && own.is_some() && settled != own;
                elsewhere || filled + next > limit + limit / 2
            } else {
                // Prefer a break between two groups.
                filled + next > limit || is_new_group && filled > limit / 10 * 7
            };
            if columns.is_empty() || begins {
                columns.push(Vec::new());
                (filled, settled) = (0, None);
            }
            filled += next;
            settled = own.or(settled);
            if let Some(column) = columns.last_mut() {
                column.push(*at);
            }
        }
        columns
    };
    let new = fill(false);
    if is_arranged {
        let kept = fill(true);
        // Cards moved across columns by hand would make too many columns.
        if kept.len() <= new.len() + new.len() / 2 + 1 {
            return kept;
        }
    }
    new
}

/// Sorts the table and the indexes: by position if arranged, otherwise the table first, then by the mean height of
/// their entities.
fn index_order(
    design: &Design,
    middles: &SortedMap<CardId, i32>,
    is_arranged: bool,
) -> Vec<CardId> {
    let cards: Vec<CardId> = design.index_ids().map(CardId::Index).collect();
    if is_arranged {
        return by_place(design, &cards);
    }
    let mut rows: Vec<Row> = (cards.iter().enumerate())
        .map(|(number, card)| {
            let is_secondary = *card != CardId::Index(IndexId::PRIMARY);
            let middle = ordered(barycenter(design, *card, middles).unwrap_or(i32::MAX));
            [u32::from(is_secondary), middle, number as u32, 0, 0]
        })
        .collect();
    rows.sort_unstable();
    rows.iter().map(|row| cards[row[2] as usize]).collect()
}

/// Mean vertical position of the entities in an index; `None` for an index without entities, and for notes.
fn barycenter(design: &Design, card: CardId, middles: &SortedMap<CardId, i32>) -> Option<i32> {
    let CardId::Index(index) = card else {
        return None;
    };
    let (mut sum, mut count) = (0_i64, 0_i64);
    for (id, entity) in &design.entities {
        if entity.keys.contains_key(&index) {
            sum += i64::from(middles[&CardId::Entity(*id)]);
            count += 1;
        }
    }
    (count > 0).then(|| (sum / count) as i32)
}

/// Splits the cards into columns of at most this height.
fn stacks(cards: &[CardId], height: &dyn Fn(CardId) -> i32, most: i32) -> Vec<Vec<CardId>> {
    let mut stacks: Vec<Vec<CardId>> = Vec::new();
    let mut filled = most;
    for card in cards {
        filled += height(*card) + GAP;
        if filled > most {
            stacks.push(Vec::new());
            filled = height(*card) + GAP;
        }
        if let Some(stack) = stacks.last_mut() {
            stack.push(*card);
        }
    }
    stacks
}

/// Returns the top of each card in a column: as near as possible to the mean of its entities, in this order, without
/// overlaps. If all cards are near enough already, they stay.
fn beside(
    design: &Design,
    column: &[CardId],
    height: &dyn Fn(CardId) -> i32,
    middles: &SortedMap<CardId, i32>,
    is_arranged: bool,
) -> Vec<i32> {
    // Runs of cards without free space between: number of cards, sum of the tops wanted for the run, total height.
    let mut runs: Vec<(i32, i64, i32)> = Vec::new();
    let begin = |(count, sum, _): &(i32, i64, i32)| {
        let mean = (sum / i64::from(*count)) as i32;
        ((mean + GRID / 2).div_euclid(GRID) * GRID).max(ORIGIN)
    };
    for card in column {
        let own = height(*card);
        let wanted = match barycenter(design, *card, middles) {
            Some(middle) => middle - own / 2,
            None => runs.last().map_or(ORIGIN, |run| begin(run) + run.2),
        };
        let mut run = (1, i64::from(wanted), own + GAP);
        while let Some(above) = runs.pop_if(|above| begin(above) + above.2 > begin(&run)) {
            // After joining, the lower cards want the run to start higher.
            run.1 = above.1 + run.1 - i64::from(above.2) * i64::from(run.0);
            (run.0, run.2) = (above.0 + run.0, above.2 + run.2);
        }
        runs.push(run);
    }
    let mut best = Vec::new();
    let mut cards = column.iter();
    for run in &runs {
        let mut y = begin(run);
        for card in cards.by_ref().take(run.0 as usize) {
            best.push(y);
            y += height(*card) + GAP;
        }
    }
    let mut free = ORIGIN;
    let mut stay = Vec::new();
    for (card, best) in column.iter().zip(&best) {
        if let Some(Point { y, .. }) = design.layout.get(card)
            && *y >= free
            && y % GRID == 0
            && y.abs_diff(*best) <= MAX_SHIFT
        {
            stay.push(*y);
            free = y + height(*card) + GAP;
        }
    }
    if is_arranged && stay.len() == column.len() {
        stay
    } else {
        best
    }
}
