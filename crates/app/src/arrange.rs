//! Putting cards in order: aligned, at equal distances, or all of them laid out anew. Each function returns
//! where cards go, for one [`Command::Move`](super::Command::Move); cards that stay where they are are left out.

use super::geometry::ENTITY_WIDTH;
use super::placement::area_at;
use super::session::{Area, Detail, rounded};
use keyfold_core::model::{CardId, Design, Entity, IndexId, Point, SortedMap};
use keyfold_core::template::{self, Segment};
use std::fmt::Write;

/// What of the cards comes to one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Left edges.
    Left,
    /// Middles between left and right.
    Center,
    /// Right edges.
    Right,
    /// Top edges.
    Top,
    /// Middles between top and bottom.
    Middle,
    /// Bottom edges.
    Bottom,
}

/// A direction on the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// From left to right.
    Horizontal,
    /// From top to bottom.
    Vertical,
}

/// Brings the cards' edges or middles to one line: that of the area around all of them.
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

/// Makes the gaps between the cards equal, in the order of their middles; the first and the last stay.
/// Nothing moves of fewer than three.
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

/// What is sorted here: numbers that are compared from the first to the last.
type Row = [u32; 5];

/// A number that is greater for a greater `value`, also below zero.
fn ordered(value: i32) -> u32 {
    (value as u32) ^ (1 << 31)
}

/// Where the first card goes, from the top and from the left.
const ORIGIN: i32 = 48;
/// All places are multiples of this.
const GRID: i32 = 8;
/// Between two cards of a column.
const GAP: i32 = 32;
/// From one column to the next; 96 of it are free for wires.
const STEP: i32 = ENTITY_WIDTH as i32 + 96;
/// Space between the entities and the indexes, besides that between columns: for what is written on the wires.
const LABELS: i32 = 128;
/// Height up to which one column is enough.
const ONE_COLUMN: i32 = 960;
/// A column of indexes that is at most this far from its best place stays.
const NEAR: u32 = 160;

/// A readable layout: entities in columns on the left, those that share an item collection together, and of those
/// the ones that are in the same indexes; the table and its indexes in columns on the right, near the entities
/// that they hold; notes beyond. Cards that stand in columns already keep their columns and their order, as long
/// as no column gets half as long again as the others.
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
    let mut x = ORIGIN + columns.len() as i32 * STEP + LABELS;
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

/// How far a card may stand beside a column and still be in it.
const BESIDE: i32 = 40;

/// The number of the column that a card stands in, or nearly.
fn settled_column(design: &Design, card: CardId) -> Option<i32> {
    let x = design.layout.get(&card)?.x.checked_sub(ORIGIN)?;
    let column = x.checked_add(STEP / 2)?.div_euclid(STEP);
    (column >= 0 && (x - column * STEP).abs() <= BESIDE).then_some(column)
}

/// The cards in the order in which they stand: by columns, each from the top; those without a place last.
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

/// The mean rank of some cards.
#[derive(Default)]
struct Rank {
    sum: u32,
    count: u32,
    /// Whether cards in columns were counted; then others are not.
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

/// The order of the entities, and for each the number of the group that it begins or goes on.
struct Sequence {
    /// Positions in the list of entities.
    order: Vec<usize>,
    /// For each of them the group.
    groups: Vec<u32>,
}

/// Groups, and in them subgroups, in the order of where most of them stand.
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
    // Two groups with the same mean are told apart by their places among the names.
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

/// For each entity its group and its subgroup: those whose primary partition templates have the same shape, or
/// of the others those that are in the same indexes; and of these the ones in the same indexes.
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

/// The primary partition template without the names of its attributes; empty for none.
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

/// The entities in columns: those where they stand, if most stand in columns; else new ones, as many as make
/// a layout somewhat wider than high.
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
                // Rather between two groups than within one.
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
        // Cards that were moved across columns by hand tear them up.
        if kept.len() <= new.len() + new.len() / 2 + 1 {
            return kept;
        }
    }
    new
}

/// The table and the indexes: as they stand, or the table first, then by the height of their entities.
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

/// The mean height of the entities that are in an index; `None` for none, and for a note.
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

/// The cards in columns of at most this height.
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

/// How far from the top each card of a column goes: as near as can be to the middle of its entities, in this
/// order, without overlaps. Where all of them are near that already they stay.
fn beside(
    design: &Design,
    column: &[CardId],
    height: &dyn Fn(CardId) -> i32,
    middles: &SortedMap<CardId, i32>,
    is_arranged: bool,
) -> Vec<i32> {
    // Runs of cards without a gap to spare: how many, the sum of where each would have the run begin, the length.
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
            // Joined, the lower ones would have the run begin above themselves.
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
            && y.abs_diff(*best) <= NEAR
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
