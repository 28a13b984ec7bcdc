//! The layout of all cards, whose code is loaded on demand.

use crate::ui::reactive::on_demand::on_demand;
use keyfold_app::arrange::auto_layout_for;
use keyfold_app::viewport::Detail;
use keyfold_core::model::{CardId, Design, Point};

/// Arranges all cards ([`auto_layout_for`]).
pub type Arrange = fn(&Design, Detail, (f64, f64)) -> Vec<(CardId, Point)>;

on_demand!(tools, load_arrange: Arrange = auto_layout_for);
