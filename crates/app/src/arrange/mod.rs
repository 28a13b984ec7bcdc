//! Arranges cards: align, distribute, auto-layout. Each function returns the new positions for one
//! [`Command::Move`](super::Command::Move); cards that do not move are left out.

mod align;
mod auto_layout;
mod blocks;
mod index_columns;

pub use align::{Align, Axis, align, distribute};
pub use auto_layout::{USUAL_ROOM, auto_layout, auto_layout_for};

use super::placement;
use super::viewport::Detail;
use keyfold_core::model::Design;
use std::sync::Arc;

/// Gives each card without a position one: arranges all cards if none has a position.
pub fn place_all(design: &mut Design) {
    if design.layout.is_empty() {
        let layout = auto_layout(design, Detail::All).into_iter().collect();
        design.layout = Arc::new(layout);
    }
    placement::place_missing(design);
}
