//! The columns of the table and its indexes: their order, with as few crossings of wires as possible, and the place of
//! each card, near its entities.

use super::align::ordered;
use super::blocks::GRID;
use crate::geometry::entry_middle;
use crate::viewport::Detail;
use keyfold_core::model::{CardId, Design, EntityId, IndexId, Point, SortedMap, by_rank};

/// Vertical gap between two index cards.
const GAP: i32 = 40;
/// A column of indexes stays if it is at most this far from its best position.
const MAX_SHIFT: u32 = 160;

/// Where wires come from: for each index, the heights at which they leave their entities on the left and on the right.
type Sources = SortedMap<IndexId, [Vec<i32>; 2]>;

/// Returns the heights at which the wires of each index leave their entities. `middle` is the middle of the indexes.
fn sources(
    design: &Design,
    places: &SortedMap<EntityId, Point>,
    middle: i32,
    detail: Detail,
) -> Sources {
    let mut sources = Sources::default();
    for (id, entity) in &design.entities {
        let place = places[id];
        for index in entity.keys.keys() {
            let y = place.y + entry_middle(entity, *index, detail) as i32;
            let found = sources.entry(*index).or_default();
            found[usize::from(place.x > middle)].push(y);
        }
    }
    for found in sources.values_mut() {
        found.iter_mut().for_each(|side| side.sort_unstable());
    }
    sources
}

/// Number of crossings of the wires of two indexes if the first is above the second.
fn crossings(above: &[Vec<i32>; 2], below: &[Vec<i32>; 2]) -> usize {
    let side = |above: &[i32], below: &[i32]| -> usize {
        let higher = |y: &i32| below.partition_point(|other| other < y);
        above.iter().map(higher).sum()
    };
    side(&above[0], &below[0]) + side(&above[1], &below[1])
}

fn mean(sides: &[Vec<i32>; 2]) -> Option<i32> {
    let count = sides[0].len() + sides[1].len();
    let sum: i64 = (sides.iter().flatten()).map(|y| i64::from(*y)).sum();
    (count > 0).then(|| (sum / count as i64) as i32)
}

/// Returns the indexes in columns of at most this height. `is_arranged`: whether they start from their current order,
/// otherwise from the mean height of their entities.
fn order(design: &Design, sources: &Sources, is_arranged: bool) -> Vec<IndexId> {
    let ids: Vec<IndexId> = design.index_ids().collect();
    let rank = |id: &IndexId| match design.layout.get(&CardId::Index(*id)) {
        Some(Point { x, y }) if is_arranged => [0, ordered(*x), ordered(*y), 0],
        _ if is_arranged => [1, 0, 0, 0],
        _ => {
            let height = sources.get(id).and_then(mean);
            [0, ordered(height.unwrap_or(i32::MAX)), 0, 0]
        }
    };
    let mut order = by_rank(ids, rank);
    // Exchanges neighbors while that removes crossings.
    let cross = |above: &IndexId, below: &IndexId| {
        let pair = sources.get(above).zip(sources.get(below));
        pair.map_or(0, |(above, below)| crossings(above, below))
    };
    for _ in 0..order.len() {
        let mut changed = false;
        for at in 1..order.len() {
            if cross(&order[at - 1], &order[at]) > cross(&order[at], &order[at - 1]) {
                order.swap(at - 1, at);
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    order
}

/// Returns the number of columns of at most about this height.
pub(super) fn count(heights: &SortedMap<IndexId, i32>, most: i32) -> i32 {
    let total: i32 = heights.values().map(|height| height + GAP).sum();
    (total - GAP + most - 1).div_euclid(most).max(1)
}

/// Height of the highest of so many columns, about.
pub(super) fn height(heights: &SortedMap<IndexId, i32>, columns: i32) -> i32 {
    let total: i32 = heights.values().map(|height| height + GAP).sum();
    total / columns - GAP
}

/// The cards of the table and its indexes.
pub(super) struct IndexCards<'a> {
    pub(super) design: &'a Design,
    pub(super) detail: Detail,
    pub(super) heights: &'a SortedMap<IndexId, i32>,
    pub(super) is_arranged: bool,
    /// Number of columns.
    pub(super) columns: i32,
    /// Left edge of the first column.
    pub(super) left: i32,
    /// Top of the layout.
    pub(super) top: i32,
    /// Distance between two columns.
    pub(super) step: i32,
}

impl IndexCards<'_> {
    /// Returns the position of each index card. `places` are those of the entities, `middle` is the middle of the
    /// columns.
    pub(super) fn place(
        &self,
        places: &SortedMap<EntityId, Point>,
        middle: i32,
    ) -> Vec<(CardId, Point)> {
        let sources = sources(self.design, places, middle, self.detail);
        let order = order(self.design, &sources, self.is_arranged);
        let each = order.len().div_ceil(self.columns.max(1) as usize).max(1);
        let mut found = Vec::new();
        for (number, column) in order.chunks(each).enumerate() {
            let x = self.left + number as i32 * self.step;
            for (id, y) in column.iter().zip(self.tops(column, &sources)) {
                found.push((CardId::Index(*id), Point { x, y }));
            }
        }
        found
    }

    /// Returns the top of each card in a column: as near as possible to the mean of its entities, in this order, without
    /// overlaps. If all cards are near enough already, they stay.
    fn tops(&self, column: &[IndexId], sources: &Sources) -> Vec<i32> {
        // Runs of cards without free space between: number of cards, sum of the tops wanted for the run, total height.
        let mut runs: Vec<(i32, i64, i32)> = Vec::new();
        let begin = |(count, sum, _): &(i32, i64, i32)| {
            let mean = (sum / i64::from(*count)) as i32;
            ((mean + GRID / 2).div_euclid(GRID) * GRID).max(self.top)
        };
        for id in column {
            let own = self.heights[id];
            let wanted = match sources.get(id).and_then(mean) {
                Some(middle) => middle - own / 2,
                None => runs.last().map_or(self.top, |run| begin(run) + run.2),
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
        let mut ids = column.iter();
        for run in &runs {
            let mut y = begin(run);
            for id in ids.by_ref().take(run.0 as usize) {
                best.push(y);
                y += self.heights[id] + GAP;
            }
        }
        let mut free = self.top;
        let mut stay = Vec::new();
        for (id, best) in column.iter().zip(&best) {
            if let Some(Point { y, .. }) = self.design.layout.get(&CardId::Index(*id))
                && *y >= free
                && y % GRID == 0
                && y.abs_diff(*best) <= MAX_SHIFT
            {
                stay.push(*y);
                free = y + self.heights[id] + GAP;
            }
        }
        if self.is_arranged && stay.len() == column.len() {
            stay
        } else {
            best
        }
    }
}
