//! Where cards are on the canvas. Kept apart from the schema, so that dragging a card changes nothing else.

use super::CardId;
use crate::model::SortedMap;
use serde::{Deserialize, Serialize};

/// A place on the canvas, in whole pixels at 1:1 zoom; x grows to the right, y downwards.
/// Written as `[x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "(i32, i32)", into = "(i32, i32)")]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Downwards.
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

/// Top left corner of each card. A card without a place gets one when it is first shown.
pub type Layout = SortedMap<CardId, Point>;
