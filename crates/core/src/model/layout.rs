//! Positions of the cards on the canvas. Separate from the schema, so that dragging a card changes nothing else.

use super::CardId;
use crate::model::SortedMap;
use serde::{Deserialize, Serialize};

/// A position on the canvas in whole pixels at 1:1 zoom; x grows to the right, y downward. Written as `[x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "(i32, i32)", into = "(i32, i32)")]
pub struct Point {
    /// Pixels to the right.
    pub x: i32,
    /// Pixels down.
    pub y: i32,
}

impl From<(i32, i32)> for Point {
    fn from((x, y): (i32, i32)) -> Self {
        Point { x, y }
    }
}

impl From<Point> for (i32, i32) {
    fn from(point: Point) -> Self {
        (point.x, point.y)
    }
}

/// The top left corner of each card. A card without a position gets one when it is first shown.
pub type Layout = SortedMap<CardId, Point>;
