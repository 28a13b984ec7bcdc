//! The parts of a layout of entities: blocks of cards that stand together, stacks of blocks, bands of stacks, and one
//! list of bands on each side of the indexes. A structure has no positions; [`Sizes`] turns it into positions, and
//! [`read`] turns positions into the structure that they show.

use super::align::ordered;
use crate::collections;
use crate::geometry::ENTITY_WIDTH;
use keyfold_core::model::{Point, by_rank};

/// All positions are multiples of this.
pub(super) const GRID: i32 = 8;
/// Width of an entity card.
pub(super) const CARD: i32 = ENTITY_WIDTH as i32;
/// Distance between columns; 96 pixels of it are free for wires and the edges of boxes.
pub(super) const PITCH: i32 = CARD + 96;
/// Height of a box above its cards: margin and heading.
const ABOVE: i32 = (collections::MARGIN + collections::TITLE) as i32;
/// Height of a box below its cards, rounded up to the grid.
const BELOW: i32 = (collections::MARGIN as i32 + GRID - 1) / GRID * GRID;
/// Cards whose tops differ by at most this are in the same row.
const SAME_ROW: i32 = 40;

/// Cards that stand together in rows, by their numbers: the entities of an item collection, or a single entity.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block {
    pub(super) rows: Vec<Vec<usize>>,
    /// Whether there is a box around them.
    pub(super) boxed: bool,
}

/// Blocks below each other.
pub(super) type Stack = Vec<Block>;
/// Stacks beside each other. No wire that passes below the band meets a card of it.
pub(super) type Band = Vec<Stack>;
/// Bands below each other.
pub(super) type Side = Vec<Band>;

impl Block {
    /// Returns a block of these cards with at most this many in a row, and about as many in each.
    pub(super) fn of(cards: &[usize], most: usize) -> Block {
        let rows = cards.len().div_ceil(most.max(1)).max(1);
        let each = cards.len().div_ceil(rows).max(1);
        Block {
            rows: cards.chunks(each).map(<[usize]>::to_vec).collect(),
            boxed: cards.len() > 1,
        }
    }

    pub(super) fn columns(&self) -> i32 {
        self.rows.iter().map(Vec::len).max().unwrap_or(0) as i32
    }

    fn above(&self) -> i32 {
        if self.boxed { ABOVE } else { 0 }
    }

    fn below(&self) -> i32 {
        if self.boxed { BELOW } else { 0 }
    }
}

/// Number of columns of a stack.
pub(super) fn stack_columns(stack: &Stack) -> i32 {
    stack.iter().map(Block::columns).max().unwrap_or(0)
}

fn band_columns(band: &Band) -> i32 {
    band.iter().map(stack_columns).sum()
}

/// Number of columns of a side.
pub(super) fn side_columns(side: &Side) -> i32 {
    side.iter().map(band_columns).max().unwrap_or(0)
}

/// Sizes of the cards, and the gaps between them.
pub(super) struct Sizes<'a> {
    /// Height of each card, a multiple of [`GRID`].
    pub(super) heights: &'a [i32],
    /// Vertical gap between cards, wide enough for the wires of cards farther from the indexes.
    pub(super) gap: i32,
}

/// Vertical gap between the cards of a side with a single column: no wires pass there.
const NARROW: i32 = 32;

impl Sizes<'_> {
    fn row_height(&self, row: &[usize]) -> i32 {
        row.iter().map(|at| self.heights[*at]).max().unwrap_or(0)
    }

    /// Height of the cards of a block, without the edges of its box.
    pub(super) fn block_height(&self, block: &Block) -> i32 {
        let rows = block.rows.iter().map(|row| self.row_height(row) + self.gap);
        rows.sum::<i32>() - self.gap
    }

    /// Height of a stack below the top of its first cards, including the edge of its last box.
    fn stack_height(&self, stack: &Stack) -> i32 {
        let mut height = 0;
        for (number, block) in stack.iter().enumerate() {
            if number > 0 {
                height += self.gap + block.above();
            }
            height += self.block_height(block) + block.below();
        }
        height
    }

    /// Height of a band above and below the top of its first cards.
    fn band_height(&self, band: &Band) -> (i32, i32) {
        let firsts = band.iter().filter_map(|stack| stack.first());
        let above = firsts.map(Block::above).max().unwrap_or(0);
        let heights = band.iter().map(|stack| self.stack_height(stack));
        (above, heights.max().unwrap_or(0))
    }

    /// The same with the gap that this side needs.
    fn of_side(&self, side: &Side) -> Sizes<'_> {
        let gap = match side_columns(side) {
            0 | 1 => NARROW,
            _ => self.gap,
        };
        Sizes { gap, ..*self }
    }

    /// Height of a side.
    pub(super) fn side_height(&self, side: &Side) -> i32 {
        self.of_side(side).bands_height(side)
    }

    fn bands_height(&self, side: &Side) -> i32 {
        let bands = side.iter().map(|band| {
            let (above, below) = self.band_height(band);
            above + below + self.gap
        });
        (bands.sum::<i32>() - self.gap).max(0)
    }

    /// Sets the position of each card of a side. `left` is the first column; with `columns`, rows end at the last
    /// of that many columns.
    pub(super) fn place(
        &self,
        side: &Side,
        left: i32,
        top: i32,
        columns: Option<i32>,
        places: &mut [Point],
    ) {
        let sizes = self.of_side(side);
        let mut y = top;
        for band in side {
            let (above, below) = sizes.band_height(band);
            let shift = columns.map_or(0, |columns| columns - band_columns(band));
            let mut x = left + shift * PITCH;
            for stack in band {
                let mut at = y + above;
                for (number, block) in stack.iter().enumerate() {
                    if number > 0 {
                        at += sizes.gap + block.above();
                    }
                    for row in &block.rows {
                        for (column, card) in row.iter().enumerate() {
                            places[*card] = Point {
                                x: x + column as i32 * PITCH,
                                y: at,
                            };
                        }
                        at += sizes.row_height(row) + sizes.gap;
                    }
                    at += block.below() - sizes.gap;
                }
                x += stack_columns(stack) * PITCH;
            }
            y += above + below + sizes.gap;
        }
    }

    /// Adds a block at the end of a side: below the last block if the band is high enough there, else beside it if
    /// there are at most `most` columns, else in a new band.
    pub(super) fn append(&self, side: &mut Side, block: Block, most: i32) {
        if let Some(band) = side.last_mut() {
            let (_, height) = self.band_height(band);
            if let Some(stack) = band.last_mut()
                && stack_columns(stack) == block.columns()
                && self.stack_height(stack)
                    + (self.gap + block.above() + self.block_height(&block) + block.below())
                    <= height
            {
                stack.push(block);
                return;
            }
            if band_columns(band) + block.columns() <= most {
                band.push(vec![block]);
                return;
            }
        }
        side.push(vec![vec![block]]);
    }
}

/// An area on the canvas, in whole pixels: left, top, right, bottom.
type Edges = [i32; 4];

fn around(all: impl Iterator<Item = Edges>) -> Edges {
    let none = [i32::MAX, i32::MAX, i32::MIN, i32::MIN];
    all.fold(none, |a, b| {
        [
            a[0].min(b[0]),
            a[1].min(b[1]),
            a[2].max(b[2]),
            a[3].max(b[3]),
        ]
    })
}

/// Returns the positions in `areas` as rows from top to bottom. An area whose middle is above the bottom of the first
/// areas of a row belongs to that row.
fn rows(areas: &[Edges]) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..areas.len()).collect();
    let order = by_rank(all, |at| {
        let [x, y, ..] = areas[*at];
        [ordered(y), ordered(x), 0, 0]
    });
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let (mut top, mut bottom) = (0_i32, 0_i32);
    for number in order {
        let [_, own_top, _, own_bottom] = areas[number];
        match rows.last_mut() {
            Some(last)
                if own_top.saturating_add(own_bottom.saturating_sub(own_top) / 2) < bottom =>
            {
                if own_top <= top.saturating_add(SAME_ROW) {
                    bottom = bottom.max(own_bottom);
                }
                last.push(number);
            }
            _ => {
                (top, bottom) = (own_top, own_bottom);
                rows.push(vec![number]);
            }
        }
    }
    let from_left = |at: &usize| {
        let [x, y, ..] = areas[*at];
        [ordered(x), ordered(y), *at as u32, 0]
    };
    rows.into_iter()
        .map(|row| by_rank(row, from_left))
        .collect()
}

/// Returns the sides left and right of `middle` that cards at these positions show. `groups` are the cards that belong
/// together.
pub(super) fn read(
    groups: &[Vec<usize>],
    places: &[Point],
    heights: &[i32],
    middle: i32,
) -> [Side; 2] {
    let edges = |card: &usize| {
        let Point { x, y } = places[*card];
        [
            x,
            y,
            x.saturating_add(CARD),
            y.saturating_add(heights[*card]),
        ]
    };
    let mut sides: [Vec<(Block, Edges)>; 2] = Default::default();
    for group in groups {
        let areas: Vec<Edges> = group.iter().map(edges).collect();
        let all = around(areas.iter().copied());
        let rows = rows(&areas);
        let block = Block {
            rows: (rows.iter())
                .map(|row| row.iter().map(|at| group[*at]).collect())
                .collect(),
            boxed: group.len() > 1,
        };
        let center = all[0].saturating_add(all[2].saturating_sub(all[0]) / 2);
        sides[usize::from(center > middle)].push((block, all));
    }
    sides.map(|blocks| {
        let areas: Vec<Edges> = blocks.iter().map(|(_, area)| *area).collect();
        let bands = rows(&areas);
        let mut blocks: Vec<Option<Block>> =
            blocks.into_iter().map(|(block, _)| Some(block)).collect();
        let mut take = |at: usize| blocks[at].take();
        bands
            .iter()
            .map(|band| {
                // Blocks that overlap horizontally are below each other.
                let mut stacks: Vec<(Edges, Vec<(i32, Block)>)> = Vec::new();
                for at in band {
                    let area = areas[*at];
                    let Some(block) = take(*at) else { continue };
                    match stacks.last_mut() {
                        Some((edges, stack)) if area[0] < edges[2] => {
                            *edges = around([*edges, area].into_iter());
                            stack.push((area[1], block));
                        }
                        _ => stacks.push((area, vec![(area[1], block)])),
                    }
                }
                stacks.into_iter().map(|(_, stack)| sorted(stack)).collect()
            })
            .collect()
    })
}

/// The blocks of a stack from top to bottom, given the top of each.
fn sorted(stack: Vec<(i32, Block)>) -> Stack {
    let stack = by_rank(stack, |(top, _)| [ordered(*top), 0, 0, 0]);
    stack.into_iter().map(|(_, block)| block).collect()
}
