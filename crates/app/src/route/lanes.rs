//! The lanes of wires: which place each index has in a channel between cards, so that wires of different indexes never
//! cover each other and cross as little as possible.

use super::routes::Obstacle;
use crate::geometry::{ENTITY_WIDTH, HEAD, INDEX_WIDTH, entry_middle};
use crate::viewport::{Area, Detail};
use keyfold_core::model::{CardId, Design, IndexId, SortedMap};

/// Distance between two lanes, in canvas pixels, if there are few.
const STEP: f64 = 10.0;
/// Width that the lanes of a channel take at most.
const WIDTH: f64 = 36.0;
/// Distance at which a wire passes cards, about.
const PASS: f64 = 20.0;

/// The place of an index's wires in channels.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Lane {
    /// Position among the entries of an entity, from the top.
    pub rank: u32,
    /// Position beside the index cards on their left and on their right, from the card.
    pub at_index: [u32; 2],
    /// Number of lanes.
    pub count: u32,
}

impl Lane {
    fn step(self) -> f64 {
        (WIDTH / f64::from(self.count.max(1))).min(STEP)
    }

    /// Offset of the lane, in canvas pixels, where the first index has the first lane.
    pub fn first(self) -> f64 {
        f64::from(self.rank) * self.step()
    }

    /// Offset of the lane where the first index has the last lane.
    pub fn last(self) -> f64 {
        f64::from(self.count.saturating_sub(self.rank + 1)) * self.step()
    }

    /// Offset of the lane beside the index card, on its right for 1 and on its left for -1.
    pub fn at_index(self, side: f64) -> f64 {
        f64::from(self.at_index[usize::from(side > 0.0)]) * self.step()
    }
}

/// Where the wires of an index start on one side, sorted, and where they end.
#[derive(Default)]
struct Ends {
    from: Vec<f64>,
    to: f64,
}

/// Number of crossings beside the index cards if the lane of `near` is nearer to them than that of `far`.
fn crossings(near: &Ends, far: &Ends) -> usize {
    let within = |values: &[f64], a: f64, b: f64| {
        let (low, high) = (a.min(b), a.max(b));
        let start = values.partition_point(|y| *y <= low);
        values.partition_point(|y| *y < high).saturating_sub(start)
    };
    // The wires to the nearer lane cross the farther one; the farther wires cross the nearer lane on their last part.
    let first: usize = (far.from.iter())
        .map(|y| within(&near.from, *y, far.to))
        .sum();
    let last: usize = (near.from.iter())
        .map(|y| within(&[far.to], *y, near.to))
        .sum();
    first + last * far.from.len()
}

/// Where a wire at this height probably reaches the channel beside the index cards: above or below the cards between.
fn arrival(from: (f64, f64), to: (f64, f64), own: CardId, obstacles: &[Obstacle]) -> f64 {
    let (left, right) = (from.0.min(to.0), from.0.max(to.0));
    let between = (obstacles.iter())
        .filter(|(card, area)| {
            matches!(card, Some(CardId::Entity(_)))
                && *card != Some(own)
                && area.x < right
                && area.x + area.width > left
                && area.y < from.1
                && area.y + area.height > from.1
        })
        .map(|(_, area)| *area)
        .reduce(Area::union);
    between.map_or(from.1, |area| {
        let (above, below) = (area.y - PASS, area.y + area.height + PASS);
        let length = |y: f64| (from.1 - y).abs() + (y - to.1).abs();
        if length(above) <= length(below) {
            above
        } else {
            below
        }
    })
}

/// Returns the lane of each index.
pub fn lanes(design: &Design, detail: Detail, obstacles: &[Obstacle]) -> SortedMap<IndexId, Lane> {
    let ids: Vec<IndexId> = design.index_ids().collect();
    let place = |card| design.layout.get(&card);
    let mut ends: [Vec<Ends>; 2] = [0, 1].map(|_| {
        let ends = ids.iter().map(|id| Ends {
            from: Vec::new(),
            to: place(CardId::Index(*id)).map_or(0.0, |at| f64::from(at.y) + HEAD / 2.0),
        });
        ends.collect()
    });
    for (id, entity) in &design.entities {
        let Some(from) = place(CardId::Entity(*id)) else {
            continue;
        };
        for index in entity.keys.keys() {
            let Some(to) = place(CardId::Index(*index)) else {
                continue;
            };
            let Ok(number) = ids.binary_search(index) else {
                continue;
            };
            let (from_x, to_x) = (f64::from(from.x), f64::from(to.x));
            let is_right = from_x + ENTITY_WIDTH / 2.0 > to_x + INDEX_WIDTH / 2.0;
            let y = f64::from(from.y) + entry_middle(entity, *index, detail);
            let middle = (from_x + ENTITY_WIDTH / 2.0, y);
            let end = (to_x + INDEX_WIDTH / 2.0, f64::from(to.y) + HEAD / 2.0);
            let y = arrival(middle, end, CardId::Entity(*id), obstacles);
            ends[usize::from(is_right)][number].from.push(y);
        }
    }
    let mut found = SortedMap::from_iter(ids.iter().zip(0..).map(|(id, rank)| {
        let lane = Lane {
            rank,
            count: ids.len() as u32,
            ..Lane::default()
        };
        (*id, lane)
    }));
    for (side, mut ends) in ends.into_iter().enumerate() {
        for ends in &mut ends {
            ends.from = super::around::sorted(std::mem::take(&mut ends.from));
        }
        let mut order: Vec<usize> = (0..ids.len()).collect();
        // Exchanges neighbors while that removes crossings.
        for _ in 0..order.len() {
            let mut changed = false;
            for at in 1..order.len() {
                let (a, b) = (&ends[order[at - 1]], &ends[order[at]]);
                if crossings(b, a) < crossings(a, b) {
                    order.swap(at - 1, at);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for (number, lane) in order.into_iter().zip(0..) {
            if let Some(found) = found.get_mut(&ids[number]) {
                found.at_index[side] = lane;
            }
        }
    }
    found
}
